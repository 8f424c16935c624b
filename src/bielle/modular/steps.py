"""Steps in which every component advances itself: kick, drift, kick.

    v½  = v + h/2 a,        M a = f(q, v) + Jᵀλ
    q⁺  = q ⊕ h v½
    v⁺  = v½ + h/2 a⁺,      M a⁺ = f(q⁺, v½ + h/2 a) + J⁺ᵀλ⁺

Inside components, and everywhere if joints are iterated, λ lets φ(q⁺) vanish and λ⁺ lets φ̇(q⁺, v⁺) vanish: RATTLE (Andersen 1983), on a
group RATTLie (Hante & Arnold 2021). It is of second order, and without velocity-dependent forces symmetric in time, so that energy does not
drift. Gaps are closed by a Newton-like iteration along Jᵀ of the start of the step, from the λ that solves J a = −γ.

Explicit joints instead have λ = −(s φ + d φ̇) (T6), with s and d as large as :mod:`bielle.modular.criterion` allows.
"""

import math

import numpy as np

from ..integrators.steps import accepted, record, stopped_by_watch
from ..kernels import slots
from ..kernels.lazy import entry, helper, once
from ..kernels.plan import (
    G_AGAIN,
    G_ROUGH,
    G_SOFT,
    G_TURNED,
    K_ANSWER,
    K_ARRIVE,
    K_BEGIN,
    K_BOOK,
    K_CORRECT,
    K_FINER,
    K_HAND_DOWN,
    K_ITERATE,
    K_JOIN,
    K_JUDGE,
    K_JUDGE_WORK,
    K_LEAVE,
    K_LOOK,
    K_MEASURE,
    K_MOVE,
    K_NOTE_POWER,
    K_NOTE_WORK,
    K_PART,
    K_PERTURB,
    K_PUSH,
    K_REJOIN,
    K_RENEW,
    K_RESTORE,
    K_SEE,
    K_TAKE,
    K_TURN_ALL,
    K_WANT,
    LINE,
    M_FIRST,
    P_EXPLICIT,
    P_FINER,
    P_METHOD,
    P_N_INSIDE,
    P_N_LOOSE,
    X_LIMIT,
)
from ..kernels.pointers import at, call, clear, copy
from . import energy, handing, judging, loops, phases, pieces, seeing
from .loops import RELAX
from .phases import AFRESH, ANEW, ARRIVED, AT_END, AT_START, BACK, FARTHER, FORTH, GAPS, GAPS_ANEW, ON_THE_WAY, RATES
from .plan import Plan
from .shares import largest_gap, plan_of, run_share, share_of, told_by_any
from .team import barrier

SHORTEST = 2.0**-12  # of a step: parts that are not divided further
TORN = 1e3  # tolerances: gaps that the shortest parts must not leave, because then there is no position that closes them
SLOW = 0.3  # of the gap before: if less than the rest is closed by a pass, the direction is wrong


@helper
def _do(ctx, plan, kernel, t, how):
    """A phase of share t."""
    call(plan.kernel[kernel], ctx, t, how)


@once
def _do_all(ctx, plan, kernel, how):
    """A phase of all shares, by one thread."""
    for t in range(plan.threads):
        _do(ctx, plan, kernel, t, how)


@helper
def _sees(plan):
    """Whether the masses that joints see matter."""
    return plan.n_loose > 0 and (plan.explicit == 1 or plan.method == RELAX)


@helper
def _springs(plan):
    """Whether there are joints that act as springs."""
    return plan.n_loose > 0 and plan.explicit == 1


@helper
def _iterates(plan):
    """Whether there are joints whose forces are iterated."""
    return plan.n_loose > 0 and plan.explicit == 0


@helper
def _closes(plan):
    """Whether there are joints whose gaps are closed."""
    return plan.n_inside > 0 or _iterates(plan)


