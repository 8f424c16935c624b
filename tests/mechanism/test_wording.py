"""What a newcomer writes that cannot be, and the sentence that comes back."""

import copy
import pickle

import pytest

import bielle as bl
from bielle.errors import AccessError, BielleError, CallError, DescriptionError, FileError, NamingError


def pendulum(plane="xy"):
    m = bl.Mechanism(plane=plane)
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    m.add_force("spring", bl.Spring(stiffness=10.0), "ground", "rod", at_a=(0, 1), at_b=(0.5, 0))
    return m


def with_tip(m):
    return m.add_frame("tip", "rod", local=(0.5, 0))


def spatial():
    m = bl.Mechanism()
    m.add_body("rod", bl.rod((0, 0, 0), (1, 0, 0), mass=1.0))
    return m


WRONG = {
    "misspelled parameter": (lambda m: bl.Spring(stifness=10), CallError, "Spring() has no argument 'stifness'", "'stiffness'?"),
    "misspelled mass": (lambda m: bl.rod((0, 0), (1, 0), mas=1), CallError, "rod() has no argument 'mas'", "Did you mean 'mass'?"),
    "place by another name": (
        lambda m: m.add_joint("j", bl.Pin(), "ground", "rod", pos=(0, 0)),
        *(CallError, "add_joint() has no argument 'pos'", "It takes name, kind, a, b, at, at_a"),
    ),
    "abbreviation": (lambda m: m.add_body("x", bl.disc(1, mass=1), pos=(0, 0)), CallError, "'pos'", "Did you mean 'position'?"),
    "what a motor does not have": (lambda m: bl.Motor(torque=1), CallError, "no argument 'torque'", "It takes target,", "feedforward"),
    "no shape": (lambda m: m.add_body("x"), CallError, "add_body() needs 'shape'", 'Write add_body("rod", bielle.rod((0, 0), (1, 0)'),
    "no second body": (lambda m: m.add_joint("j", bl.Pin(), "rod", at=(0, 0)), CallError, "add_joint() needs 'b'", "bielle.Pin(), "),
    "mass by position": (lambda m: bl.rod((0, 0), (1, 0), 1.0), CallError, "(start, end) by position, got 3", "by name: mass=…"),
    "no end": (lambda m: bl.rod((0, 0), mass=1), CallError, "rod() needs 'end'", "Write rod(start, end, …)."),
    "shape first": (lambda m: m.add_body(bl.disc(1, mass=1), "x"), DescriptionError, "A name must be", "it comes first"),
    "shape not called": (lambda m: m.add_body("x", bl.rod), DescriptionError, "body 'x'", "got the function rod", "Call it: rod(…)"),
    "shape of a number": (lambda m: m.add_body("x", 5.0), DescriptionError, "body 'x'", "made by bielle.rod, box, disc", "got 5.0"),
    "mass with a unit": (lambda m: bl.disc(1, mass="1 kg"), DescriptionError, "disc: the mass", "'1 kg'", "without a unit or quotes"),
    "position of another dimension": (
        lambda m: m.add_body("x", bl.disc(1, mass=1), position=(0, 0, 0)),
        *(DescriptionError, "body 'x': the position must be 2 numbers, got (0, 0, 0)", "planar: give two"),
    ),
    "kind as a name": (lambda m: m.add_joint("j", "pin", "ground", "rod"), DescriptionError, "such as Pin, Rigid, Slider", "got 'pin'"),
    "kind not called": (lambda m: m.add_joint("j", bl.Pin, "ground", "rod"), DescriptionError, "the class Pin", "Write Pin()"),
    "motor as a joint": (
        lambda m: m.add_joint("j", bl.Motor(stiffness=1.0), "ground", "rod"),
        *(DescriptionError, "expected a joint kind", "got Motor", "Use add_force"),
    ),
    "joint as a force": (lambda m: m.add_force("f", bl.Pin(), "rod"), DescriptionError, "expected a force kind", "Use add_joint"),
    "spatial joint": (
        lambda m: m.add_joint("j", bl.Revolute(), "ground", "rod", at=(0, 0)),
        *(DescriptionError, "Revolute is for spatial mechanisms, but this one is planar", "Use Pin."),
    ),
    "motor on a joint by position": (
        lambda m: m.add_force("f", bl.Motor(stiffness=1.0), "pivot"),
        *(DescriptionError, "force 'f': 'pivot' is a joint, and no body", "joint='pivot'"),
    ),
    "motor on a joint itself": (
        lambda m: m.add_force("f", bl.Motor(stiffness=1.0), m.joints["pivot"]),
        *(DescriptionError, "'pivot' is a joint", "joint='pivot'"),
    ),
    "joint between joints": (
        lambda m: m.add_joint("j", bl.Pin(), "pivot", "rod", at=(0, 0)),
        *(DescriptionError, "joint 'j': 'pivot' is a joint, and no body or frame", "Give one of these, or the ground"),
    ),
    "joint on a force": (lambda m: m.add_joint("j", bl.Pin(), "spring", "rod", at=(0, 0)), DescriptionError, "'spring' is a force"),
    "no such body": (lambda m: m.add_joint("j", bl.Pin(), "ground", "rdo", at=(0, 0)), NamingError, "named 'rdo'", "mean 'rod'?"),
    "field set": (lambda m: setattr(m.bodies["rod"], "position", (1, 0)), AccessError, "body 'rod' cannot", "m.set('rod', position=…)"),
    "shape's field set": (lambda m: setattr(m.bodies["rod"].shape, "mass", 2), AccessError, "A Rod cannot", "m.set(name, mass=…)"),
    "kind set": (
        lambda m: setattr(m.joints["pivot"], "kind", bl.Rigid()),
        *(AccessError, "joint 'pivot' cannot be changed in place", "m.remove('pivot') and then m.add_joint('pivot', …)"),
    ),
    "kind of a force set": (lambda m: setattr(m.forces["spring"], "kind", 1), AccessError, "then m.add_force('spring', …)"),
    "name set": (lambda m: setattr(m.bodies["rod"], "name", "x"), AccessError, "body 'rod' cannot", "Write m.rename('rod', …)."),
    "name of a joint set": (lambda m: setattr(m.joints["pivot"], "name", "x"), AccessError, "Write m.rename('pivot', …)."),
    "name of a frame set": (lambda m: setattr(with_tip(m), "name", "x"), AccessError, "Write m.rename('tip', …)."),
    "position of a frame set": (lambda m: setattr(with_tip(m), "position", (0, 0)), AccessError, "m.set('tip', local=…)"),
    "body of a frame set": (lambda m: setattr(with_tip(m), "body", "x"), AccessError, "m.remove('tip') and then m.add_frame('tip', …)"),
    "mass of a body": (lambda m: m.bodies["rod"].mass, AccessError, "body 'rod' has no 'mass' itself", ".shape.mass"),
    "stiffness of a force": (lambda m: m.forces["spring"].stiffness, AccessError, "force 'spring'", ".kind.stiffness"),
    "field misspelled": (lambda m: m.bodies["rod"].positon, AccessError, "body 'rod' has no 'positon'", "Did you mean 'position'?"),
    "body misspelled": (lambda m: m.bodies["rdo"], NamingError, "There is no body named 'rdo'", "Did you mean 'rod'?"),
    "joint misspelled": (lambda m: m.joints["pivt"], NamingError, "There is no joint named 'pivt'", "Did you mean 'pivot'?"),
    "frame of none": (lambda m: m.frames["tip"], NamingError, "There is no frame named 'tip'", "There is none yet"),
    "component as an attribute": (lambda m: m.rod, AccessError, "no attribute 'rod'", "write m['rod']"),
    "method misspelled": (lambda m: m.simulte(1), AccessError, "no 'simulte'", "Did you mean 'simulate'?"),
    "component misspelled": (lambda m: m["rdo"], NamingError, "There is no component named 'rdo'", "Did you mean 'rod'?"),
    "another plane": (lambda m: setattr(m, "plane", "xz"), AccessError, "plane of a mechanism cannot change", "Mechanism(plane='xz')"),
    "gravity misspelled": (lambda m: setattr(m, "gravty", (0, 0)), AccessError, "A mechanism has no 'gravty'", "mean 'gravity'?"),
    "attribute of one's own": (lambda m: setattr(m, "notes", "x"), AccessError, "has no 'notes'", "Its gravity and name can be set"),
    "component set as an attribute": (lambda m: setattr(m, "rod", 1), AccessError, "no attribute 'rod'", "write m.set('rod', …)"),
    "table replaced": (lambda m: setattr(m, "bodies", {}), AccessError, "bodies can only be read", "m.add_body(name, …)", "m.remove(name)"),
    "plane by position": (lambda m: bl.Mechanism("xy"), DescriptionError, "gravity must be 3 numbers, got 'xy'", "plane='xy'"),
    "gravity as a number": (lambda m: bl.Mechanism(9.81), DescriptionError, "gravity must be 3 numbers", "write (0, 0, -9.81), say"),
    "gravity as a number in the plane": (lambda m: setattr(m, "gravity", 9.81), DescriptionError, "2 numbers", "(0, -9.81)"),
    "no duration": (lambda m: m.simulate(), CallError, "simulate() needs 'duration'", "Write simulate(10.0), say"),
    "duration as text": (lambda m: m.simulate("1"), DescriptionError, "positive number of seconds, got '1'"),
    "option of others": (lambda m: m.simulate(1, dt=0.01), CallError, "simulate() has no argument 'dt'", "duration, solver, samples"),
    "samples misspelled": (lambda m: m.simulate(1, sample=11), CallError, "Did you mean 'samples'?"),
    "half a sample": (lambda m: m.simulate(1, samples=11.5), DescriptionError, "samples must be a whole number", "got 11.5"),
    "samples as text": (lambda m: m.simulate(1, samples="11"), DescriptionError, "samples must be a whole number", "got '11'"),
    "held number": (lambda m: m.simulate(1, hold=5), DescriptionError, "hold: a component must be given by its name", "got 5"),
    "held misspelled": (lambda m: m.simulate(1, hold="rd"), NamingError, "hold: there is no body named 'rd'", "mean 'rod'?"),
    "integrator as a solver": (
        lambda m: m.simulate(1, "rk4"),
        *(DescriptionError, "'rk4' is an integrator, and no solver", "bielle.Central(integrator='rk4', step=1e-3)"),
    ),
    "formulation as a solver": (lambda m: m.simulate(1, "augmented"), DescriptionError, "Central(formulation='augmented')"),
    "solver misspelled": (lambda m: m.simulate(1, "atuo"), NamingError, "There is no solver named 'atuo'", "Did you mean 'auto'?"),
    "solver not called": (lambda m: m.simulate(1, bl.Central), DescriptionError, "got the class Central", "Write Central() with"),
    "step as text": (lambda m: bl.Central("projected", "rk4", step="1e-3"), DescriptionError, "step of Central", "without quotes"),
    "tolerance as text": (lambda m: bl.Recursive(rtol="1e-3"), DescriptionError, "rtol of Recursive must be a number"),
    "threads as text": (lambda m: bl.Modular(threads="2"), DescriptionError, "threads of Modular must be a number, got '2'"),
    "integrator as a number": (lambda m: bl.Central(integrator=4), DescriptionError, "integrator of Central must be a name, got 4"),
    "a file in the place of a mechanism": (lambda m: bl.simulate("m.yaml", 1), DescriptionError, "bielle.load('m.yaml')"),
    "report of a number": (lambda m: bl.report(5), DescriptionError, "Expected a mechanism, got 5"),
    "session's option misspelled": (lambda m: m.live(recrd=0.1), CallError, "live() has no argument 'recrd'", "mean 'record'?"),
    "history as text": (lambda m: m.live(history="1 GB"), DescriptionError, "history (bytes", "got '1 GB'"),
    "recursive function misspelled": (lambda m: m.recursive().crab, AccessError, "A recursive model has no 'crab'", "mean 'crba'?"),
}


