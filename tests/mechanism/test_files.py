"""Model files: exact round trips, helpful errors, and no harm from whatever a file may contain."""

import cProfile
import itertools
import json
import math
import os
import pstats
import random
import stat
import textwrap
import tracemalloc
from typing import Any, ClassVar

import msgspec
import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import bielle.bodies
import bielle.forces
import bielle.joints  # noqa: F401  (the kinds register themselves)
from bielle.errors import BielleError, DescriptionError, FileError
from bielle.forces.point_force import PointForce
from bielle.forces.spring import Spring
from bielle.joints import Gear, Pin, Prismatic, Revolute, Slider, Spherical
from bielle.joints.kind import JointKind
from bielle.mechanism import documents, files, registry, schema
from bielle.mechanism.functions import Function, Harmonic, Polynomial, SmoothStep, Table, TrapezoidalProfile
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import box, capsule, compound, cylinder, disc, extruded, plate, rigid, rod, sphere

FORMATS = ("yaml", "json")
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def example() -> Mechanism:
    """A spatial mechanism with every table in use."""
    m = Mechanism(name="double pendulum")
    m.add_body("upper", rod((0, 0, 0), (1, 0, 0), mass=1.0), angular_velocity=(0, 1e-5, 0))
    m.add_body("lower", compound(rod((1, 0, 0), (2, 0, 0), mass=1.0), (box((1, 1, 1), density=2.0), (0, 0, 1))), coordinates="natural")
    m.add_frame("tip", "lower", local=(0.5, 0, 0))
    m.add_joint("shoulder", Revolute(axis="y"), "ground", "upper", at=(0, 0, 0))
    m.add_joint("elbow", Revolute(axis=(0, 1, 0)), "upper", "tip", at_a=(0.5, 0, 0))
    m.add_force("string", Spring(stiffness=10.0, damper=Table(x=(0, 1), y=(0, 2))), "ground", "tip", at_a=(2, 0, 1))
    m.add_force("push", PointForce(force=(1.0, Harmonic(amplitude=1.0, frequency=2.0), 0.0)), "tip")
    return m


def planar_example() -> Mechanism:
    """A planar mechanism with every table in use."""
    m = Mechanism(plane="xz", gravity=(0, -1.62), name="moon")
    m.add_body("crank", rod((0, 0), (1, 0), mass=1.0), angular_velocity=2, coordinates="bar", color="#ff0000")
    m.add_body("block", extruded([(0, 0), (1, 0), (0, 1)], mass=2.0), position=(1, 0), orientation=0.5, velocity=(1, 2))
    m.add_frame("eye", "block", local=(0, 0), orientation=0.1)
    m.add_joint("main", Pin(), "ground", "crank", at=(0, 0))
    m.add_joint("end", Pin(), "crank", "eye", at_a=(0.5, 0))
    m.add_force("pull", PointForce(force=(1.0, Polynomial(coefficients=(0, 1)))), "eye")
    return m


def assert_same(a: Mechanism, b: Mechanism) -> None:
    """Equal, and equal to the last bit (repr tells -0.0 from 0.0), in the same order."""
    assert a == b
    for table in ("bodies", "frames", "joints", "forces"):
        assert repr(list(getattr(a, table).values())) == repr(list(getattr(b, table).values()))
    assert repr(a.gravity) == repr(b.gravity)


def samples(table: dict[str, Any], dim: int) -> list[Any]:
    """Kinds that fit the dimension and can be written."""
    return [kind for cls in table.values() if dim in cls.dims for kind in cls.samples(dim) if not has_callable(kind)]


def has_callable(kind: Any) -> bool:
    return any(callable(item) or isinstance(item, Function) for field in msgspec.structs.astuple(kind) for item in np.ravel([field]))


def attached(kind: Any, a: str, b: str, point: Any) -> dict[str, Any]:
    """Where a force acts, in the words of add_force."""
    alone = {"a": a, "at_a": point}
    return alone if kind.attachment in ("one", "any") else {**alone, "b": b, "at_b": point}


# -- round trips


@pytest.mark.parametrize("make", [Mechanism, example, planar_example])
@pytest.mark.parametrize("ending", [".yaml", ".yml", ".json", ".YAML"])
def test_save_and_load(tmp_path, make, ending):
    m = make()
    path = tmp_path / f"model{ending}"
    m.save(path)
    assert_same(Mechanism.load(path), m)
    assert_same(Mechanism.load(str(path)), m)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]  # no temporary file stays behind


def test_text_is_readable():
    assert files.dumps(planar_example()) == (
        "bielle: 1\n"
        "name: moon\n"
        "plane: xz\n"
        "gravity: [0.0, -1.62]\n"
        "bodies:\n"
        "  crank:\n"
        "    shape: {type: rod, start: [0.0, 0.0], end: [1.0, 0.0], mass: 1.0}\n"
        "    position: [0.5, 0.0]\n"
        "    orientation: 0.0\n"
        "    angular_velocity: 2.0\n"
        "    coordinates: bar\n"
        "    color: '#ff0000'\n"
        "  block:\n"
        "    shape:\n"
        "      type: extrusion\n"
        "      polygon:\n"
        "      - [0.0, 0.0]\n"
        "      - [1.0, 0.0]\n"
        "      - [0.0, 1.0]\n"
        "      mass: 2.0\n"
        "    position: [1.0, 0.0]\n"
        "    orientation: 0.5\n"
        "    velocity: [1.0, 2.0]\n"
        "frames:\n"
        "  eye: {body: block, position: [0.0, 0.0], orientation: 0.1}\n"
        "joints:\n"
        "  main: {type: pin, a: ground, b: crank, at: [0.0, 0.0]}\n"
        "  end: {type: pin, a: crank, b: eye, at_a: [0.5, 0.0]}\n"
        "forces:\n"
        "  pull:\n"
        "    type: point_force\n"
        "    force:\n"
        "    - 1.0\n"
        "    - {type: polynomial, coefficients: [0.0, 1.0]}\n"
        "    a: eye\n"
    )