@entry
def accelerate(ctx, unused, unused_too):
    """Accelerations and multipliers at the present state, by one thread for all shares."""
    plan = plan_of(ctx)
    for kernel, how in ((K_MOVE, 0), (K_LOOK, 0), (K_JOIN, AFRESH), (K_WANT, AT_START), (K_RENEW, 1)):
        _do_all(ctx, plan, kernel, how)
    if _sees(plan) and plan.has_seen == 0:
        _do_all(ctx, plan, K_TURN_ALL, 0)
        for stage in range(3):
            _do_all(ctx, plan, K_SEE, stage)
        plan.has_seen = 1
    if _springs(plan):
        _do_all(ctx, plan, K_PUSH, 0)
    _do_all(ctx, plan, K_ANSWER, 0)
    if _iterates(plan):
        _do(ctx, plan, K_ITERATE, 0, 0)
    _do_all(ctx, plan, K_TAKE, 0)


@entry
def steps(ctx, n_steps, t):
    """Advance ``n_steps`` fixed steps, as thread t of the team; samples every ``count[N_EVERY]`` steps, at the start of the step.

    A step that is too long for what happens in it is taken in parts; ``scalar[S_NEXT_STEP]`` is how long they are at present.
    """
    plan = plan_of(ctx)
    count, status, scalar, number = ctx.count, ctx.status, ctx.scalar, plan.number
    h, start = scalar.step, scalar.time0
    barrier(plan)  # the first thread writes the length of a part there
    renewed = 1  # the matrices are not known to be those of the present position
    for _ in range(n_steps):
        done = status.steps
        past, begun = 0.0, False
        while past < h:
            part = scalar.next_step if scalar.next_step > 0.0 else h
            if number.longest > 0.0:
                part = min(part, number.longest)
            if past + part > (1.0 - 1e-9) * h:
                part = h - past
            if t == 0:
                scalar.time, scalar.step = start + done * h + past, part
                number.end, number.whole = start + done * h + past + part, h
            _do(ctx, plan, K_BEGIN, t, renewed + (2 if done == 0 and past == 0.0 else 0))
            if not begun and (done % count.every == 0 or status.watching != 0):
                if t == 0 and not stopped_by_watch(ctx) and done % count.every == 0:
                    record(ctx)
                barrier(plan)
                if status.code != slots.CODE_OK:
                    scalar.step = h
                    return
            begun = True
            _do(ctx, plan, K_PART, t, 0)
            # stiffness depends on velocities, too: what was seen before the kick ended is not what a run that starts here would see
            renewed = 1 if told_by_any(plan, G_AGAIN) or plan[P_FINER] != 0 or plan.n_implicit > 0 else 0
            if not told_by_any(plan, G_AGAIN):
                past = h if past + part > (1.0 - 1e-9) * h else past + part
            if status.code != slots.CODE_OK:
                past = h
        if t == 0:
            scalar.step, status.steps = h, done + 1
            if status.code == slots.CODE_OK and told_by_any(plan, G_SOFT):
                status.code = slots.CODE_SOFT
        barrier(plan)
        if status.code != slots.CODE_OK:
            return


@entry
def finer(ctx, t, rehearsal):
    """Take the steps of the level above while this one takes one; by one thread. Then what it has advanced comes back to this level.

    ``rehearsal``: what it does is not booked, because it will be done again.
    """
    plan, routine, scalar = plan_of(ctx), ctx.routine, ctx.scalar
    above = plan.finer
    above.rehearses = 1 if rehearsal == 1 or plan.rehearses == 1 else 0
    _do(ctx, plan, K_HAND_DOWN, 0, 0)
    h, end, n = scalar.step, scalar.time, plan.parts
    routine.plan = plan[P_FINER]
    scalar.step = h / n
    for i in range(n):
        scalar.time = end - (n - i) * (h / n)
        above.number.end = end - (n - i - 1) * (h / n)
        _do(ctx, above, K_BEGIN, 0, 1 if i == 0 or above[P_FINER] != 0 else 0)
        _do(ctx, above, K_PART, 0, 0)
    routine.plan = plan.self
    scalar.step, scalar.time = h, end
    _do(ctx, plan, K_REJOIN, 0, 0)