@pytest.mark.parametrize("case", WRONG)
def test_sentences(case):
    action, error, *fragments = WRONG[case]
    with pytest.raises(error) as caught:
        action(pendulum())
    assert isinstance(caught.value, BielleError)
    for fragment in fragments:
        assert fragment in str(caught.value), str(caught.value)


def test_what_is_accepted_in_its_place():
    m = pendulum()
    assert m["rod"] is m.bodies["rod"]
    assert m["spring"] is m.forces["spring"]
    assert "pivot" in m
    assert "ground" not in m
    assert list(m) == ["rod", "pivot", "spring"]
    assert len(m.simulate(0.1, samples=11.0)) == 11
    assert m.simulate(0.1, "central", samples=2, hold=m.bodies["rod"]).info["solver"] == bl.Central().describe()


def test_attributes_that_python_looks_for_are_not_explained():
    m = pendulum()
    for each in (m, m["rod"], m["pivot"], m["spring"], bl):
        assert not hasattr(each, "_ipython_canary_method_should_not_exist_")
    for again in (copy.deepcopy(m), copy.copy(m), pickle.loads(pickle.dumps(m)), m.copy()):
        assert again == m
        with pytest.raises(NamingError, match="Did you mean 'rod'?"):
            again.bodies["rdo"]