def test_other_readers_agree():
    m = example()
    m.add_body("small", sphere(1e-5, mass=1e22), position=(1e-300, 5e-324, 1.2345678901234567e59))
    assert yaml.safe_load(files.dumps(m, "yaml")) == m.to_dict()
    assert json.loads(files.dumps(m, "json")) == m.to_dict()


def test_by_hand():
    m = files.loads(
        """
        bielle: 1
        plane: xy
        forces: {pull: {type: spring, stiffness: 1e3, a: ground, b: on, at_a: [0, 1], at_b: [0, 0]}}
        joints:   # may come before the bodies they join
          yes: {type: pin, a: ground, b: on, at: [0, 0]}
        bodies:
          on: {shape: {type: rod, start: [0, 0], end: [2, 0], mass: 1}}
          1: {shape: {type: disc, radius: 1E-1, mass: .5}, velocity: null}
        frames:
        """
    )
    assert m.bodies["on"].position == (1.0, 0.0)
    assert m.bodies["1"].shape == disc(0.1, mass=0.5)
    assert m.joints["yes"].b == "on"
    assert m.forces["pull"].kind.stiffness == 1000.0
    assert m.gravity == (0.0, -9.81)
    assert m.name == "mechanism"


def test_the_documented_file():
    lines = files.__doc__.split("\n\n")[1]
    m = files.loads(textwrap.dedent(lines))
    assert (list(m.bodies), list(m.frames), list(m.joints), list(m.forces)) == (["upper"], ["tip"], ["shoulder"], ["return"])
    assert_same(files.loads(files.dumps(m)), m)


def test_dict_accepts_tuples():
    data = example().to_dict()
    data["gravity"] = tuple(data["gravity"])
    assert Mechanism.from_dict(data) == example()


ODD_NAMES = ["on", "no", "null", "~", "1", "1e5", "1.5", "0x1f", "1:30", "2024-01-01", "- a", "a: b", "#x", "{", "[a]", "'", '"', "&a"]
ODD_NAMES += ["*a", "!tag", "%x", "@x", "`x", "?", ":", "<<", "=", "é", "😀", "日本", "a b", "\\", "\\n", "x" * 200, "true", ".inf", "---"]


@pytest.mark.parametrize("format", FORMATS)
def test_odd_names_and_strings(format):
    m = Mechanism(name=" odd: name #")
    for name in ODD_NAMES:
        m.add_body(name, sphere(1.0, mass=1.0), color=name)
    for i, (a, b) in enumerate(itertools.pairwise(ODD_NAMES)):
        m.add_joint(f"joint {i}", Spherical(), a, b, (0, 0, 0))
    assert_same(files.loads(files.dumps(m, format), format), m)


numbers = st.floats(-1e60, 1e60)
moderate = st.floats(-1e3, 1e3)
sizes = st.floats(1e-3, 1e3)
printable = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=12)
names = st.one_of(st.sampled_from(ODD_NAMES), printable.filter(lambda s: s and s == s.strip() and s != "ground"))


def vectors(length, of=moderate):
    return st.tuples(*[of] * length)


@st.composite
def shapes(draw, dim, nested=True):
    weight = {draw(st.sampled_from(["mass", "density"])): draw(sizes)}
    start = draw(vectors(dim))
    end = tuple(x + d for x, d in zip(start, draw(vectors(dim, sizes))))
    kinds: dict[str, Any] = {
        "rod": lambda: rod(start, end, radius=math.dist(start, end) / 10, **weight),
        "cylinder": lambda: cylinder(start, end, draw(sizes), **weight),
        "capsule": lambda: capsule(start, end, draw(sizes), **weight),
        "box": lambda: box(draw(vectors(dim, sizes)), centre=draw(st.none() | vectors(dim)), **weight),
        "plate": lambda: plate(draw(vectors(2, sizes)), draw(sizes), **weight),
        "sphere": lambda: sphere(draw(sizes), centre=draw(st.none() | vectors(dim)), **weight),
        "disc": lambda: disc(draw(sizes), thickness=draw(sizes), **weight),
        "extrusion": lambda: extruded([(0, 0), (draw(sizes), 0), (0, draw(sizes))], draw(sizes), **weight),
        "explicit": lambda: rigid(draw(sizes), draw(vectors(dim)), draw(sizes) if dim == 2 else (4, 5, draw(st.floats(2, 8)))),
    }
    if nested:
        angle = moderate if dim == 2 else st.just((1.0, 2.0, 3.0, 4.0))
        kinds["compound"] = lambda: compound(
            draw(shapes(dim, nested=False)), (draw(shapes(dim, nested=False)), draw(vectors(dim)), draw(angle))
        )
    return kinds[draw(st.sampled_from(sorted(kinds)))]()


@st.composite
def joint_kinds(draw, dim):
    kind = draw(st.sampled_from([kind for kind in samples(registry.joints, dim) if kind.attachment == "bodies"]))
    if "axis" in kind.__struct_fields__:
        kind = msgspec.structs.replace(kind, axis=draw(vectors(3, sizes)))
    if "direction" in kind.__struct_fields__:
        kind = msgspec.structs.replace(kind, direction=draw(moderate | vectors(2, sizes)))
    return kind


def accepts(coordinates: str, shape: Any) -> bool:
    """Whether a body of that shape can have these coordinates: natural ones want it thick in all directions."""
    try:
        registry.bodies[coordinates](shape.mass_properties(), shape.reference_points()).check("body")
    except DescriptionError:
        return False
    return True


