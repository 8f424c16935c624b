"""``python -m tests.agreement --count 1000 --seed 1``: so many random mechanisms with every solver, every other one with edits.

Prints how often each method agrees with the reference, says that it does not, refuses, or disagrees in silence; 1 if any does that.
"""

import argparse
from collections import Counter

from .comparison import DISAGREES, SAYS, WORDS, compare

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--count", type=int, default=100, help="mechanisms")
parser.add_argument("--seed", type=int, default=1, help="of the first")
parser.add_argument("--edits", choices=("some", "none", "all"), default="some")
parser.add_argument("--verbose", action="store_true", help="what is said, too")
options = parser.parse_args()
counts, needless, slowest, discarded = Counter(), Counter(), Counter(), Counter()
for seed in range(options.seed, options.seed + options.count):
    outcome = compare(seed, edited={"some": seed % 2 == 1, "none": False, "all": True}[options.edits])
    if outcome.discarded:
        discarded[outcome.discarded.split(":")[0]] += 1
        if options.verbose:
            print(f"seed {seed}: {outcome.discarded}", flush=True)
    for each in outcome.verdicts:
        counts[each.method, each.word] += 1
        needless[each.method] += each.word == SAYS and each.off <= each.promise
        slowest[each.method] = max(slowest[each.method], each.seconds)
        if each.word == DISAGREES or each.seconds > 10.0 or (options.verbose and each.said):
            edits = "; ".join(words for words, _ in outcome.case.edits) if outcome.edited else "no edits"
            print(
                f"{outcome.case}, {outcome.duration:.4g} s, {edits}\n    {each.method}: {each.word}, off {each.off:.1e} "
                f"(promised {each.promise:.1e}), {each.seconds:.2g} s {each.said[:300]}",
                flush=True,
            )
print(f"{options.count} mechanisms, {sum(discarded.values())} not compared: {dict(discarded)}")
print(f"{'method':20}" + "".join(f"{word:>12}" for word in (*WORDS, "needlessly", "slowest [s]")))
for method in dict.fromkeys(method for method, _ in counts):
    figures = [str(counts[method, word]) for word in WORDS] + [str(needless[method]), f"{slowest[method]:.2g}"]
    print(f"{method:20}" + "".join(f"{each:>12}" for each in figures))
raise SystemExit(any(word == DISAGREES for _, word in counts))
