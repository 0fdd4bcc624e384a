"""The figure's mesh as a Wavefront .obj with its .mtl; the format has neither bones nor clips."""

from __future__ import annotations

from tests.pipeline.formats.figure import Figure


def document(figure: Figure, *, library: str = "thing.mtl") -> bytes:
    lines = [f"mtllib {library}", "o Body"]
    lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in figure.positions]
    lines += [f"vt {u:.6f} {1 - v:.6f}" for u, v in figure.uvs]
    lines += [f"vn {x:.6f} {y:.6f} {z:.6f}" for x, y, z in figure.normals]
    lines += ["usemtl Cloth"]
    lines += ["f " + " ".join(f"{v + 1}/{v + 1}/{v + 1}" for v in triangle) for triangle in figure.triangles]
    return ("\n".join(lines) + "\n").encode("ascii")


def material(texture: str = "") -> bytes:
    lines = ["newmtl Cloth", "Kd 0.5 0.25 1", *([f"map_Kd {texture}"] if texture else [])]
    return ("\n".join(lines) + "\n").encode("utf-8")
