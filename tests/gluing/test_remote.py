"""Components in other processes: the same numbers as in this one, and no process is waited for in vain or left behind."""

import gc
import os
import subprocess
import sys
import time as clock
from pathlib import Path

import numpy as np
import pytest

import bielle as bl
from bielle.errors import ComponentError, DescriptionError
from bielle.gluing import messages, process
from bielle.gluing.serving import answer

from .models import G, Mass, pendulum

FOREIGN = str(Path(__file__).parent / "foreign.py")
SINCE = 0.35  # [s] from when on faults show

SCRIPT = """
import sys
import bielle as bl
from bielle.examples import double_pendulum
from bielle.gluing import serve

m = double_pendulum.build()
m.remove("elbow"); m.remove("pivot"); m.remove("upper")
part = bl.Part(m, {"elbow": ("lower", (1.0, 0.0)), "tip": ("lower", (1.0, -1.0))})
print("this goes elsewhere")
serve(part)
part.result().save(sys.argv[1])
"""


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A process that is about to end may take its time: the machine may be busy."""
    monkeypatch.setattr(process, "PATIENCE", 250.0)


class Impatient(bl.Remote):
    """Waits for half a second, but only for what never comes; for other answers as long as they take."""

    def ask(self, time, step, inputs):
        self.timeout = 0.5 if time >= SINCE else 250.0
        super().ask(time, step, inputs)


def foreign(fault="", kind=bl.Remote, **options):
    return kind([sys.executable, FOREIGN, fault, str(SINCE)], **({"timeout": 250.0, "startup": 250.0} | options))


def pair(remote, **options):
    glue = bl.Glue(0.1, **options)
    glue.add("here", Mass(1.0, (0.0, 0.0), gravity=(0.0, 0.0)))
    glue.add("there", remote)
    glue.join("j", ("here", "centre"), ("there", "centre"))
    return glue


def test_a_part_elsewhere_moves_as_one_here_and_keeps_its_result(tmp_path, capfd):
    (tmp_path / "right.py").write_text(SCRIPT)
    here = pendulum(step=0.02, extra={"right": {"tip": ("lower", (1.0, -1.0))}}).simulate(0.4)
    with bl.Glue(0.02) as glue:
        glue.add("left", pendulum(step=0.02)._members["left"].component)
        remote = bl.Remote([sys.executable, str(tmp_path / "right.py"), str(tmp_path / "right.npz")])
        glue.add("right", remote)
        glue.join("elbow", ("left", "elbow"), ("right", "elbow"))
        there = glue.simulate(0.4)
    assert not remote.running
    for name in ("position", "velocity", "force"):
        assert (getattr(there.port("right", "tip"), name) == getattr(here.port("right", "tip"), name)).all()
    assert (there["elbow"].force() == here["elbow"].force()).all()
    kept = bl.load_result(tmp_path / "right.npz")
    assert (kept["lower"].position == here["right"]["lower"].position).all()
    assert "this goes elsewhere" in capfd.readouterr().err
    with pytest.raises(DescriptionError, match="component 'right' shows no more than its ports"):
        there["right"]


def test_a_program_that_knows_nothing_of_bielle(capfd):
    with pair(foreign()) as glue:
        run = glue.simulate(1.0)
    # it has weight, and pulls the other one along
    assert run["j"].position[:, 1] == pytest.approx(-0.25 * G * run.time**2, abs=1e-8)
    assert "not meant for anybody" in capfd.readouterr().err


FAULTS = {
    "hang": "component 'there': it did not advance within 0.5 s, and its process was ended. Find out what it waits for, or give it more",
    "hang with a child": "it did not advance within 0.5 s, and its process was ended",
    "exit": "component 'there': its process ended with exit code 3 when it was to advance. Mend its script. The last it wrote: the licence",
    "crash": "its process ended with signal SIGABRT when it was to advance",
    "garbage": "component 'there': its process sent what is no message: a message must not be longer than 16777216 bytes, got",
    "malformed": "its process sent what is no message: Expected `object`, got `array` - at `$.blocks`, and was ended. Let its script call",
    "number": "its process answered what was not asked, Blocks(number=",
    "nan": "component 'there': its advance must return 2 × 2 numbers for port 'centre', position and velocity at the end of the step, got",
    "failed": "component 'there': the mesh is tangled. Untangle it. (in the step from t = 0.4 s)",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_goes_wrong_there_is_named_and_nothing_is_left_behind(fault):
    remote = foreign(fault, Impatient if fault.startswith("hang") else bl.Remote)
    with pytest.raises(ComponentError) as error:
        pair(remote).simulate(1.0)
    assert FAULTS[fault] in str(error.value)
    assert "(in the step from t = 0.4 s)" in str(error.value) or "in the step from t = 0.4 s." in str(error.value)
    assert error.value.component == "there"
    assert not remote.running
    run = error.value.result
    assert run.time[-1] == pytest.approx(0.4)
    assert run["j"].position[:, 1] == pytest.approx(-0.25 * G * run.time**2, abs=1e-8)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("silent", "it did not say what it is within 0.5 s, and its process was ended"),
        ("flood", "it did not say what it is within 0.5 s, and its process was ended"),
        ("mute", "its process ended with exit code 0 when it was to say what it is. Mend its script."),
        ("version", "its process began with Hello(version=2, accepts='force', ports={'centre': 2}) instead of a Hello of version 1"),
    ],
)
def test_processes_that_do_not_begin_as_they_should(fault, message):
    with pytest.raises(ComponentError) as error:
        foreign(fault, startup=0.5 if fault in ("silent", "flood") else 250.0)
    assert message in str(error.value)


def test_what_is_printed_before_the_mark_is_passed_on_however_it_arrives(capfd):
    script = f"import os; os.write(1, b'x' * 200_000 + b'almost: \\nbielle'); exec(open({FOREIGN!r}).read())"
    with bl.Remote([sys.executable, "-c", script]) as remote:
        assert remote.ports == {"centre": 2}
    told = capfd.readouterr().err
    assert "xxx" in told
    assert "almost: \nbielle" in told
    assert len(told) < 100_000  # the end of it


def test_commands_that_start_nothing():
    with pytest.raises(ComponentError, match="its process cannot be started by .*no such program.*: .*No such file.*Correct the command"):
        bl.Remote(["no such program"])
    for command in ("right.py", [], [3]):
        with pytest.raises(DescriptionError, match="must be a list of strings, got"):
            bl.Remote(command)  # type: ignore[arg-type]
    with pytest.raises(DescriptionError, match="the timeout of a Remote must be positive"):
        bl.Remote([sys.executable], timeout=0.0)


def test_a_closed_one_says_so():
    with foreign() as remote:
        assert remote.motion() == {"centre": [[0.0, 0.0], [0.0, 0.0]]}
    for call in (remote.motion, remote.save):
        with pytest.raises(ComponentError, match="it is closed, and its process has ended. Make a new Remote."):
            call()


def test_a_forgotten_one_is_ended():
    remote = foreign()
    child = remote._process._child
    assert child.poll() is None
    del remote
    gc.collect()
    assert child.poll() == 0


def test_one_whose_asker_dies_ends_by_itself():
    code = (
        f"import bielle as bl, os, sys; r = bl.Remote([sys.executable, {FOREIGN!r}]); print(r._process._child.pid, flush=True); os._exit(1)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    pid = int(ran.stdout)
    for _ in range(5000):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            return  # it has ended, and nobody has asked how
        clock.sleep(0.05)
    pytest.fail(f"process {pid} is still there")


def test_pause_outlives_a_failure_there_that_is_told():
    """It has said why it cannot, and is still there: with a smaller step, say, one may go on."""
    with pair(foreign("failed"), on_failure="pause") as glue:
        run = glue.simulate(1.0)
        assert (run.status, glue.time) == ("paused", pytest.approx(0.4))
        assert "the mesh is tangled" in str(run.failure)
        assert glue.resume().status == "paused"


def test_continue_without_one_that_hangs():
    run = pair(foreign("hang", Impatient), on_failure="continue").simulate(1.0)
    (lost,) = run.dropped
    assert (lost.component, lost.joints) == ("there", ("j",))
    assert "did not advance within 0.5 s" in lost.reason
    # what is here goes on as it went, without weight
    assert run.port("here", "centre").position[-1, 1] == pytest.approx(-0.25 * G * 0.4**2 - 0.5 * G * 0.4 * 0.6, abs=1e-8)


def test_answers_that_nobody_waits_for_any_more_are_passed_over():
    """As after Ctrl-C in the middle of a step."""
    with foreign() as remote:
        remote.save()
        remote.ask(0.0, 0.1, {"centre": np.zeros((2, 2))})
        remote.restore(None)
        assert remote.advance(0.0, 0.2, {"centre": np.zeros((2, 2))})["centre"][1] == pytest.approx([0.0, -0.2 * G])


# -- the other side


def said(component, asked, saved=None):
    return answer(component, messages.request(messages.frame(asked)[4:]), [saved])


def test_what_a_served_component_answers():
    mass = Mass(1.0, (0.0, 0.0))
    assert said(mass, messages.Motion(1)) == messages.Blocks(1, {"centre": [[0.0, 0.0], [0.0, 0.0]]})
    assert said(mass, messages.Save(2)) == messages.Blocks(2, {})
    assert said(mass, messages.Restore(3), mass.save()) == messages.Blocks(3, {})
    moved = said(mass, messages.Advance(4, 0.0, 0.1, {"centre": [[1.0, 0.0], [1.0, 0.0]]}))
    assert moved.blocks["centre"][1] == pytest.approx([0.1, -0.1 * G])


def test_what_it_answers_if_it_cannot():
    mass = Mass(1.0, (0.0, 0.0))
    assert (
        said(mass, messages.Restore(1)).reason
        == "its restore raised TypeError: cannot unpack non-iterable NoneType object. Mend the component."
    )
    assert said(mass, messages.Advance(2, 0.0, 0.1, {})).reason == "its advance raised KeyError: 'centre'. Mend the component."
    mass.motion = lambda: "nowhere"
    assert (
        said(mass, messages.Motion(3)).reason
        == "its motion must return a dictionary of numbers by port, got 'nowhere'. Mend the component."
    )


def test_frames_are_bounded():
    with pytest.raises(ValueError, match="must not be longer"):
        messages.take_frame(bytearray(b"\xff\xff\xff\xff"))
    buffer = bytearray(messages.frame(messages.End()) + b"\x05\x00")
    assert messages.request(messages.take_frame(buffer) or b"") == messages.End()
    assert messages.take_frame(buffer) is None