@entry
def part(ctx, t, unused):
    """A step, or a part of one, from accelerations at hand to the time P_END; tells G_AGAIN if it was too long and is to be taken again."""
    plan = plan_of(ctx)
    count, kept, number = ctx.count, plan.kept, plan.number
    nq, nv, nc = count.q, count.v, count.c
    if t == 0:
        ctx.status.evaluations += 1
        _do(ctx, plan, K_NOTE_POWER, 0, 0)
        copy(nc, ctx.lam, at(kept, nq + nv))
    barrier(plan)
    _do(ctx, plan, K_LEAVE, t, 0)
    if t == 0:
        ctx.scalar.time = number.end
    if plan[P_FINER] != 0:
        # Forces of this level's joints at the start of the step feel the level above at that very moment. What closes gaps at the end of
        # a first attempt makes them what they are on average
        _do(ctx, plan, K_FINER, 0, 1)
        _close_gaps(ctx, plan, t)
        _do(ctx, plan, K_RESTORE, 0, 0)
        _do(ctx, plan, K_FINER, 0, 0)
    unclosed = _close_gaps(ctx, plan, t)
    works = _closes(plan) and plan[P_FINER] == 0  # what joints between levels do is not told by the steps of one
    if works:
        _do(ctx, plan, K_NOTE_WORK, t, 0)
        barrier(plan)
    _arrive(ctx, plan, t)
    if plan.level > 0:
        if plan.rehearses == 0:
            _do(ctx, plan, K_BOOK, 0, 0)
            plan.account.unclosed += 1 if unclosed else 0
            run_share(ctx, plan, share_of(plan, t), M_FIRST)
        return
    _do(ctx, plan, K_JUDGE, t, 0 if _springs(plan) else 1)
    barrier(plan)
    if works:
        _do(ctx, plan, K_JUDGE_WORK, t, 0)
        barrier(plan)
        if t == 0:
            _do(ctx, plan, K_JUDGE_WORK, t, 1)
        barrier(plan)
    again, torn = _too_long(ctx, plan, unclosed, number.whole), largest_gap(plan)
    plan.gaps[LINE * t + G_AGAIN] = 1.0 if again else 0.0
    barrier(plan)
    if t == 0:
        _choose_part(ctx, plan, again, number.whole)
        if again:
            copy(nq, kept, ctx.q)
            copy(nv, at(kept, nq), ctx.v)
            copy(nc, at(kept, nq + nv), ctx.lam)
            plan.account.divided += 1
        elif unclosed and torn < math.inf and torn > TORN * number.tolerance:
            ctx.status.code = slots.CODE_STEP_COLLAPSED
        else:
            _do(ctx, plan, K_BOOK, 0, 0)
            plan.account.unclosed += 1 if unclosed else 0
            if ctx.routine.tidy != 0:
                call(ctx.routine.tidy, ctx, 0, 0)
            accepted(ctx, 0)
    barrier(plan)


@helper
def _too_long(ctx, plan, unclosed, h):
    """Whether gaps could not be closed, velocities changed abruptly, or the perturbation of the paper (24) is too large."""
    number = plan.number
    if ctx.scalar.step <= SHORTEST * h:
        return False
    return unclosed or told_by_any(plan, G_ROUGH) or (number.limit > 0.0 and number.perturbation > number.limit)


@helper
def _choose_part(ctx, plan, again, h):
    """The paper (24): half the step if it was too long, 3/2 of it if it was short enough, at most a whole step."""
    scalar, number = ctx.scalar, plan.number
    part = scalar.next_step
    if again:
        scalar.next_step = 0.5 * scalar.step
    elif part > 0.0 and (number.limit == 0.0 or number.perturbation <= 0.1 * number.limit):
        scalar.next_step = 1.5 * part if 1.5 * part < h else 0.0