@st.composite
def mechanisms(draw):
    plane = draw(st.sampled_from([None, "xy", "xz", "yz"]))
    dim = 2 if plane else 3
    m = Mechanism(draw(vectors(dim, numbers)), plane=plane, name=draw(printable))
    unused = iter(draw(st.lists(names, min_size=12, max_size=12, unique=True)))
    orientations = moderate if dim == 2 else vectors(4, st.floats(0.1, 1.0))
    coordinates = st.sampled_from([None, *(name for name, kind in registry.bodies.items() if kind.dim == dim)])
    for _ in range(draw(st.integers(1, 3))):
        shape, kind = draw(shapes(dim)), draw(coordinates)
        assume(kind is None or accepts(kind, shape))
        m.add_body(
            next(unused),
            shape,
            position=draw(st.none() | vectors(dim, numbers)),
            orientation=draw(st.none() | orientations),
            velocity=draw(st.none() | vectors(dim, numbers)),
            angular_velocity=draw(st.none() | (numbers if dim == 2 else vectors(3, numbers))),
            coordinates=kind,
            color=draw(st.none() | printable),
        )
    places = ["ground", *m.bodies]
    for _ in range(draw(st.integers(0, 2))):
        owner = draw(st.sampled_from(places))
        m.add_frame(next(unused), owner, local=draw(vectors(dim, numbers)), orientation=draw(st.none() | orientations))
    for _ in range(draw(st.integers(0, 4))):
        first = draw(st.sampled_from([*m.frames, *places]))
        others = [place for place in (*places, *m.frames) if m._owner(place) != m._owner(first)]
        where = draw(st.sampled_from([("at",), ("at_a", "at_b")]))
        turned = draw(st.sampled_from([(), ("a",), ("a", "b")]))
        kind = draw(joint_kinds(dim))
        if kind.grounded:
            first, others = "ground", [place for place in others if m._owner(place) != "ground"] or list(m.bodies)
        second = draw(st.sampled_from(others))
        axes = {f"axes_{side}": draw(orientations) for side in turned if {"a": first, "b": second}[side] not in m.frames}
        m.add_joint(next(unused), kind, first, second, **{key: draw(vectors(dim)) for key in where}, **axes)
    coupled = [name for name, joint in m.joints.items() if joint.kind.motion in ("revolute", "helical", "cylindrical", "prismatic")]
    if len(coupled) > 1 and draw(st.booleans()):
        m.add_joint(next(unused), Gear(ratio=draw(sizes)), *coupled[:2])
    if draw(st.booleans()):
        kind = draw(st.sampled_from(samples(registry.forces, dim)))
        m.add_force(next(unused), kind, **attached(kind, next(iter(m.bodies)), "ground", draw(vectors(dim))))
    return m


@QUICK
@given(mechanisms())
def test_random_mechanisms_round_trip(m):
    for format in FORMATS:
        text = files.dumps(m, format)
        text.encode()
        assert_same(files.loads(text, format), m)
    data = m.to_dict()
    assert_same(Mechanism.from_dict(data), m)
    check_schema(data, files.schema(), files.schema())


def test_every_kind_round_trips():
    for dim, plane in ((2, "xy"), (3, None)):
        m = Mechanism(plane=plane)
        for name in ("a", "b"):
            m.add_body(name, sphere(1.0, mass=1.0))
        hinge, slide = (Pin(), Slider()) if plane else (Revolute(), Prismatic())
        for name, kind in (("hinge", hinge), ("slide", slide)):
            m.add_joint(name, kind, "a", "b", at=(0,) * dim)
        for i, kind in enumerate(samples(registry.joints, dim)):
            if kind.attachment == "joints":
                m.add_joint(f"joint {i}", kind, "hinge", "slide")
            else:
                m.add_joint(f"joint {i}", kind, "ground" if kind.grounded else "a", "b", at_a=(0,) * dim, at_b=(1,) * dim)
        for i, kind in enumerate(samples(registry.forces, dim)):
            m.add_force(f"force {i}", kind, **attached(kind, "a", "b", (1,) * dim))
        for table in (m.joints, m.forces):
            for name, item in [*table.items()]:
                table[f"own {name}"] = msgspec.structs.replace(m.localised(item), name=f"own {name}")
        for format in FORMATS:
            assert_same(files.loads(files.dumps(m, format), format), m)
        check_schema(m.to_dict(), files.schema(), files.schema())


def test_functions_of_time_are_in_the_schema():
    step, times = SmoothStep(0.0, 1.0, 0.0, 2.0), (0.0, 1.0, 3.0)
    tables = [Table(times, (1.0, 2.0, 0.0), method=method) for method in ("cubic", "clamped", "monotone", "linear")]
    clamped = Table(times, (1.0, 2.0, 0.0), method="clamped", slopes=(1.0, 2.0))
    loads = [*tables, clamped, step, TrapezoidalProfile(0.0, 1.0, 0.0, 2.0, ramp=0.5), 2.0 * step + Harmonic(1.0, 2.0) * (3.0 - step)]
    m = Mechanism(plane="xy")
    m.add_body("a", sphere(1.0, mass=1.0))
    for i, load in enumerate(loads):
        m.add_force(f"force {i}", PointForce(force=(load, 1.0)), "a", at=(0, 0))
    for format in FORMATS:
        assert_same(files.loads(files.dumps(m, format), format), m)
    check_schema(m.to_dict(), files.schema(), files.schema())


# -- schema


def check_schema(value: Any, rule: Any, root: dict[str, Any], path: str = "$") -> None:
    """The part of JSON Schema that :func:`files.schema` uses, as assertions."""
    if isinstance(rule, bool):
        assert rule, path
        return
    if "$ref" in rule:
        check_schema(value, root["$defs"][rule["$ref"].removeprefix("#/$defs/")], root, path)
    if "anyOf" in rule:
        problems = []
        for option in rule["anyOf"]:
            try:
                check_schema(value, option, root, path)
                break
            except AssertionError as problem:
                problems.append(str(problem))
        else:
            raise AssertionError(f"{path}: {problems}")
    types = {"object": dict, "array": list, "string": str, "number": float | int, "integer": int, "boolean": bool, "null": type(None)}
    if "type" in rule:
        wanted = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
        assert any(isinstance(value, types[name]) for name in wanted), f"{path}: {value!r} is not {wanted}"
    assert "enum" not in rule or value in rule["enum"], f"{path}: {value!r} is not in {rule['enum']}"
    assert "const" not in rule or value == rule["const"], f"{path}: {value!r}"
    if isinstance(value, list):
        assert rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", math.inf), f"{path}: {len(value)} items"
        first = rule.get("prefixItems", [])
        for i, item in enumerate(value):
            check_schema(item, first[i] if i < len(first) else rule.get("items", True), root, f"{path}[{i}]")
    if isinstance(value, dict):
        assert set(rule.get("required", ())) <= set(value), f"{path}: {rule.get('required')} not all in {set(value)}"
        for key, item in value.items():
            check_schema(item, rule.get("properties", {}).get(key, rule.get("additionalProperties", True)), root, f"{path}.{key}")


