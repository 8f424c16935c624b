"""A model that is edited row by row is the model that is compiled from the edited mechanism."""

import msgspec
import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, NamingError
from bielle.mechanism import registry
from bielle.model import compile_mechanism, context, edit_model
from bielle.model.watches import AngleWatch, JointAngleWatch, KineticEnergyWatch, OutputWatch, PointWatch, ReactionWatch


def same_model(edited, fresh):
    """Every structure array, every length, every row."""
    assert set(edited.arrays) == set(fresh.arrays)
    for name, expected in fresh.arrays.items():
        np.testing.assert_array_equal(edited.arrays[name], expected, err_msg=name)
    np.testing.assert_array_equal(edited.layout.count, fresh.layout.count)
    for table in ("bodies", "joints", "forces"):
        ours, theirs = getattr(edited, table), getattr(fresh, table)
        assert list(ours) == list(theirs)
        for name in ours:
            a, b = ours[name], theirs[name]
            assert a.index == b.index
    assert list(edited.watches.items()) == list(fresh.watches.items())
    assert [r.name for r in edited.watch_rows.records] == [r.name for r in fresh.watch_rows.records]
    for name, expected in fresh.matrix().fields.items():
        np.testing.assert_array_equal(edited.matrix().fields[name], expected, err_msg=name)


class Editor:
    """Random edits of a mechanism, and of its model along with it."""

    def __init__(self, planar, seed):
        self.m = bl.Mechanism(plane="xy" if planar else None)
        self.rng = np.random.default_rng(seed)
        self.model, _ = compile_mechanism(self.m)
        self.watches = {}
        self.n = 0

    def point(self):
        return tuple(self.rng.uniform(-1, 1, self.m.dim))

    def pick(self, names):
        return list(names)[self.rng.integers(len(names))]

    def add_body(self):
        self.n += 1
        if self.m.planar:
            shape, kinds = bl.rod(self.point(), self.point(), mass=self.rng.uniform(1, 2)), ("planar", "bar")
        else:
            shape, kinds = bl.box(self.rng.uniform(0.1, 1, 3), mass=self.rng.uniform(1, 2)), ("spatial", "natural")
        return self.m.add_body(f"body {self.n}", shape, coordinates=self.pick(kinds)).name

    def add_joint(self):
        if len(self.m.bodies) < 2:
            return self.add_body()
        self.n += 1
        a, b = self.rng.choice(["ground", *self.m.bodies], 2, replace=False)
        kinds = (bl.Pin(), bl.Rigid(), bl.Slider()) if self.m.planar else (bl.Revolute(axis="x"), bl.Spherical(), bl.Fixed())
        return self.m.add_joint(f"joint {self.n}", self.pick(kinds), str(a), str(b), at=self.point()).name

    def add_force(self):
        if not self.m.bodies:
            return self.add_body()
        self.n += 1
        body = self.pick(self.m.bodies)
        if self.rng.random() < 0.5:
            kind = bl.Spring(stiffness=self.rng.uniform(1, 9), length=1.0)
            return self.m.add_force(f"force {self.n}", kind, "ground", body, at_a=self.point(), at_b=self.point()).name
        return self.m.add_force(f"force {self.n}", bl.PointForce(force=self.point()), body, at=self.point()).name

    def remove(self):
        free = [n for n in (*self.m.bodies, *self.m.joints, *self.m.forces) if not self.m._users(n)]
        if not free:
            return self.add_body()
        name = self.pick(free)
        self.m.remove(name)
        return name

    def change(self):
        springs = [n for n, f in self.m.forces.items() if isinstance(f.kind, bl.Spring)]
        if not springs:
            return self.add_force()
        name = self.pick(springs)
        force = self.m.forces[name]
        self.m.forces[name] = msgspec.structs.replace(force, kind=bl.Spring(stiffness=self.rng.uniform(1, 9), length=2.0))
        return name

    def watch(self):
        """Another watch, one less, or another threshold; none on what is gone."""
        self.n += 1
        named = [{"body": name} for name in self.m.bodies] + [{"joint": name} for name in self.m.joints]
        named += [{"force": name} for name in self.m.forces] + [{}]
        on, threshold = self.pick(named), self.rng.uniform()
        kinds = {"joint": (JointAngleWatch, ReactionWatch), "force": (OutputWatch,), "body": (AngleWatch, PointWatch)}
        kind = self.pick(kinds.get("".join(on), (KineticEnergyWatch,)))
        where = {"point": self.point(), "axis": 1, "other": self.pick(["ground", *self.m.bodies])} if kind is PointWatch else {}
        if self.rng.random() < 0.3 and self.watches:
            name = self.pick(self.watches)
            if self.rng.random() < 0.5:
                del self.watches[name]
            else:
                self.watches[name] = msgspec.structs.replace(self.watches[name], threshold=threshold)
        else:
            self.watches[f"watch {self.n}"] = kind(**on, **where, threshold=threshold)

        def exists(watch):
            known = {"ground", *self.m.bodies, *self.m.joints, *self.m.forces}
            return all(getattr(watch, field, "ground") in known for field in ("body", "other", "joint", "force"))

        self.watches = {name: watch for name, watch in self.watches.items() if exists(watch)}

    def edit(self, several=1, watching=False):
        verbs = (self.add_body, self.add_joint, self.add_joint, self.add_force, self.remove, self.change)
        touched = [self.pick(verbs)() for _ in range(several)]
        if watching:
            self.watch()
        self.model, change = edit_model(self.model, self.m, list(dict.fromkeys(touched)), watches=self.watches)
        return change


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_edited_row_by_row_or_compiled_from_scratch(planar, seed):
    editor = Editor(planar, seed)
    for i in range(40):
        editor.edit(several=1 + i % 4)
        if i % 4 == 3:
            same_model(editor.model, compile_mechanism(editor.m)[0])


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_watches_follow_the_rows_they_look_at(planar, seed):
    editor = Editor(planar, seed)
    for i in range(40):
        editor.edit(several=1 + i % 3, watching=True)
        if i % 4 == 3:
            same_model(editor.model, compile_mechanism(editor.m, editor.watches)[0])
    assert len(editor.watches) > 3


