"""Messages that nobody should send: random, malformed, absurd; and quite ordinary ones, so that something happens in between."""

import json
import random
from typing import get_args

from bielle.studio import messages

VERBS = [cls.__struct_config__.tag for cls in get_args(messages.Command)]
FIELDS = sorted({field for cls in get_args(messages.Command) for field in cls.__struct_fields__} - {"id"})
NAMES = [
    "upper",
    "lower",
    "pivot",
    "elbow",
    "ground",
    "nobody",
    "",
    "a" * 300,
    "\u0000",
    "é🙂",
    "../../etc/passwd",
    "fix upper",
    "lock elbow",
]
NUMBERS = [0, 1, -1, 0.5, 1e-300, 1e300, -1e18, 2**53, 2**64, 2**70, 1e-9, 3]
KINDS = ["pin", "slider", "spring", "torque", "motor", "rod", "disc", "sphere", "gear", "zz", "distance", "extrusion", "compound"]
WORDS = {
    "quantity": ["upper.position.y", "elbow.force", "lower.velocity.x", "pivot.angle", "energy.kinetic", "nobody.angle", "upper.z"],
    "than": ["above", "below"],
    "does": ["mark", "pause", "cut", "lock"],
    "once": [True, False],
}
BROKEN = [
    "",
    "{",
    "[]",
    "null",
    '"x"',
    "\u0000",
    "[" * 500,
    '{"do":',
    "nonsense",
    '{"do":"run","do":"pause"}',
    '{"do":1}',
    '{"id":"x","do":"run"}',
]
SLOW = ("branch", "open", "save", "python", "report", "duplicate")  # each takes long by itself: fewer of them


class Hostile:
    """A source of messages, the same for the same seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        """One message."""
        r = self.random
        if r.random() < 0.25:
            return self._broken()
        do = r.choice(VERBS)
        if do in SLOW and r.random() < 0.9:
            do = "set"
        message = {"id": r.choice([r.randrange(10**6), -1]), "do": do}
        if r.random() < 0.6:
            cls = next(cls for cls in get_args(messages.Command) if cls.__struct_config__.tag == do)
            message |= {field: self._fitting(field) for field in cls.__struct_fields__ if field != "id" and r.random() < 0.9}
        else:
            message |= {r.choice(FIELDS): self._value() for _ in range(r.randrange(4))}
        return json.dumps(message)

    def _broken(self):
        r = self.random
        if r.random() < 0.5:
            return r.choice(BROKEN)
        text = self.random.choice(['{"id":1,"do":"set","name":"upper","key":"mass","value":1e999}', '{"id":1,"do":"pull","to":[NaN,0,0]}'])
        cut = r.randrange(len(text))
        return text[:cut] + chr(r.choice([0, 34, 92, 123, 0xFFFD, 0x1F600])) + text[cut + r.randrange(2) :]

    def _fitting(self, field):
        """Something of about the right form."""
        r = self.random
        if field in ("names", "quantities"):
            return [r.choice(NAMES) for _ in range(r.randrange(4))]
        if field in ("at", "at_a", "at_b", "to", "impulse", "value", "position", "offset"):
            return [r.choice(NUMBERS) if r.random() < 0.3 else r.uniform(-2, 2) for _ in range(3)]
        if field in ("kind", "shape"):
            return {"type": r.choice(KINDS)} | {
                r.choice(["radius", "mass", "stiffness", "start", "end", "axis"]): self._value() for _ in range(3)
            }
        if field in ("count", "limit", "factor", "time", "step", "rtol"):
            return min(r.choice(NUMBERS), 20) if field == "count" else r.choice([*NUMBERS, 0.01, 1.0])
        if field in WORDS:
            return r.choice(WORDS[field])
        return r.choice(NAMES) if r.random() < 0.8 else self._value()

    def _value(self, depth=0):
        r = self.random
        if depth < 3 and r.random() < 0.3:
            return [self._value(depth + 1) for _ in range(r.randrange(5))]
        if depth < 3 and r.random() < 0.2:
            return {r.choice(NAMES + KINDS): self._value(depth + 1) for _ in range(r.randrange(3))}
        return r.choice([None, True, False, "NaN", r.choice(NUMBERS), r.choice(NAMES), r.choice(KINDS)])