def test_schema_is_json_and_lists_every_kind():
    written = json.loads(json.dumps(files.schema()))
    for tag in ("joint", "force"):
        table = registry.joints if tag == "joint" else registry.forces
        refs = [option["$ref"].removeprefix("#/$defs/") for option in written["$defs"][tag]["anyOf"]]
        assert sorted(written["$defs"][ref]["properties"]["type"]["enum"][0] for ref in refs) == sorted(table)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("bielle"),
        lambda d: d.update(bielle=2),
        lambda d: d.update(body={}),
        lambda d: d.update(gravity=[0.0]),
        lambda d: d.update(plane="yx"),
        lambda d: d["bodies"]["upper"].pop("shape"),
        lambda d: d["bodies"]["upper"].update(mass=1.0),
        lambda d: d["bodies"]["upper"]["shape"].update(type="rodd"),
        lambda d: d["bodies"]["upper"]["shape"].update(start=["a", 0, 0]),
        lambda d: d["bodies"]["upper"].update(coordinates="spatal"),
        lambda d: d["joints"]["shoulder"].pop("b"),
        lambda d: d["joints"]["shoulder"].update(axis=[0, 1]),
        lambda d: d["joints"]["shoulder"].update(type="revolut"),
        lambda d: d["joints"]["shoulder"].update(axsi="y"),
        lambda d: d["frames"]["tip"].pop("position"),
        lambda d: d["forces"]["string"].update(stiffness="10"),
        lambda d: d["forces"]["string"].update(damper={"type": "table", "x": [0]}),
    ],
)
def test_schema_and_loader_refuse_the_same(change):
    data = example().to_dict()
    check_schema(data, files.schema(), files.schema())
    change(data)
    with pytest.raises(AssertionError):
        check_schema(data, files.schema(), files.schema())
    with pytest.raises(FileError):
        Mechanism.from_dict(data)


@pytest.fixture
def user_kind(monkeypatch):
    """A joint kind of a user, registered while the test runs."""
    monkeypatch.setattr(registry, "joints", dict(registry.joints))

    @registry.register_joint
    class Screw(JointKind, tag="screw"):
        dims: ClassVar = (3,)
        equations: ClassVar = 5
        pitch: float
        turns: int = 1

        def check(self, name):
            if self.pitch == 13:
                raise RuntimeError("a mistake of the user")

    return Screw


def test_user_kinds_are_read_written_and_listed(user_kind):
    m = Mechanism()
    m.add_body("nut", sphere(1.0, mass=1.0))
    m.add_joint("thread", user_kind(pitch=0.1, turns=3), "ground", "nut", (0, 0, 0))
    assert m.to_dict()["joints"]["thread"] == {"type": "screw", "pitch": 0.1, "turns": 3, "a": "ground", "b": "nut", "at": [0.0, 0.0, 0.0]}
    for format in FORMATS:
        assert_same(files.loads(files.dumps(m, format), format), m)
    properties = files.schema()["$defs"]["Screw"]["properties"]
    assert properties["pitch"] == {"type": "number"}
    assert {"type", "pitch", "turns", *schema.JOINT_KEYS} == set(properties)


def test_parameters_of_the_wrong_type_are_refused_when_added(user_kind):
    m = Mechanism()
    m.add_body("nut", sphere(1.0, mass=1.0))
    with pytest.raises(DescriptionError, match=r"joint 'thread': Screw does not accept its parameters.*turns"):
        m.add_joint("thread", user_kind(pitch=0.1, turns=1.5), "ground", "nut", (0, 0, 0))


def test_errors_of_user_kinds_become_file_errors(user_kind):
    data = {"bielle": 1, "bodies": {"nut": {"shape": {"type": "sphere", "radius": 1, "mass": 1}}}}
    data["joints"] = {"thread": {"type": "screw", "pitch": 13, "a": "ground", "b": "nut", "at": [0, 0, 0]}}
    with pytest.raises(FileError, match="joint 'thread': RuntimeError: a mistake of the user") as caught:
        Mechanism.from_dict(data)
    assert isinstance(caught.value.__cause__, RuntimeError)


# -- what cannot be written


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("function", [math.sin, Function(math.sin, math.cos), lambda t: t])
def test_callables_cannot_be_saved(tmp_path, format, function):
    m = example()
    m.add_force("motor", PointForce(force=(0.0, 0.0, function)), "tip")
    path = tmp_path / f"model.{format}"
    path.write_text("precious")
    with pytest.raises(FileError, match=r"force 'motor'.*Table, Harmonic or Polynomial") as caught:
        m.save(path)
    assert str(path) in str(caught.value)
    assert path.read_text() == "precious"


def test_numbers_that_are_not_finite_cannot_be_saved(user_kind):
    m = Mechanism()
    m.add_body("nut", sphere(1.0, mass=1.0))
    m.add_joint("thread", user_kind(pitch=math.inf), "ground", "nut", (0, 0, 0))  # this kind does not check its parameters
    for format in FORMATS:
        with pytest.raises(FileError, match=r"joints.thread.pitch: a number must be finite, got inf"):
            files.dumps(m, format)


def test_strings_that_no_file_can_hold(user_kind, tmp_path):
    @registry.register_joint
    class Labelled(JointKind, tag="labelled"):
        dims: ClassVar = (3,)
        label: str = ""

    m = Mechanism()
    m.add_body("nut", sphere(1.0, mass=1.0))
    m.add_joint("thread", Labelled(label="\ud800"), "ground", "nut", (0, 0, 0))
    for format in FORMATS:
        with pytest.raises(FileError, match=r"joints\.thread\.label: a character of .* cannot be written as UTF-8"):
            m.save(tmp_path / f"model.{format}")
    assert not list(tmp_path.iterdir())