MODEL = """bielle: 1
plane: xy
bodies:
  rod:
    shape: {type: rod, start: [0, 0], end: [1, 0], mass: 1.0}
joints:
  pivot: {type: pin, a: ground, b: rod, at: [0, 0]}
forces:
  pull: {type: spring, stiffness: 10.0, a: ground, b: rod, at_a: [0, 1], at_b: [0.5, 0]}
"""


@pytest.mark.parametrize(
    ("old", "new", "fragments"),
    [
        ("mass: 1.0", "mass: 1 kg", ("body 'rod': mass must be a number, got '1 kg'", "as in 'mass: 1'; units are SI")),
        ("mass: 1.0", "mass: 1.5e-3kg", ("got '1.5e-3kg'", "as in 'mass: 1.5e-3'")),
        ("mass: 1.0", "mass: heavy", ("mass must be a number, got 'heavy'. Write the number alone, without a unit or quotes; units",)),
        ("stiffness: 10.0", "stiffness: 10 N/m", ("force 'pull': stiffness must be a number, got '10 N/m'", "'stiffness: 10'")),
        ("mass: 1.0", "mass: [1]", ("mass must be a number, got [1].",)),
        ("start: [0, 0]", "start: [0, a]", ("start[1] must be a number, got 'a'",)),
        ("end: [1, 0], ", "", ("body 'rod': the key 'end' is missing. Add it.",)),
        ("mass: 1.0", "mas: 1.0", ("there is no key named 'mas'. Did you mean 'mass'?",)),
        ("b: rod, at: ", "b: rd, at: ", ("joint 'pivot': there is no body or frame named 'rd'. Did you mean 'rod'?",)),
        ("type: pin", "type: motor", ("joint 'pivot': there is no joint type named 'motor'",)),
    ],
)
def test_files(tmp_path, old, new, fragments):
    path = tmp_path / "model.yaml"
    assert old in MODEL
    path.write_text(MODEL.replace(old, new, 1))
    with pytest.raises(FileError) as caught:
        bl.load(path)
    for fragment in (str(path), *fragments):
        assert fragment in str(caught.value)
    assert "`" not in str(caught.value)  # nothing of the decoder's own words


