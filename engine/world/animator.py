"""The animations of entities: one batch for each tree and skeleton, tags, hit boxes, bends of spine and head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.anim.infos import InfoBudget
from engine.anim.mismatch import mismatches
from engine.anim.overrides import aim, quaternion
from engine.anim.pose import model_matrices
from engine.anim.sampler import Binding, bind
from engine.anim.skeleton import Float32, Skeleton
from engine.anim.state import TreeInstances
from engine.anim.tree import Tree
from engine.pipeline.model import Model
from engine.source import Diagnostic
from engine.world.angles import Matrix, Vector, add, matrix, multiply, rotate
from engine.world.bodies import HitBoxes, hit_boxes
from engine.world.collision import PartHit, Refine
from engine.world.view import PoseBatch

if TYPE_CHECKING:
    from engine.world.entity import Entity
    from engine.world.host import ModelSource, Trees

Frame = tuple[Vector, Matrix]
"""A place in the world and the axes there."""

SPINE = (
    "spine_lower",
    "spine_mid",
    "spine_upper",
    "spine_01",
    "spine_02",
    "spine_03",
    "spine1",
    "spine2",
    "spine3",
)
HEAD = ("neck", "head")
NO_MOTION = (0.0, 0.0, 0.0, 0.0)


@dataclass(eq=False)
class Batch:
    """All entities on one tree and skeleton. local and matrices are those of the end of the last frame; model is one
    with this skeleton."""

    tree: Tree
    skeleton: Skeleton
    instances: TreeInstances
    model: str
    entities: dict[int, Entity] = field(default_factory=dict)
    local: Float32 | None = None
    matrices: Float32 | None = None

    def sample(self) -> None:
        self.local = self.instances.sample()
        self.matrices = None

    def matrix_row(self, row: int) -> Float32 | None:
        """(B, 3, 4) of an entity, None before its first frame."""
        if self.local is None or row >= len(self.local):
            return None
        if self.matrices is None:
            self.matrices = model_matrices(self.local, self.skeleton)
        found: Float32 = self.matrices[row]
        return found


@dataclass(eq=False)
class Pose:
    """An entity's row in a batch.

    flagged maps notify names to the animation that sends them, for logs. scripted is the notify name while the
    entity is under animscripted, None otherwise; ending says that its `end` has come in this frame.
    """

    batch: Batch
    row: int
    boxes: HitBoxes
    flagged: dict[str, str] = field(default_factory=dict)
    scripted: str | None = None
    ending: bool = False
    bent: set[int] = field(default_factory=set)
    _refine: Refine | None = None
    ended: dict[str, int] = field(default_factory=dict)

    def ended_before(self, notify: str, note: str, frame: int) -> bool:
        """Whether this `end` only repeats one of just before, as a clip does that stands at its end."""
        if note != "end":
            self.ended.pop(notify, None)
            return False
        before = self.ended.get(notify)
        self.ended[notify] = frame
        return before is not None and before >= frame - 2

    def refine(self, entity: Entity) -> Refine:
        """Where a shot meets the posed body."""
        if self._refine is not None:
            return self._refine

        def trace(start: Vector, end: Vector) -> PartHit | None:
            matrices = self.batch.matrix_row(self.row)
            if matrices is None:
                return None
            material = entity.world.flesh_of(entity)
            return self.boxes.trace(matrices, entity.position, matrix(entity.rotation), start, end, material)

        self._refine = trace
        return trace


class Animator:
    """Batches by tree and skeleton. Trees may be replaced while entities play them (`rebind`). `complain` hears, once,
    which clips and masks do not find their bones on a model that plays them."""

    def __init__(
        self, models: ModelSource, complain: Callable[[Diagnostic], None] = lambda diagnostic: None
    ) -> None:
        self.models = models
        self._complain = complain
        self._told: set[Diagnostic] = set()
        self.trees: Trees = {}
        self._batches: dict[tuple[str, int], Batch] = {}
        self.infos = InfoBudget(lambda: sum(b.instances.store.infos() for b in self._batches.values()))
        """How many animations may play at once in the whole level."""
        self._rest: dict[str, Float32] = {}
        self._boxes: dict[int, tuple[Model, HitBoxes]] = {}

    # --- who plays what -----------------------------------------------------------------------------------

    def use_tree(self, entity: Entity, tree: Tree) -> Pose:
        """Give an entity a fresh state on a tree."""
        self.drop(entity)
        batch = self._batch(tree, entity.model_name)
        row = batch.instances.add()
        batch.entities[row] = entity
        entity.pose = Pose(batch, row, self.boxes_of(entity.model_name))
        entity.relink()
        return entity.pose

    def drop(self, entity: Entity) -> None:
        """Take an entity's state away."""
        pose = entity.pose
        if pose is not None:
            entity.pose = None
            pose.batch.instances.remove(pose.row)
            del pose.batch.entities[pose.row]

    def model_changed(self, entity: Entity) -> None:
        """Go on playing on the skeleton of the entity's new model."""
        pose = entity.pose
        if pose is None:
            return
        batch = self._batch(pose.batch.tree, entity.model_name)
        pose.boxes = self.boxes_of(entity.model_name)
        if batch is pose.batch:
            return
        # These are numbers of the old skeleton; what of its bones is left, `bend` turns again.
        pose.bent.clear()
        row = batch.instances.copy_from(pose.batch.instances, pose.row)
        pose.batch.instances.remove(pose.row)
        del pose.batch.entities[pose.row]
        batch.entities[row] = entity
        pose.batch, pose.row = batch, row

    def _batch(self, tree: Tree, model: str) -> Batch:
        skeleton = self.models.model(model).skeleton
        key = (tree.name, id(skeleton))
        batch = self._batches.get(key)
        if batch is None:
            batch = Batch(tree, skeleton, self._instances(tree, skeleton, model), model)
            self._batches[key] = batch
        return batch

    def _instances(self, tree: Tree, skeleton: Skeleton, model: str) -> TreeInstances:
        return TreeInstances(tree, self._bound(tree, skeleton, model), infos=self.infos)

    def _bound(self, tree: Tree, skeleton: Skeleton, model: str) -> Binding:
        binding = bind(tree, skeleton)
        for diagnostic in mismatches(binding, model):
            if diagnostic not in self._told:
                self._told.add(diagnostic)
                self._complain(diagnostic)
        return binding

    def boxes_of(self, name: str) -> HitBoxes:
        """What shots at a model meet."""
        model = self.models.model(name)
        found = self._boxes.get(id(model))
        if found is None:
            found = self._boxes[id(model)] = (model, hit_boxes(model))
        return found[1]

    def rebind(self, trees: Trees) -> None:
        """Go on with newly read trees; what an entity plays continues by node name."""
        self.trees = trees
        for key, batch in list(self._batches.items()):
            tree = trees.get(key[0])
            if tree is not None and tree is not batch.tree:
                batch.tree = tree
                batch.instances.rebind(tree, self._bound(tree, batch.skeleton, batch.model))

    def models_changed(self) -> None:
        """Models were cooked anew: entities change over to the new skeletons, hit boxes are found again."""
        self._rest.clear()
        self._boxes = {k: known for k, known in self._boxes.items() if self._is_current(known[0])}
        for batch in list(self._batches.values()):
            for entity in list(batch.entities.values()):
                self.model_changed(entity)
        self._batches = {k: b for k, b in self._batches.items() if b.entities}

    def _is_current(self, model: Model) -> bool:
        return self.models.model(model.name) is model

    # --- state --------------------------------------------------------------------------------------------

    def batch_list(self) -> list[Batch]:
        """All batches, in the order in which they are moved."""
        return list(self._batches.values())

    def binding(self, tree: Tree, skeleton: Skeleton) -> Binding | None:
        """The clips of a tree on a skeleton, where a batch has them."""
        batch = self._batches.get((tree.name, id(skeleton)))
        return batch.instances.binding if batch is not None and batch.tree is tree else None

    def replace(self, batches: list[Batch]) -> None:
        """Have these batches instead."""
        self.infos.recount()
        self._batches = {(batch.tree.name, id(batch.skeleton)): batch for batch in batches}

    # --- time ---------------------------------------------------------------------------------------------

    def step(
        self,
        seconds: float,
        note: Callable[[Entity, str, str], None],
        settle: Callable[[], None],
        overrun: Callable[[Entity], None],
    ) -> None:
        """Let time pass for everybody; note(entity, notify, name) is called for each mark that is passed, overrun
        with who was commanded at so many of them that its other notes of the frame are not sent."""
        for batch in list(self._batches.values()):
            entities = batch.entities

            def deliver(row: int, notify: str, name: str, entities: dict[int, Entity] = entities) -> None:
                entity = entities.get(row)
                if entity is not None:
                    note(entity, notify, name)

            batch.instances.step(seconds, deliver, settle)
            for row in batch.instances.overrun:
                entity = entities.get(row)
                if entity is not None:
                    overrun(entity)

    def sample(self) -> None:
        """Work out everybody's pose, at the end of a frame."""
        for batch in self._batches.values():
            if batch.entities:
                batch.sample()

    def root_motion(self, entity: Entity) -> tuple[float, float, float, float]:
        """What the last step moved an entity by: x, y, z in its own axes after the turn, and the turn (degrees)."""
        pose = entity.pose
        if pose is None:
            return NO_MOTION
        motion = pose.batch.instances.root_motion()
        if pose.row >= len(motion):
            return NO_MOTION
        x, y, z, yaw = motion[pose.row].tolist()
        return x, y, z, yaw

    def batches(self) -> tuple[list[PoseBatch], dict[int, tuple[int, int]]]:
        """Poses for the view, and (batch, row) by entity number."""
        shown: list[PoseBatch] = []
        places: dict[int, tuple[int, int]] = {}
        for batch in self._batches.values():
            if not batch.entities or batch.local is None:
                continue
            for row, entity in batch.entities.items():
                if row < len(batch.local):
                    places[entity.number] = (len(shown), row)
            shown.append(PoseBatch(batch.skeleton, batch.local))
        return shown, places

    # --- places on a body -----------------------------------------------------------------------------------

    def tag_frame(self, entity: Entity, tag: str) -> Frame | None:
        """Where a bone or tag of an entity is; of its attachments too. "" is the origin. None: there is none."""
        m = matrix(entity.rotation)
        if not tag:
            return entity.position, m
        if not entity.model_name:
            return None
        tag = tag.lower()
        own = self._bone(entity, tag)
        if own is None:
            own = self._attached_bone(entity, tag)
        if own is None:
            return None
        place, turn = own
        return add(entity.position, rotate(m, place)), multiply(m, turn)

    def _bone(self, entity: Entity, tag: str) -> Frame | None:
        skeleton = self.models.model(entity.model_name).skeleton
        bone = skeleton.index.get(tag)
        if bone is None:
            return None
        if entity.unit is not None:
            return _frame(entity.unit.matrices()[bone])
        matrices = entity.pose.batch.matrix_row(entity.pose.row) if entity.pose is not None else None
        if matrices is None or bone >= len(matrices):
            matrices = self._rest_matrices(entity.model_name, skeleton)
        return _frame(matrices[bone])

    def _attached_bone(self, entity: Entity, tag: str) -> Frame | None:
        for model, at, _ in entity.attachments:
            skeleton = self.models.model(model).skeleton
            bone = skeleton.index.get(tag)
            if bone is None:
                continue
            base = self._bone(entity, at) if at else ((0.0, 0.0, 0.0), matrix((0.0, 0.0, 0.0)))
            if base is None:
                continue
            place, turn = _frame(self._rest_matrices(model, skeleton)[bone])
            return add(base[0], rotate(base[1], place)), multiply(base[1], turn)
        return None

    def _rest_matrices(self, name: str, skeleton: Skeleton) -> Float32:
        found = self._rest.get(name)
        if found is None or len(found) != len(skeleton):
            found = self._rest[name] = model_matrices(skeleton.rest[None], skeleton)[0]
        return found

    def bend(self, entity: Entity, spine: tuple[float, float], head: tuple[float, float]) -> None:
        """Turn the upper body by (pitch, yaw) towards an aim, and the head besides."""
        pose = entity.pose
        if pose is None:
            return
        turns = aim(pose.batch.skeleton, SPINE, *spine)
        turns.update(aim(pose.batch.skeleton, HEAD, *head))
        for bone in pose.bent - set(turns):
            # A state that was written by hand may name any.
            if bone < len(pose.batch.skeleton):
                pose.batch.instances.set_override(pose.row, bone, None)
        for bone, turn in turns.items():
            pose.batch.instances.set_override(pose.row, bone, turn)
        pose.bent = set(turns)

    def turn_bone(self, entity: Entity, bone: str, angles: Vector | None) -> bool:
        """Turn a bone further in its own axes after the animation, None no longer; whether there is such a bone. The
        aim of an actor takes its spine and head."""
        pose = entity.pose
        number = pose.batch.skeleton.index.get(bone.lower()) if pose is not None else None
        if pose is None or number is None:
            return False
        pose.batch.instances.set_override(
            pose.row, number, quaternion(angles) if angles is not None else None
        )
        return True


def _frame(m: Float32) -> Frame:
    """Place and axes of a (3, 4) matrix, without its scale."""
    a, b, c = m.tolist()
    x = 1.0 / max(1e-9, (a[0] ** 2 + b[0] ** 2 + c[0] ** 2) ** 0.5)
    y = 1.0 / max(1e-9, (a[1] ** 2 + b[1] ** 2 + c[1] ** 2) ** 0.5)
    z = 1.0 / max(1e-9, (a[2] ** 2 + b[2] ** 2 + c[2] ** 2) ** 0.5)
    turn = (a[0] * x, a[1] * y, a[2] * z), (b[0] * x, b[1] * y, b[2] * z), (c[0] * x, c[1] * y, c[2] * z)
    return (a[3], b[3], c[3]), turn