def test_parameters_named_as_places_cannot_be_saved(user_kind):
    @registry.register_joint
    class Clash(JointKind, tag="clash"):
        dims: ClassVar = (3,)
        at: float = 0.0

    m = Mechanism()
    m.add_body("nut", sphere(1.0, mass=1.0))
    m.add_joint("thread", Clash(at=1.0), "ground", "nut", (0, 0, 0))
    with pytest.raises(FileError, match=r"joint 'thread'.*parameter 'at'.*Rename"):
        m.to_dict()


# -- files themselves


def test_saving_is_all_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "model.yaml"
    example().save(path)
    before = path.read_bytes()
    for broken in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, broken, lambda *_: (_ for _ in ()).throw(OSError("disk full")))
            with pytest.raises(FileError, match=r"model\.yaml: it cannot be written: disk full\. Check"):
                planar_example().save(path)
        assert path.read_bytes() == before
        assert [p.name for p in tmp_path.iterdir()] == ["model.yaml"]


def test_saving_keeps_permissions_and_links(tmp_path):
    target, link = tmp_path / "target.yaml", tmp_path / "link.yaml"
    example().save(target)
    os.chmod(target, 0o640)
    link.symlink_to(target)
    planar_example().save(link)
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert Mechanism.load(target) == planar_example()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("missing.yaml", "cannot be read: .*Check the name"),
        ("folder.yaml", "not a regular file"),
        ("model.txt", r"must end in \.yaml, \.yml, \.json or \.urdf, got '\.txt'"),
        ("model", r"must end in \.yaml, \.yml, \.json or \.urdf, got ''"),
        ("nul\x00.yaml", "cannot be read"),
    ],
)
def test_paths_that_cannot_be_read(tmp_path, path, reason):
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(FileError, match=reason):
        Mechanism.load(os.path.join(tmp_path, path))


@pytest.mark.parametrize("path", ["missing/model.yaml", "nul\x00.yaml", "model.txt", "folder.yaml"])
def test_paths_that_cannot_be_written(tmp_path, path):
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(FileError, match=r"cannot be written|must end in"):
        example().save(os.path.join(tmp_path, path))
    assert [p.name for p in tmp_path.iterdir()] == ["folder.yaml"]


def test_not_a_path():
    for path in (5, None, ["model.yaml"]):
        with pytest.raises(FileError, match=r"A path must be a string"):
            Mechanism.load(path)


def test_unknown_format():
    with pytest.raises(FileError, match="'yaml' or 'json', got 'toml'"):
        files.dumps(example(), "toml")
    with pytest.raises(FileError, match="'yaml' or 'json', got 'toml'"):
        files.loads("", "toml")


def test_size_limit(tmp_path):
    path = tmp_path / "model.yaml"
    example().save(path)
    with pytest.raises(FileError, match=r"model\.yaml: it is longer than 100 bytes.*max_bytes"):
        files.load(path, max_bytes=100)
    assert files.load(path, max_bytes=path.stat().st_size) == example()


