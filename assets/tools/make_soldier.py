"""Makes the soldiers and their clips: `python -m assets.tools.make_soldier`.

`soldier_olive` and `soldier_grey` are two bodies over one skeleton. `soldier` is the olive one with the clips of a man
who is well. Those of one who is hit are in a file without a body, so that a save of either cooks half of them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from assets.tools.fabric import laid_over, png, worn_cloth
from assets.tools.gltf import GlbWriter, Primitive
from assets.tools.rotations import quaternion_of
from assets.tools.shapes import Finished
from assets.tools.soldier import actions, athletics, deaths, locomotion, pains, spins, standing, wounds
from assets.tools.soldier.motion import Motion
from assets.tools.soldier.outfit import OUTFITS, shaded
from assets.tools.soldier.skeleton import BONES, INDEX

MODELS = Path(__file__).resolve().parent.parent / "models"
HEADER = "# Written by assets.tools.make_soldier; change the script, not this file.\n"


CLIPS = {
    "soldier": (standing, locomotion, athletics, actions),
    "soldier_falls": (pains, deaths, wounds, spins),
}
"""The files that have clips, and who makes them."""


def motions(*files: str) -> list[Motion]:
    """Every clip, or those of some files, in the order of the file."""
    return [motion for name in files or CLIPS for part in CLIPS[name] for motion in part.clips()]


def boned() -> tuple[GlbWriter, list[int]]:
    """A file with the skeleton; also the node of each bone."""
    glb = GlbWriter()
    nodes: list[int] = []
    for bone in BONES:
        if bone.parent is None:
            nodes.append(glb.add_node(bone.name))
            continue
        parent = BONES[INDEX[bone.parent]]
        offset = parent.turn.T @ (bone.place - parent.place)
        rotation = quaternion_of(parent.turn.T @ bone.turn)
        nodes.append(glb.add_node(bone.name, nodes[INDEX[bone.parent]], offset, rotation))
    return glb, nodes


def skinned(model: Finished) -> tuple[GlbWriter, list[int]]:
    """The same with a body on it."""
    model, coordinates = laid_over(model)
    assert model.weights is not None
    glb, nodes = boned()
    chosen = np.argsort(-model.weights, axis=1, kind="stable")[:, :4]
    strongest = np.take_along_axis(model.weights, chosen, axis=1)
    strongest /= strongest.sum(axis=1, keepdims=True)
    chosen[strongest <= 0.0] = 0
    cloth = glb.add_material("uniform", texture=glb.add_texture(png(worn_cloth())), roughness=0.95)
    body = glb.add_node("body")
    part = Primitive(
        model.positions,
        model.normals,
        model.triangles,
        uvs=coordinates,
        colors=np.clip(model.colors * 1.06, 0.0, 255.0),  # the tile is a little darker than white
        joints=chosen,
        weights=strongest,
        material=cloth,
    )
    glb.add_mesh(body, [part], skin=glb.add_skin(nodes))
    return glb, nodes


def sidecar(clips: list[Motion], *, body: bool = True) -> str:
    """What the importer has to know about the clips, and whether there is a body."""
    lines = [HEADER, 'root = "tag_origin"\n', "" if body else "model = false\n"]
    for motion in clips:
        lines.append(f"\n[clips.{motion.name}]\n")
        if motion.looping:
            lines.append("loop = true\n")
        if motion.moves:
            lines.append('root_motion = "full"\n')
        if motion.notes:
            notes = (
                f'{{ name = "{name}", at = {frame / motion.frames:.4f} }}' for name, frame in motion.notes
            )
            lines.append(f"notes = [{', '.join(notes)}]\n")
    return "".join(lines)


def animated(glb: GlbWriter, nodes: list[int], clips: list[Motion]) -> GlbWriter:
    """A file with clips added to it."""
    for motion in clips:
        rows = motion.rows()
        times = np.linspace(0.0, motion.length, len(rows))
        glb.add_clip(motion.name, times, {node: rows[:, bone] for bone, node in enumerate(nodes)})
    return glb


def main() -> None:
    """Writes the three models, the file of clips, and their sidecars."""
    bodies = {name: shaded(outfit.parts()) for name, outfit in OUTFITS.items()}
    bodies["soldier"] = bodies["soldier_olive"]
    files = {name: skinned(body) for name, body in bodies.items()} | {"soldier_falls": boned()}
    for name, (glb, nodes) in files.items():
        clips = motions(name) if name in CLIPS else []
        animated(glb, nodes, clips).write(MODELS / name / f"{name}.glb")
        text = sidecar(clips, body=name != "soldier_falls")
        (MODELS / name / f"{name}.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