def test_changing_watches():
    """What is unchanged is kept: rows, the layout if only numbers are new, the matrices anyway."""
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    m.add_force("spring", bl.Spring(stiffness=1.0, length=1.0), m.ground, "rod", at_a=(0, 1), at_b=(1, 0))
    plain, _ = compile_mechanism(m)
    plain.matrix()
    plain.matrix(coupled=True)
    watches = {"load": ReactionWatch(joint="pivot", threshold=5.0), "tip": PointWatch(body="rod", point=(1, 0), axis=1)}
    model, _ = edit_model(plain, m, [], watches=watches)
    assert model.matrix(coupled=True) is plain.matrix(coupled=True)
    assert model.layout.structure is not plain.layout.structure

    changed = {"load": watches["load"], "tip": msgspec.structs.replace(watches["tip"], threshold=1.0, direction=-1)}
    again, _ = edit_model(model, m, [], watches=changed)
    assert again.layout.structure is model.layout.structure
    rows = {r.name: r for r in model.watch_rows.records}
    assert [r.name for r in again.watch_rows.records if r is rows[r.name]] == ["load"]
    same_model(again, compile_mechanism(m, changed)[0])
    assert edit_model(again, m, [], watches=changed)[0].watch_rows is again.watch_rows
    without, _ = edit_model(again, m, [])
    same_model(without, plain)


def test_watches_on_what_is_unknown_or_gone():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    wrong = (ReactionWatch(joint="pivo"), JointAngleWatch(joint="rod"), AngleWatch(body="pivot"), OutputWatch(force="spring"))
    for watch in wrong:
        with pytest.raises(NamingError, match="watch 'w': there is no (joint|body|force) named"):
            compile_mechanism(m, {"w": watch})
    watches = {"load": ReactionWatch(joint="pivot")}
    model, _ = compile_mechanism(m, watches)
    m.remove("pivot")
    with pytest.raises(NamingError, match="watch 'load': there is no joint named 'pivot'"):
        edit_model(model, m, ["pivot"], watches=watches)


def test_parameters_alone_keep_the_layout():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    model, _ = compile_mechanism(m)
    m.bodies["rod"] = bl.Mechanism(plane="xy").add_body("rod", bl.rod((0, 0), (1, 0), mass=3.0))
    heavier, change = edit_model(model, m, ["rod"])
    assert heavier.matrix() is model.matrix()
    assert heavier.layout.structure is model.layout.structure
    assert heavier.version != model.version
    np.testing.assert_allclose(heavier.arrays["mass"], 3 * model.arrays["mass"])
    assert [(c.first, c.last, len(c.records)) for c in change.bodies] == [(1, 2, 1)]


@pytest.mark.parametrize("integrator", ["adaptive", "rk4", "newmark", "generalized-alpha"])
def test_scratch_is_written_before_it_is_read(integrator, monkeypatch):
    """Fields of that role are not cleared: whatever was in the memory before, the motion is the same to the last bit."""
    m = bl.Mechanism()
    m.add_body("rod", bl.box((1.0, 0.1, 0.2), mass=2.0), position=(0.5, 0, 0), angular_velocity=(0.3, 0.0, 0.0))
    m.add_joint("pivot", bl.Universal(), m.ground, "rod", at=(0, 0, 0))
    m.add_force("spring", bl.Spring(stiffness=50.0, length=1.0), m.ground, "rod", at_a=(1, 1, 1), at_b=(0.4, 0, 0))
    solver = bl.Central(integrator=integrator, step=None if integrator == "adaptive" else 1e-2)
    taken = context._spares.take

    def run(filling):
        monkeypatch.setattr(context._spares, "take", lambda length: np.full_like(taken(length), filling))
        return m.simulate(0.5, solver=solver).samples

    clean, dirty = run(0.0), run(np.nan)
    for name, values in clean.items():
        np.testing.assert_array_equal(dirty[name], values, err_msg=name)


def test_a_kind_that_describes_elements_wrongly_is_named(monkeypatch):
    """Its numbers would shift those of all others."""
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    monkeypatch.setattr(registry.bodies["planar"], "element", lambda self, is_point, local: [0.0, 0.0, 0.0])
    with pytest.raises(DescriptionError, match=r"'pivot': its kind 'pin' gives 7 numbers for elem_p, expected 8"):
        compile_mechanism(m)