@pytest.mark.parametrize("unit", ["1,", '{"a":1},', "[],", "1.5,"])
def test_many_small_values_are_refused_before_they_take_memory(unit):
    text = '{"bielle": 1, "name": [' + unit * (documents.MAX_BYTES["json"] // len(unit) - 30) + "1]}"
    tracemalloc.start()
    with pytest.raises(FileError, match=r"it has more than \d+ numbers, texts, lists and dictionaries.*max_bytes"):
        files.loads(text, "json")
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()
    with pytest.raises(FileError, match="it has more than 65536 numbers"):
        files.loads("bielle: 1\nname:\n" + "- 1\n" * 70_000, "yaml", max_bytes=500_000)


def test_a_long_list_is_checked_without_a_text_for_each_item():
    numbers, more = [1.5] * 50_000 + [1] * 50_000, [7] * 100_000
    tracemalloc.start()
    documents.check({"a": numbers, "b": more})
    assert tracemalloc.get_traced_memory()[1] < 50_000  # [bytes], not per item
    tracemalloc.stop()
    numbers[70_000] = float("nan")
    with pytest.raises(FileError, match=r"^a\[0\].b\[70000\]: a number must be finite"):
        documents.check({"a": [{"b": numbers}]})


def test_a_body_takes_few_calls():
    """What files with very many bodies take: counted and not timed. 197 for each of these, 330 when its mass was checked twice by NumPy."""
    body = {"shape": {"type": "disc", "radius": 0.1, "mass": 1.0}, "position": [0.0, 0.0]}

    def calls(n):
        data = {"bielle": 1, "plane": "xy", "bodies": {f"b{i}": body for i in range(n)}}
        profile = cProfile.Profile()
        profile.runcall(Mechanism.from_dict, data)
        return pstats.Stats(profile).total_calls

    calls(10)
    assert (calls(300) - calls(100)) / 200 < 250


def test_yaml_that_is_too_long_tells_of_json(tmp_path):
    path = tmp_path / "long.yaml"
    with open(path, "wb") as file:
        file.truncate(files.MAX_BYTES["yaml"] + 1)
    with pytest.raises(FileError, match="longer than 16777216 bytes.*write it as JSON"):
        files.load(path)


def test_component_limit(monkeypatch):
    monkeypatch.setattr(files, "MAX_COMPONENTS", 6)
    with pytest.raises(FileError, match="7 components, more than 6"):
        Mechanism.from_dict(example().to_dict())


def test_byte_order_mark_is_skipped(tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(b"\xef\xbb\xbf" + files.dumps(example(), "json").encode())
    assert Mechanism.load(path) == example()


# -- errors in files


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(bodys={}), "There is no key named 'bodys'. Did you mean 'bodies'?"),
        (lambda d: d.update(bielle=99), "version 99, but this release reads 1. Upgrade"),
        (lambda d: d.update(bielle="1"), "version of the format must be 1, got '1'"),
        (lambda d: d.update(bielle=True), "version of the format must be 1, got True"),
        (lambda d: d.update(bodies=[]), "bodies: expected keys with values, got []"),
        (lambda d: d.update(gravity=[0, 0, "9.81"]), "gravity must be 3 numbers, got [0, 0, '9.81']"),
        (lambda d: d.update(gravity=[0, 9.81]), "gravity must be 3 numbers, got [0, 9.81]. The mechanism is spatial"),
        (lambda d: d.update(plane="xyz"), "plane must be None (spatial) or one of 'xy', 'xz', 'yz', got 'xyz'"),
        (lambda d: d["bodies"].update(upper=5), "body 'upper': expected keys with values, got 5"),
        (lambda d: d["bodies"].update(ground=d["bodies"]["upper"]), "body 'ground': The name 'ground' is taken already"),
        (
            lambda d: d["bodies"]["upper"].update(positon=[0, 0, 0]),
            "body 'upper': there is no key named 'positon'. Did you mean 'position'?",
        ),
        (lambda d: d["bodies"]["upper"].pop("shape"), "body 'upper': the key 'shape' is missing"),
        (lambda d: d["bodies"]["upper"]["shape"].pop("type"), "body 'upper': shape: the key 'type' is missing"),
        (lambda d: d["bodies"]["upper"]["shape"].update(type=5), "body 'upper': shape: the type must be a string such as rod"),
        (
            lambda d: d["bodies"]["upper"]["shape"].update(type="rodd"),
            "body 'upper': shape: there is no shape type named 'rodd'. Did you mean",
        ),
        (
            lambda d: d["bodies"]["upper"]["shape"].update(masss=1),
            "body 'upper': shape: there is no key named 'masss'. Did you mean 'mass'?",
        ),
        (lambda d: d["bodies"]["upper"]["shape"].update(mass=-1), "body 'upper': rod: the mass must be a positive finite number"),
        (lambda d: d["bodies"]["upper"]["shape"].update(mass="1"), "body 'upper': mass must be a number, got '1'. Write the number alone"),
        (lambda d: d["bodies"]["upper"].update(coordinates="x"), "body 'upper': there is no kind of coordinates named 'x'"),
        (
            lambda d: d["bodies"]["lower"]["shape"]["parts"][1]["shape"].update(siz=1),
            "body 'lower': shape: part 1: there is no key named 'siz'. Did you mean 'size'?",
        ),
        (lambda d: d["bodies"]["lower"]["shape"]["parts"][1].pop("shape"), "body 'lower': shape: part 1: the key 'shape' is missing"),
        (lambda d: d["frames"]["tip"].update(body="lowr"), "frame 'tip': there is no body named 'lowr'. Did you mean 'lower'?"),
        (lambda d: d["frames"]["tip"].update(at=[0, 0, 0]), "frame 'tip': there is no key named 'at'"),
        (lambda d: d["joints"]["elbow"].update(b="uper"), "joint 'elbow': there is no body or frame named 'uper'. Did you mean 'upper'?"),
        (lambda d: d["joints"]["elbow"].update(axsi="y"), "joint 'elbow': there is no key named 'axsi'. Did you mean 'axis'?"),
        (
            lambda d: d["joints"]["elbow"].update(type="revolut"),
            "joint 'elbow': there is no joint type named 'revolut'. Did you mean 'revolute'?",
        ),
        (lambda d: d["joints"]["elbow"].update(axis=[0, 0, 0]), "joint 'elbow': the axis must not be the zero vector"),
        (lambda d: d["joints"]["elbow"].update(axis=5), "joint 'elbow': axis must be text or a list, got 5"),
        (lambda d: d["joints"]["elbow"].pop("a"), "joint 'elbow': the key 'a' is missing"),
        (lambda d: d["joints"]["elbow"].pop("at_a"), "joint 'elbow': say where it is on 'upper'"),
        (lambda d: d["joints"]["elbow"].update(at=[0, 0, math.nan]), "joints.elbow.at[2]: a number must be finite, got nan"),
        (lambda d: d["forces"]["string"].update(stifness=1), "force 'string': there is no key named 'stifness'. Did you mean 'stiffness'?"),
        (lambda d: d["forces"]["string"].update(joint="elbow"), "force 'string': it acts in joint 'elbow', which says where"),
        (lambda d: d["forces"]["string"].pop("a"), "force 'string': name the body it acts on"),
        (lambda d: d["forces"]["push"].update(force=["sin", 0, 0]), "force 'push': PointForce.force[0] must be a number"),
    ],
)
def test_errors_name_file_component_and_reason(change, message):
    data = example().to_dict()
    change(data)
    with pytest.raises(FileError) as caught:
        files.loads(json.dumps(data), "json", source="robot.json")
    assert str(caught.value).startswith("robot.json: ")
    assert message in str(caught.value)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("text", "format", "message"),
    [
        ("", "yaml", "the key 'bielle' is missing"),
        ("just text", "yaml", "the key 'bielle' is missing"),
        ("[1, 2", "yaml", "it is not YAML"),
        ("{", "json", "it is not JSON: .*line 1, column 2"),
        ("", "json", "it is not JSON"),
        (b"bielle: \xff", "yaml", "not text in UTF-8"),
        (b"\x80\x04\x95\x00.", "json", "not text in UTF-8"),
        ("bielle: 1\nbielle: 1", "yaml", r"the key 'bielle' occurs twice in one dictionary, line 2, column 1"),
        ('{"bielle": 1, "bielle": 1}', "json", "the key 'bielle' occurs twice"),
        ("bielle: 1\nbodies: {a: {}, 'a': {}}", "yaml", "the key 'a' occurs twice"),
        ("bielle: 1\n---\nbielle: 1", "yaml", "a second document begins, line 2"),
        ("bielle: 1\n? [a]\n: b", "yaml", "a key must be a string, not a list"),
        ("bielle: 1\n<<: {name: x}", "yaml", "no key named '<<'"),
        ("bielle: 1\nname: &a x", "yaml", r"anchors \(&\) and aliases \(\*\) are not allowed, line 2, column 7"),
        ("bielle: 1\nname: *a", "yaml", r"anchors \(&\) and aliases"),
        ("bielle: 1\nname: !!str 5", "yaml", "tags such as 'tag:yaml.org,2002:str' are not allowed, line 2"),
        ("bielle: 1\nname: ! 5", "yaml", "tags such as"),
        ("bielle: 1\ngravity: [0, 0, .nan]", "yaml", r"gravity\[2\]: a number must be finite, got nan"),
        ("bielle: 1\ngravity: [0, 0, -.inf]", "yaml", r"gravity\[2\]: a number must be finite, got -inf"),
        ("bielle: 1\ngravity: [0, 0, 1e999]", "yaml", r"gravity\[2\]: a number must be finite, got inf"),
        ('{"bielle": 1, "gravity": [0, 0, NaN]}', "json", r"gravity\[2\]: a number must be finite, got nan"),
        ('{"bielle": 1, "gravity": [0, 0, -Infinity]}', "json", r"gravity\[2\]: a number must be finite, got -inf"),
        ('{"bielle": 1, "gravity": [0, 0, 1e999]}', "json", r"gravity\[2\]: a number must be finite, got inf"),
        (f"bielle: 1\ngravity: [0, 0, {'9' * 5000}]", "yaml", "must be finite"),
        (f'{{"bielle": 1, "gravity": [0, 0, {"9" * 5000}]}}', "json", "must be finite"),
        (f"bielle: 1\ngravity: [0, 0, {'9' * 400}]", "yaml", "gravity must be 3 numbers"),
        (f"bielle: {'9' * 400}", "yaml", "Upgrade bielle"),
        ("bielle: 1\nname: '\x00'", "yaml", "it is not YAML"),
        ('bielle: 1\nname: "\\uD800"', "yaml", "it is not YAML|cannot be written as UTF-8"),
        ('{"bielle": 1, "name": "\\ud800"}', "json", "name: a character of .* cannot be written as UTF-8"),
        ("bielle: 1\nname: {{ x }}", "yaml", "a key must be a string"),
        ("%YAML 9.9\n---\nbielle: 1", "yaml", "it is not YAML"),
    ],
)
def test_bad_text(text, format, message):
    with pytest.raises(FileError, match=message) as caught:
        files.loads(text, format)
    assert len(str(caught.value)) < 600


