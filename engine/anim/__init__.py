"""Animation trees, clips, poses and notes; knows no script and no window."""
