"""docs/extending.md does what it says: its file is imported, passes the contract tests, and its mechanism turns."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "contract"))

import joint_checks  # noqa: E402
from rig import pairs  # noqa: E402

import bielle as bl  # noqa: E402
from bielle.mechanism import files, registry  # noqa: E402

PAGE = (ROOT / "docs" / "extending.md").read_text()
FILE, USE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(COMMAND,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
assert "constant_velocity" not in registry.joints


def load(path, text):
    """Write and import a file with a kind."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folder(tmp_path):
    """A place for the file; what it registers is forgotten afterwards."""
    known = dict(registry.joints)
    yield tmp_path
    registry.joints.clear()
    registry.joints.update(known)


def test_the_file_passes_the_checks(folder):
    module = load(folder / "constant_velocity.py", FILE)
    for kind in module.ConstantVelocity.samples(3):
        joint_checks.check_joint(kind)


def test_the_command(folder):
    path = folder / "constant_velocity.py"
    path.write_text(FILE)
    command = COMMAND.replace("path/to/constant_velocity.py", str(path)).split()
    assert command[0] == "python"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, *command[1:], "-p", "no:cacheprovider"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) == 2 * (len(joint_checks.PAIRWISE) + 3) + 1  # two samples


@pytest.mark.parametrize("coupling", ["ConstantVelocity", "bl.Universal"])
def test_the_mechanism(folder, coupling, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "constant_velocity", raising=False)
    (folder / "constant_velocity.py").write_text(FILE)
    scope = {}
    exec(USE.replace("ConstantVelocity()", f"{coupling}()"), scope)
    driver, driven, time = scope["driver"], scope["driven"], scope["run"].time
    np.testing.assert_allclose(driver, 6.0 + 4.0 * time, rtol=1e-9)
    if coupling == "ConstantVelocity":
        np.testing.assert_allclose(driven, driver, rtol=1e-7)
    else:
        ratio = driven / driver
        assert ratio.min() == pytest.approx(np.cos(0.7), rel=1e-3)
        assert ratio.max() == pytest.approx(1 / np.cos(0.7), rel=1e-3)


def test_the_kind_is_known_to_files(folder):
    module = load(folder / "constant_velocity.py", FILE)
    m = bl.Mechanism()
    m.add_body("b", bl.box((1.0, 2.0, 3.0), mass=1.0))
    m.add_joint("j", module.ConstantVelocity(axis="x"), "ground", "b", at=(0.0, 0.0, 0.0))
    again = files.loads(files.dumps(m))
    assert again.joints["j"].kind == module.ConstantVelocity(axis="x")


MISTAKES = {  # what is wrong, and the check that says so
    "sign in gamma": ("- xd[d1 + n] * xd[e2 + n]", "+ xd[d1 + n] * xd[e2 + n]", "check_rates", "check_kernel"),
    "forgotten entry of G": ("G[row + e2 + n] = -0.5 * x[d1 + n]", "pass", "check_jacobian", "check_kernel"),
    "wrong phi": ("x[d2 + n] * x[e1 + n] - x[d1", "x[d2 + n] * x[e1 + n] - 0.999 * x[d1", "check_rates", "check_jacobian"),
    "not always written": ("gamma[3] = bias", "if bias > 0.0:\n            gamma[3] = bias", "check_independence"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_checks_notice(folder, mistake):
    right, wrong, *checks = MISTAKES[mistake]
    assert right in FILE
    kind = load(folder / "constant_velocity.py", FILE.replace(right, wrong)).ConstantVelocity()
    for name in checks:
        with pytest.raises(AssertionError):
            for kinds in pairs(kind, 3):
                getattr(joint_checks, name)(kind, 3, kinds)