def test_files_that_are_not_there(tmp_path, monkeypatch):
    (tmp_path / "model.yaml").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    assert bl.load("model.yaml").bodies["rod"].shape.mass == 1.0
    sentence = rf"^modle.yaml: it cannot be read: there is no such file in {tmp_path}. Did you mean 'model.yaml'\?$"
    for load in (bl.load, bl.Mechanism.load):
        with pytest.raises(FileError, match=sentence):
            load("modle.yaml")
    with pytest.raises(FileError, match=f"there is no folder {tmp_path / 'models'}. Check the name."):
        bl.load("models/model.yaml")
    with pytest.raises(FileError, match="there is no such file in .* Check the name."):
        bl.load_result("run.npz")
    with pytest.raises(FileError, match="there is no such file"):
        bl.load_session("bridge")
    with pytest.raises(FileError, match=f"it cannot be written: there is no folder {tmp_path / 'models'}. Make it first"):
        pendulum().save("models/model.yaml")


def test_tables_of_components_are_to_be_read():
    m = pendulum()
    with pytest.raises(AccessError, match=r"can only be read. Write m.add_body\('arm', …\) .*, m.set\('arm', …\) to change one."):
        m.bodies["arm"] = bl.rod((0, 0), (1, 0), mass=1.0)
    assert list(m.bodies) == ["rod"]


