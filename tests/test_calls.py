"""Arguments that do not fit: every public function, constructor and method says which, and what was meant."""

import inspect
import pickle
import warnings

import msgspec
import pytest

import bielle as bl
from bielle import examples, validation
from bielle.calls import ExplainedStruct, explained, explained_methods
from bielle.course import Multicorps2D
from bielle.course.interactions import KINDS
from bielle.course.post import Post
from bielle.errors import AccessError, BielleError, CallError, warn
from bielle.gluing.glue import Glue
from bielle.gluing.result import GlueResult, JointRecord
from bielle.live.events import Event
from bielle.live.hand import Hand
from bielle.live.session import LiveSession
from bielle.mechanism.description import Pose, Twist
from bielle.model import watches
from bielle.results.history import ComponentHistory, PointHistory
from bielle.results.quantities import BodyResult, ForceResult, FrameResult, JointResult, PointResult
from bielle.results.table import Table

CALLABLES = [name for name in bl.__all__ if callable(getattr(bl, name))]
VISUALS = ["box", "sphere", "cylinder", "capsule", "mesh"]
CLASSES = [bl.Mechanism, LiveSession, bl.Result, bl.Timeline, Hand, Glue, bl.Part, bl.Remote, bl.Central, bl.Modular, bl.Recursive]
CLASSES += [BodyResult, FrameResult, JointResult, ForceResult, PointResult, Table]
CLASSES += [ComponentHistory, PointHistory, GlueResult, JointRecord, Event, Pose, Twist, validation.Problem]
CLASSES += [Multicorps2D.Model, Multicorps2D.Solid, Multicorps2D.Frame, Post]


def methods(cls):
    """Public methods that do not take whatever they are given."""
    for name, item in inspect.getmembers(cls, callable):
        if not name.startswith("_") and not inspect.isclass(item):
            kinds = {p.kind for p in inspect.signature(item).parameters.values()}
            if inspect.Parameter.VAR_KEYWORD not in kinds:
                yield name


@pytest.mark.parametrize("name", CALLABLES)
def test_public_names_refuse_an_argument_they_do_not_have(name):
    with pytest.raises(CallError, match=r"^\w+\(\) has no argument 'no_such_argument'\. (It takes|Did you mean) ") as caught:
        getattr(bl, name)(no_such_argument=1)
    assert isinstance(caught.value, BielleError)
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("name", VISUALS)
def test_visuals_too(name):
    with pytest.raises(CallError, match=rf"^{name}\(\) has no argument 'no_such_argument'"):
        getattr(bl.visuals, name)(no_such_argument=1)


@pytest.mark.parametrize(("cls", "name"), [(cls, name) for cls in CLASSES for name in methods(cls)])
def test_methods_refuse_an_argument_they_do_not_have(cls, name):
    method = inspect.getattr_static(cls, name)
    bare = method.__func__ if isinstance(method, classmethod | staticmethod) else method
    with pytest.raises(CallError, match=rf"^{bare.__name__}\(\) has no argument 'no_such_argument'"):
        bare(None, no_such_argument=1)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_interactions_of_the_course_refuse_an_argument_they_do_not_have(kind):
    with pytest.raises(CallError, match=rf"^{kind.__name__}\(\) has no argument 'tag_s'. Did you mean 'tag_S'\?$"):
        kind(tag_s="x")


@pytest.mark.parametrize("room", [examples, validation], ids=lambda room: room.__name__)
def test_examples_and_problems_refuse_an_option_they_do_not_have(room):
    for name in room.names():
        build = room.get(name).build
        with pytest.raises(CallError, match=r"^build\(\) has no argument 'no_such_argument'"):
            build(no_such_argument=1)
    with pytest.raises(CallError, match=r"^get\(\) has no argument 'nam'. Did you mean 'name'\?"):
        room.get(nam="four_bar")


def test_options_of_an_example_are_those_of_its_build():
    with pytest.raises(CallError, match=r"^simulate\(\) has no argument 'coordinate'. Did you mean 'coordinates'\?"):
        examples.simulate(examples.get("double_pendulum"), coordinate="planar")