@entry
def begin(ctx, t, how):
    """Accelerations and multipliers at the start of a step; how 0: the matrices are those of the end of the last one, 2, 3: masses are
    to be seen."""
    plan = plan_of(ctx)
    jacobian, first = how % 2, how // 2
    _do(ctx, plan, K_MOVE, t, 0)
    barrier(plan)
    _do(ctx, plan, K_LOOK, t, 0)
    _do(ctx, plan, K_JOIN, t, AFRESH if jacobian == 1 else RATES)
    _do(ctx, plan, K_WANT, t, AT_START)
    if jacobian == 1:
        barrier(plan)
        _do(ctx, plan, K_RENEW, t, 1)
        if first == 1 and _sees(plan):
            _do(ctx, plan, K_TURN_ALL, t, 0)
            _see(ctx, plan, t)
    if _springs(plan):
        _do(ctx, plan, K_PUSH, t, 0)
    barrier(plan)
    _solve(ctx, plan, t, 0)
    _do(ctx, plan, K_TAKE, t, 0)
    barrier(plan)


@once
def _see(ctx, plan, t):
    """How stiff joints may be, at a new position."""
    if _sees(plan):
        barrier(plan)
        _do(ctx, plan, K_SEE, t, 0)
        barrier(plan)
        _do(ctx, plan, K_SEE, t, 1)
        barrier(plan)
        _do(ctx, plan, K_SEE, t, 2)
        barrier(plan)
        plan.has_seen = 1


@once
def _solve(ctx, plan, t, how):
    """Let components answer (:func:`~bielle.modular.phases.answer`); the first thread iterates the loose joints while the others wait."""
    _do(ctx, plan, K_ANSWER, t, how)
    if _iterates(plan):
        barrier(plan)
        if t == 0:
            _do(ctx, plan, K_ITERATE, t, how % 2)
        barrier(plan)


@once
def _close_gaps(ctx, plan, t):
    """Move q⁺ and v½ along M⁻¹Jᵀ of the start of the step until φ(q⁺) vanishes; kernels of joints are left evaluated at q⁺.

    In a step across a singular position J changes too much for that. A pass that has opened gaps is taken back, and J is taken anew, at
    every place that is come to. All that v½ is changed by from then on is X = M⁻¹Jᵀc with J X = J X_before − φ/h: the shortest way, in
    the metric of the mass, to where φ vanishes. Parts of it along J of places that nobody comes to would take energy. Where links turn by
    so much in a step that gaps do not close fast that way, further passes go from place to place after all.

    λ becomes what acted on leaving: of inside joints, and of loose ones if they are iterated. Returns whether something is left open.
    """
    tolerance, account = plan.number.tolerance, plan.account
    lam, base, nc = ctx.lam, plan.base, ctx.count.c
    passes, before, how = 0, 0.0, FORTH
    while True:
        _do(ctx, plan, K_MOVE, t, 0)
        barrier(plan)
        _do(ctx, plan, K_LOOK, t, 0)
        if not _closes(plan):
            return False
        _do(ctx, plan, K_MEASURE, t, 0)
        if t == 0:
            ctx.status.evaluations += 1
            clear(nc, plan.more)
        barrier(plan)
        if t == 0 and passes == 0 and plan.number.limit > 0.0:
            _do(ctx, plan, K_PERTURB, 0, 0)
        gap = largest_gap(plan)
        if gap <= tolerance or passes >= plan.passes or not math.isfinite(gap):
            break
        slow = passes > 0 and gap > SLOW * before
        if slow and how == FORTH and gap > before:
            how = BACK
            if t == 0:
                copy(nc, base, lam)
            _do(ctx, plan, K_CORRECT, t, BACK)
            continue
        if how == ANEW and slow:
            how = FARTHER
        if t == 0 and how != FARTHER:
            copy(nc, base if how == ANEW else lam, lam if how == ANEW else base)
            if how != ANEW:
                clear(ctx.count.v, plan.moved)
        if slow or how == BACK:
            how = FARTHER if how == FARTHER else ANEW
            _do(ctx, plan, K_JOIN, t, ON_THE_WAY)
            barrier(plan)
            _do(ctx, plan, K_RENEW, t, 0)
        _do(ctx, plan, K_WANT, t, GAPS_ANEW if how == ANEW else GAPS)
        barrier(plan)
        before = gap
        _solve(ctx, plan, t, 1)
        _do(ctx, plan, K_TAKE, t, 2)
        if t == 0 and _iterates(plan):
            _add_loose(ctx, plan)
        _do(ctx, plan, K_CORRECT, t, how)
        passes += 1
    if t == 0:
        account.passes += passes
        account.most_passes = max(account.most_passes, passes)
    return not gap <= tolerance