CHANGED_TABLES = {
    "del": (lambda m: m.bodies.__delitem__("rod"), r"Write m\.remove\('rod'\) to remove a body\."),
    "pop": (lambda m: m.joints.pop("pivot"), r"Write m\.remove\('pivot'\) to remove a joint\."),
    "pop of what is not there": (lambda m: m.forces.pop("x", None), r"Write m\.remove\('x'\) to remove a force\."),
    "popitem": (lambda m: m.forces.popitem(), r"Write m\.remove\(name\) to remove a force\."),
    "clear": (lambda m: m.frames.clear(), r"Write m\.remove\(name\) to remove a frame\."),
    "update": (lambda m: m.bodies.update(x=1), r"m\.add_body\(name, …\) to add a body, m\.set\(name, …\) to change one\."),
    "update by its own": (lambda m: m.bodies.update(m.bodies), r"m\.add_body\(name, …\)"),
    "setdefault": (lambda m: m.forces.setdefault("a", 1), r"m\.add_force\('a', …\) to add a force, m\.set\('a', …\)"),
    "|=": (lambda m: m.joints.__ior__({"a": 1}), r"m\.add_joint\(name, …\)"),
    "another kind of component": (lambda m: m.bodies.__setitem__("pivot", m.joints["pivot"]), r"m\.add_body\('pivot', …\)"),
}


@pytest.mark.parametrize(("change", "verb"), CHANGED_TABLES.values(), ids=CHANGED_TABLES)
def test_tables_are_not_changed_behind_the_back_of_the_mechanism(change, verb):
    m = pendulum()
    with pytest.raises(AccessError, match=f"can only be read. .*{verb}"):
        change(m)
    assert m == pendulum()
    assert ([*m.bodies], [*m.joints], [*m.forces], [*m.frames]) == (["rod"], ["pivot"], ["spring"], [])


def test_tables_refuse_statements():
    m = pendulum()
    with pytest.raises(AccessError):
        del m.bodies["rod"]
    with pytest.raises(AccessError):
        m.bodies |= {"a": 1}
    assert m == pendulum()


def test_what_refusals_advise_is_accepted():
    m = pendulum()
    with_tip(m)
    m.remove("pivot")
    m.add_joint("pivot", bl.Rigid(), "ground", "rod", at=(0, 0))
    m.rename("rod", "bar")
    m.set("tip", local=(0.25, 0))
    m.remove("spring")
    assert (type(m.joints["pivot"].kind), m.joints["pivot"].b, m.frames["tip"].position) == (bl.Rigid, "bar", (0.25, 0.0))
    assert ([*m.bodies], [*m.forces]) == (["bar"], [])


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, bl.Mechanism.copy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_have_tables_that_can_be_asked_and_edited(way):
    m = pendulum()
    other = way(m)
    assert other == m
    assert type(other.bodies) is type(m.bodies)
    with pytest.raises(AccessError, match=r"m\.remove\('rod'\)"):
        del other.bodies["rod"]
    assert [copy.copy(m.bodies), copy.deepcopy(m.bodies), pickle.loads(pickle.dumps(m.bodies)), m.bodies.copy()] == [m.bodies] * 4
    assert dict(m.bodies) | {"more": 1} == m.bodies | {"more": 1}
    other = m.copy()
    other.remove("spring")
    other.rename("pivot", "hinge")
    assert ([*other.joints], [*other.forces], [*m.joints], [*m.forces]) == (["hinge"], [], ["pivot"], ["spring"])


def test_a_class_of_ones_own_has_attributes_of_its_own():
    class Crane(bl.Mechanism):
        def __init__(self):
            super().__init__(plane="xy")
            self.reach = 3.0

    m = Crane()
    m.load_limit = 2.0
    m.gravity = (0, 0)
    assert (m.reach, m.load_limit, m.copy().reach, m.gravity) == (3.0, 2.0, 3.0, (0.0, 0.0))


def test_a_misspelled_argument_that_is_needed():
    with pytest.raises(CallError, match=r"simulate\(\) has no argument 'durtion'. Did you mean 'duration'\?"):
        pendulum().simulate(durtion=1.0)


def test_a_file_of_mujoco_has_its_own_reader(tmp_path):
    (tmp_path / "robot.xml").write_text("<mujoco/>")
    with pytest.raises(FileError, match="got '.xml'. .*read by bielle.load_mjcf"):
        bl.load(tmp_path / "robot.xml")
