"""Use of the studio for minutes on end, at random: ``python -m tests.studio_server.soak --minutes 30``.

Edits, grabs, undos, opens, looks, reconnects; by two pages, one of which comes and goes. It fails if the studio has a fault, or if the
process grows by more than 10 % after the first minute.
"""

import argparse
import random
import sys
import tempfile
import time as clock
from pathlib import Path

from bielle.studio import opening, server
from bielle.studio.folder import Folder
from bielle.studio.opening import Studio, session_of

from .page import joined
from .test_hostile import resident

EXAMPLES = ("double_pendulum", "four_bar", "slider_crank", "suspension", "robot_arm", "spatial_double_pendulum")
WARM = 60.0  # [s] until what is cached is cached
GROWTH = 0.10


class Use:
    """Somebody who does not know what they want."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.done = {}
        self.refused = {}
        self.faults = []

    def ask(self, page, do, **fields):
        """Ask, and count what comes of it; what the engine refuses is no fault."""
        got = page.answer(do=do, **fields)
        self.done[do] = self.done.get(do, 0) + 1
        if got["error"]:
            self.refused[do] = self.refused.get(do, 0) + 1
            if "fault" in got["error"]:
                self.faults.append((do, fields, got["error"]))
        return got["data"]

    def act(self, page):
        """One thing."""
        r, scene = self.random, page.scene
        bodies, joints = [b["name"] for b in scene["bodies"]], [j["name"] for j in scene["joints"]]
        point = [r.uniform(-1, 1), r.uniform(-1, 1), 0.0]
        what = r.choice(
            ["run", "pause", "step", "edit", "edit", "build", "hand", "undo", "undo", "redo", "look", "ask", "ask", "file", "time"]
        )
        if what in ("run", "pause", "step", "undo", "redo"):
            self.ask(page, what, **({"count": r.randrange(1, 20)} if what == "step" else {}))
        elif what == "edit" and bodies:
            self._edit(page, r.choice(bodies), r.choice(joints) if joints else None)
        elif what == "build" and len(bodies) < 25:
            new = self.ask(page, "add_body", shape={"type": "rod", "start": [0, 0, 0], "end": point, "mass": 1.0, "radius": 0.01})
            if new and bodies:
                kind = {"type": "pin" if scene["planar"] else "spherical"}
                self.ask(page, "add_joint", kind=kind, a=r.choice([*bodies, "ground"]), b=new["name"], at=point)
        elif what == "hand" and bodies:
            self.ask(page, "grab", body=r.choice(bodies), at=point)
            for _ in range(r.randrange(20)):
                self.ask(page, "pull", to=[point[0] + r.uniform(-0.2, 0.2), point[1], 0.0])
            self.ask(page, "release")
        elif what == "look":
            self.ask(page, "look", time=r.uniform(0, 1))
            self.ask(page, "look")
        elif what == "ask":
            self._question(page, r.choice([*bodies, *joints, ""]))
        elif what == "file" and r.random() < 0.3:
            self._file(page)
        elif what == "time" and r.random() < 0.3:
            do = r.choice(["reset", "branch"])
            self.ask(page, do, **({"time": r.uniform(0, 0.5)} if do == "branch" else {}))

    def _edit(self, page, body, joint):
        r = self.random
        choice = r.randrange(10)
        if choice == 0:
            self.ask(page, "set", name=body, key="mass", value=r.uniform(0.5, 3))
        elif choice == 1:
            self.ask(page, "gravity", value=[0, -r.uniform(0, 10), 0])
        elif choice == 2:
            self.ask(page, "duplicate", names=[body])
        elif choice == 3:
            self.ask(page, "rename", name=body, new=f"body {r.randrange(1000)}")
        elif choice == 4:
            self.ask(page, "push", body=body, impulse=[r.uniform(-1, 1), 0, 0])
        elif choice == 5:
            self.ask(page, "remove", names=[body])
        elif joint is not None:
            do = r.choice(["cut", "lock", "unlock"])
            self.ask(page, do, names=[joint])
            if r.random() < 0.3:
                self.ask(page, "breaks", name=joint, limit=r.uniform(1, 100))

    def _question(self, page, name):
        quantities = self.ask(page, "quantities", name=name) or []
        self.ask(page, "plot", quantities=[q["quantity"] for q in quantities[:4]])
        self.ask(page, "arrows", names=[name])
        self.ask(page, "properties", name=name)
        self.ask(page, self.random.choice(["report", "python", "files"]))

    def _file(self, page):
        r = self.random
        name = r.choice(["a.yaml", "b.session"])
        if r.random() < 0.5:
            self.ask(page, "save", file=name, replace=True)
        self.ask(page, "open", **({"file": name} if r.random() < 0.3 else {"example": r.choice(EXAMPLES)}))


def soak(minutes, seed, tell=print):
    """Returns faults, and resident bytes after the first minute and every minute since."""
    use, sizes = Use(seed), []
    with tempfile.TemporaryDirectory() as place:
        static, models = Path(place) / "static", Path(place) / "models"
        for path in (static, models):
            path.mkdir()
        (static / "index.html").write_text("<title>studio</title>")
        opening.STATIC = server.STATIC = static
        studio = Studio(session_of("double_pendulum", Folder(models))[0], Folder(models))
        studio.open(None)
        began, due = clock.monotonic(), WARM
        notices = []
        try:
            with joined(studio) as page:
                while (passed := clock.monotonic() - began) < 60 * minutes:
                    with joined(studio) as other:
                        for _ in range(40):
                            use.act(page)
                            other.ask("files")
                        notices += other.notices
                    if passed > due:
                        due += 60.0
                        sizes.append(resident())
                        tell(f"{passed / 60:.1f} min, {sum(use.done.values())} commands, {sizes[-1] / 1e6:.0f} MB")
                    use.ask(page, "open", example=use.random.choice(EXAMPLES))
                notices += page.notices
        finally:
            studio.close()
    use.faults += [("notice", {}, n["text"]) for n in notices if "fault" in n["text"]]
    tell(f"done {use.done}\nrefused {use.refused}")
    return use.faults, sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    faults, sizes = soak(options.minutes, options.seed)
    for fault in faults:
        print("fault:", *fault)
    growth = max(sizes) / sizes[0] - 1 if sizes else 0.0
    print(f"{len(faults)} faults; memory has grown by {100 * growth:.1f} % since the first minute")
    return 1 if faults or growth > GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