@once
def _add_loose(ctx, plan):
    """λ += 2/h · P_MORE in the rows of loose joints."""
    loose, joint_c, lam, more = plan.loose, ctx.joint_c, ctx.lam, plan.more
    scale = 2.0 / ctx.scalar.step
    for n in range(plan.n_loose):
        for c in range(joint_c[loose[n]], joint_c[loose[n] + 1]):
            lam[c] += scale * more[c]


@once
def _arrive(ctx, plan, t):
    """The second half of the kick, at q⁺."""
    _do(ctx, plan, K_JOIN, t, ARRIVED)
    _do(ctx, plan, K_WANT, t, AT_END)
    if t == 0:
        copy(ctx.count.c, ctx.lam, plan.leave)
    barrier(plan)
    _do(ctx, plan, K_RENEW, t, 0)
    if told_by_any(plan, G_TURNED):
        _see(ctx, plan, t)
    if _springs(plan):
        _do(ctx, plan, K_PUSH, t, 0)
        barrier(plan)
    _solve(ctx, plan, t, 2)
    _do(ctx, plan, K_TAKE, t, 1)
    _do(ctx, plan, K_ARRIVE, t, 0)


#: kernels by their K_… constants
KERNELS = (pieces.factor_component, pieces.solve_component, loops.iterate, phases.move, phases.look, phases.measure_gap, phases.join)
KERNELS += (phases.want, phases.renew, seeing.see, seeing.push, phases.answer, phases.take, phases.leave, phases.correct, phases.arrive)
KERNELS += (energy.note_power, energy.book, judging.judge, judging.perturb, begin, part, finer, handing.hand_down, handing.rejoin)
KERNELS += (handing.restore, seeing.turn_all, judging.note_work, judging.judge_work)
_FOR_LOOPS = {loops.iterate}
_FOR_MASSES = {seeing.see, seeing.push, seeing.turn_all}
_FOR_CLOSING = {judging.note_work, judging.judge_work}
_FOR_PERTURBATION = {judging.perturb}
_FOR_RATES = {finer, handing.hand_down, handing.rejoin, handing.restore}


def kernel_addresses(plan: Plan) -> np.ndarray:
    """Of the kernels a plan needs; the others are not compiled."""
    table = plan.table
    needed = set(KERNELS)
    if not table[P_N_LOOSE] or table[P_EXPLICIT]:
        needed -= _FOR_LOOPS
    if not table[P_N_LOOSE] or not (table[P_EXPLICIT] or table[P_METHOD] == RELAX):
        needed -= _FOR_MASSES
    if not table[P_N_INSIDE] and (table[P_EXPLICIT] or not table[P_N_LOOSE]):
        needed -= _FOR_CLOSING
    if not plan.number[X_LIMIT] > 0.0:
        needed -= _FOR_PERTURBATION
    if not table[P_FINER]:
        needed -= _FOR_RATES
    return np.array([kernel.address if kernel in needed else 0 for kernel in KERNELS])
