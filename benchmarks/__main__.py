"""Run all benchmarks, or those named."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from . import accuracy, course, live, modular, recursive, speed, startup

PARTS = {
    "accuracy": accuracy.accuracy,
    "convergence": accuracy.convergence,
    "singular": accuracy.singular,
    "special": speed.special,
    "fourbar": speed.fourbar,
    "planar": speed.planar,
    "spatial": speed.spatial,
    "scaling": speed.scaling,
    "live": live.live,
    "modular": modular.modular,
    "recursive": recursive.recursive,
    "course": course.course,
    "startup": startup.startup,
}
NEEDS = {"fourbar": ("exudyn",), "planar": ("exudyn",), "spatial": ("exudyn",), "recursive": ("pin", "mujoco")}


def main(names):
    """Run the parts named, in order."""
    unknown = set(names) - set(PARTS)
    if unknown:
        sys.exit(f"Unknown: {', '.join(sorted(unknown))}. Known: {', '.join(PARTS)}.")
    packages = ("bielle", "numpy", "scipy", "numba", "exudyn", "mujoco", "pin")
    print(platform.processor() or platform.machine(), platform.python_version(), *(f"{p} {_version(p)}" for p in packages), sep=" · ")
    for name in names or PARTS:
        missing = [peer for peer in NEEDS.get(name, ()) if _version(peer) == "not installed"]
        if missing:
            print(f"{name}: {', '.join(missing)} not installed; run `make bench` or `pip install {' '.join(missing)}`.")
            continue
        PARTS[name]()


def _version(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


main(sys.argv[1:])