# -- hostile files


@pytest.mark.parametrize(
    "payload",
    [
        "!!python/object/apply:os.system ['touch {}']",
        "!!python/object/apply:builtins.open ['{}', 'w']",
        "!!python/object/new:type {{args: [z, [], {{}}]}}",
        "!!python/name:os.system",
        "!!python/module:os",
        "!<tag:yaml.org,2002:python/object/apply:pathlib.Path.touch> [{}]",
        "!!binary aGk=",
        "!!set {{a, b}}",
        "!!timestamp 2001-01-01",
    ],
)
@pytest.mark.parametrize(
    "place", ["{0}", "bielle: {0}", "bielle: 1\nbodies: {{a: {0}}}", "bielle: 1\n{0}: x", "bielle: 1\ngravity: [0, {0}, 0]"]
)
def test_nothing_is_executed(tmp_path, payload, place):
    target = tmp_path / "executed"
    path = tmp_path / "model.yaml"
    path.write_text(place.format(payload.format(target)))
    with pytest.raises(FileError, match=r"tags such as|it is not YAML"):
        Mechanism.load(path)
    assert not target.exists()


def test_files_cannot_name_code_to_call():
    data = example().to_dict()
    for function in ("os.system", "lambda t: t", {"type": "callable", "f": "os.system"}, ["os.system"]):
        for force in (
            {"type": "callable_force", "function": function, "a": "tip"},
            {"type": "motor", "target": function, "joint": "elbow"},
        ):
            with pytest.raises(FileError, match="force 'evil'"):
                Mechanism.from_dict(data | {"forces": {"evil": force}})


@pytest.mark.parametrize("loader", ["C", "Python"])
def test_bombs(loader, monkeypatch):
    if loader == "Python":
        monkeypatch.setattr(yaml, "__with_libyaml__", False)
    laughs = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}, *a{i - 1}]\n" for i in range(1, 40))
    for text in (laughs, "bielle: 1\nbodies: &a {b: *a}", "&a [*a]"):
        with pytest.raises(FileError, match="anchors"):
            files.loads(text, "yaml")
    for opening in ("[", "{a: ", "- ", "? ", "{? "):
        with pytest.raises(FileError, match=r"nested more than 64 levels|it is not YAML|a key must be"):
            files.loads(opening * 5000, "yaml")
    assert_same(files.loads(files.dumps(example())), example())


@pytest.mark.parametrize("depth", [65, 1000, 100_000])
def test_deep_nesting(depth):
    for text, format in (
        ("[" * depth + "]" * depth, "json"),
        ('{"a":' * depth + "1" + "}" * depth, "json"),
        ("[" * depth + "]" * depth, "yaml"),
    ):
        with pytest.raises(FileError, match="nested more than 64 levels"):
            files.loads(text, format)


def test_data_that_contains_itself():
    data: dict[str, Any] = {"bielle": 1}
    data["bodies"] = data
    with pytest.raises(FileError, match="nested more than 64 levels"):
        Mechanism.from_dict(data)


def test_data_that_is_not_plain():
    for value in (object(), math.sin, b"bytes", {1, 2}, np.zeros(3), 1j):
        with pytest.raises(FileError, match="expected numbers, strings, lists and dictionaries only"):
            Mechanism.from_dict({"bielle": 1, "gravity": value})
    with pytest.raises(FileError, match="a key must be a string, got 1"):
        Mechanism.from_dict({"bielle": 1, "bodies": {1: {}}})
    with pytest.raises(FileError, match="the key 'bielle' is missing"):
        Mechanism.from_dict([])


