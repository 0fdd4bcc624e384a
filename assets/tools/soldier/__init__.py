"""The soldier in parts: skeleton, body, head, gear, and the motions of its clips."""