def test_watches_too():
    with pytest.raises(CallError, match=r"DistanceWatch\(\) has no argument 'boddy'. Did you mean 'body'\?"):
        watches.DistanceWatch(boddy="rod")


@explained
def greet(name, greeting="hello", *, loud=False):
    """A function of the tests."""
    return len(name) + len(greeting) + loud


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: greet("a", lod=True), "greet() has no argument 'lod'. Did you mean 'loud'?"),
        (lambda: greet("a", lou=True), "greet() has no argument 'lou'. Did you mean 'loud'?"),
        (lambda: greet("a", x=True), "greet() has no argument 'x'. It takes name, greeting, loud."),
        (lambda: greet(), "greet() needs 'name'. Write greet(name, …)."),
        (lambda: greet("a", "b", "c"), "greet() takes 2 arguments (name, greeting) by position, got 3. Give the others by name: loud=…."),
        (lambda: greet("a", name="b"), "greet() got 'name' twice, by position and by name. Leave out one of them."),
    ],
)
def test_what_is_said(call, message):
    with pytest.raises(CallError) as caught:
        call()
    assert str(caught.value) == message


def test_what_fits_is_left_alone():
    assert greet("ab", loud=True) == 8
    assert greet.__doc__ == "A function of the tests."
    assert list(inspect.signature(greet).parameters) == ["name", "greeting", "loud"]


def test_errors_from_within_stay_what_they_are():
    with pytest.raises(TypeError) as caught:
        greet(5)
    assert not isinstance(caught.value, CallError)
    assert "has no len" in str(caught.value)


def test_a_function_that_hands_arguments_on_knows_those_of_the_other():
    @explained
    def politely(name, bow=1, **options):
        return greet(name, **options)

    with pytest.raises(CallError, match=r"^politely\(\) has no argument 'x'. It takes name, bow, greeting, loud.$"):
        politely("a", x=1)
    with pytest.raises(CallError, match="Did you mean 'bow'"):
        politely("a", bo=1)


def test_classes_and_structs():
    @explained_methods
    class Host:
        def __init__(self, name):
            self.name = name

        @classmethod
        def made(cls, name):
            return cls(name)

    class Guest(msgspec.Struct, metaclass=ExplainedStruct, frozen=True):
        name: str
        age: float = 0.0

    assert Host.made("x").name == "x"
    with pytest.raises(CallError, match=r"Host\(\) has no argument 'nam'. Did you mean 'name'\?"):
        Host(nam="x")
    with pytest.raises(CallError, match=r"made\(\) needs 'name'. Write made\(name\)."):
        Host.made()
    with pytest.raises(CallError, match=r"Guest\(\) needs 'name'. Write Guest\(name, …\)."):
        Guest(age=3.0)
    with pytest.raises(AccessError, match=r"guest 'x' cannot be changed in place. Write m.set\('x', age=…\)."):
        Guest("x").age = 3.0
    assert msgspec.structs.replace(Guest("x"), age=2.0).age == 2.0


def test_the_error_can_be_sent_elsewhere():
    with pytest.raises(CallError) as caught:
        greet()
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_warning_points_to_who_called():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn("mind the gap")
    assert caught[0].filename == __file__


def test_dir_is_complete():
    listed = {name for name in dir(bl) if not name.startswith("_") and not inspect.ismodule(getattr(bl, name))}
    assert listed == {name for name in bl.__all__ if not inspect.ismodule(getattr(bl, name))}
    assert {"Central", "simulate", "load_urdf", "Glue", "Timeline"} <= listed
    assert len(set(bl.__all__)) == len(bl.__all__)


@pytest.mark.parametrize(("name", "meant"), [("Pn", "Pin"), ("spring", "Spring"), ("Rod", "rod"), ("Centrall", "Central")])
def test_a_name_that_bielle_does_not_have(name, meant):
    with pytest.raises(AccessError, match=f"bielle has no '{name}'. Did you mean '{meant}'?"):
        getattr(bl, name)
    assert not hasattr(bl, name)