def test_long_strings():
    long = "x" * 1_000_000
    for data in (
        {"bielle": 1, "name": "a\n" + long},
        {"bielle": 1, long: {}},
        {"bielle": long},
        {"bielle": 1, "plane": long},
        {"bielle": 1, "gravity": long},
        {"bielle": 1, "bodies": long},
        {"bielle": 1, "bodies": {long: {"shape": {"type": "sphere", "radius": 1, "mass": 1}}}},
        {"bielle": 1, "bodies": {"a": {"shape": {"type": long}}}},
        {"bielle": 1, "joints": {"a": {"type": "revolute", "a": long, "b": "ground"}}},
        {"bielle": 1, "joints": {"a": {"type": "revolute", "axis": long, "a": "ground", "b": "ground"}}},
    ):
        for format in FORMATS:
            with pytest.raises(FileError) as caught:
                files.loads(json.dumps(data), format)
            assert len(str(caught.value)) < 1000


def only_file_errors(action, *arguments) -> None:
    """The action returns or raises a FileError whose reason is an expected one: nothing slips through a net for mistakes of users."""
    try:
        action(*arguments)
    except FileError as error:
        cause = error.__cause__
        while isinstance(cause, FileError) and cause.__cause__ is not None:
            cause = cause.__cause__
        expected = (BielleError, msgspec.ValidationError, json.JSONDecodeError, yaml.YAMLError, UnicodeError)
        assert isinstance(cause, expected), repr(cause)


@QUICK
@given(st.binary(max_size=200), st.sampled_from(FORMATS))
def test_random_bytes(content, format):
    only_file_errors(files.loads, content, format)


@QUICK
@given(st.text(alphabet="{}[]:,-?&*!|>'\"%@` \n\tab01.e#~<\\", max_size=60), st.sampled_from(FORMATS))
def test_random_punctuation(text, format):
    only_file_errors(files.loads, text, format)
    only_file_errors(files.loads, f"bielle: 1\nbodies: {text}", format)


KEYS = ["bielle", "name", "plane", "gravity", "bodies", "frames", "joints", "forces", "type", "shape", "a", "b", "at", "axis"]
words = st.text(max_size=5) | st.sampled_from(["rod", "pin", "revolute", "ground"])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | words


def containers(inner):
    return st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)


structures = st.recursive(scalars, containers, max_leaves=20)


@QUICK
@given(st.dictionaries(st.sampled_from(KEYS), structures, max_size=6))
def test_random_structures(data):
    data = {**data, "bielle": 1}
    only_file_errors(Mechanism.from_dict, data)
    for format in FORMATS:
        only_file_errors(files.loads, json.dumps(data), format)


def places_in(data: Any, path: tuple = ()) -> list[tuple]:
    """Paths of all values below the top."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [p for key, value in items for p in ((*path, key), *places_in(value, (*path, key)))]


JUNK = [None, True, 0, -1, 1e308, -1e308, 5e-324, math.nan, math.inf, 10**400, "", "x", "ground", "z", {}, {"type": "rod"}]
JUNK += [[], [0], [0, 0], [0, 0, 0], [1e308] * 3, [1, 2, 3, 4], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [["x"] * 3] * 3, [[[]]]]
JUNK += [{"type": "table", "x": [0], "y": []}]


def mutate(data: Any, path: tuple, value: Any) -> Any:
    """The same data with another value at the path."""
    if not path:
        return value
    if isinstance(data, dict):
        return {key: mutate(item, path[1:], value) if key == path[0] else item for key, item in data.items()}
    return [mutate(item, path[1:], value) if i == path[0] else item for i, item in enumerate(data)]


def small_documents() -> list[dict[str, Any]]:
    """Every shape, joint and force once, each with as little around it as possible."""
    documents = []
    weights = {"mass": 1.0}
    for plane, dim in ((None, 3), ("xy", 2)):
        a, b = (0.0,) * dim, (1.0,) * dim
        every = [
            rod(a, b, radius=0.1, **weights),
            cylinder(a, b, 0.5, **weights),
            capsule(a, b, 0.5, **weights),
            box(b, centre=a, density=1.0),
        ]
        every += [plate((1, 1), 0.1, **weights), sphere(1, **weights, centre=a), disc(1, thickness=0.1, **weights)]
        every += [extruded([(0, 0), (1, 0), (0, 1)], 0.1, **weights), rigid(1.0, a, 1.0 if dim == 2 else (1, 1, 1), points=[a, b])]
        every += [compound((rod(a, b, **weights), a, 0.5 if dim == 2 else (1, 0, 0, 0)), sphere(1, **weights))]
        for shape in every:
            m = Mechanism(plane=plane)
            m.add_body("a", shape, velocity=a, angular_velocity=1.0 if dim == 2 else a)
            documents.append(m.to_dict())
        m = Mechanism(plane=plane)
        m.add_body("a", sphere(1.0, mass=1.0))
        m.add_frame("f", "a", local=a)
        base = m.to_dict()
        held = {name: {"type": "slider" if plane else "prismatic", "a": "ground", "b": "f", "at_a": list(b)} for name in ("i", "k")}
        for kind in samples(registry.joints, dim):
            if kind.attachment == "joints":
                joints = {"j": {**msgspec.to_builtins(kind), "a": "i", "b": "k"}, **held}
            else:
                joints = {"j": {**msgspec.to_builtins(kind), "a": "ground", "b": "f", "at_a": list(b)}}
            documents.append({**base, "joints": joints})
        for kind in samples(registry.forces, dim):
            documents.append({**base, "forces": {"j": msgspec.to_builtins(kind) | attached(kind, "f", "ground", list(b))}})
    return documents


def test_wrong_values_in_every_field():
    chance = random.Random(1)
    for data in small_documents():
        Mechanism.from_dict(data)
        for path in places_in(data):
            for value in chance.sample(JUNK, 4):
                only_file_errors(Mechanism.from_dict, mutate(data, path, value))


MUTABLE = {format: files.dumps(planar_example(), format) for format in FORMATS}


@QUICK
@given(st.data())
def test_mutated_text(data):
    format = data.draw(st.sampled_from(FORMATS))
    text = MUTABLE[format]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 5))
        text = text[:start] + data.draw(st.text(alphabet="{}[]:,-\n '\"01ea.", max_size=4)) + text[end:]
    only_file_errors(files.loads, text, format)
