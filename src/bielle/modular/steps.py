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

from ..integrators.steps import accepted, record, stopped_by_watch
from ..kernels import slots
from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import call, clear, copy, floats, ints
from . import energy, loops, phases, pieces
from .loops import RELAX
from .phases import largest_gap, plan_of, told_by_any
from .plan import (
    ACC_MOST_PASSES,
    ACC_PASSES,
    ACC_UNCLOSED,
    G_SOFT,
    G_TURNED,
    K_ANSWER,
    K_ARRIVE,
    K_BOOK,
    K_CORRECT,
    K_ITERATE,
    K_JOIN,
    K_LEAVE,
    K_LOOK,
    K_MEASURE,
    K_MOVE,
    K_NOTE_POWER,
    K_PUSH,
    K_RENEW,
    K_SEE,
    K_TAKE,
    K_WANT,
    P_ACCOUNT,
    P_EXPLICIT,
    P_HAS_SEEN,
    P_KERNEL,
    P_LEAVE,
    P_LOOSE,
    P_METHOD,
    P_MORE,
    P_N_INSIDE,
    P_N_LOOSE,
    P_NUMBER,
    P_PASSES,
    P_THREADS,
    X_TOLERANCE,
)
from .team import barrier

SLOW = 0.3  # of the gap before: if less than the rest is closed by a pass, the direction is wrong

#: kernels by their K_… constants
KERNELS = (pieces.factor_component, pieces.solve_component, loops.iterate, phases.move, phases.look, phases.measure_gap, phases.join)
KERNELS += (phases.want, phases.renew, phases.see, phases.push, phases.answer, phases.take, phases.leave, phases.correct, phases.arrive)
KERNELS += (energy.note_power, energy.book)


@helper
def _do(ctx, plan, kernel, t, how):
    """A phase of share t."""
    call(ints(plan, P_KERNEL)[kernel], ctx, t, how)


@once
def _do_all(ctx, plan, kernel, how):
    """A phase of all shares, by one thread."""
    for t in range(plan[P_THREADS]):
        _do(ctx, plan, kernel, t, how)


@helper
def _sees(plan):
    """Whether the masses that joints see matter."""
    return plan[P_N_LOOSE] > 0 and (plan[P_EXPLICIT] == 1 or plan[P_METHOD] == RELAX)


@helper
def _iterates(plan):
    """Whether there are joints whose forces are iterated."""
    return plan[P_N_LOOSE] > 0 and plan[P_EXPLICIT] == 0


@entry
def accelerate(ctx, unused, unused_too):
    """Accelerations and multipliers at the present state, by one thread for all shares."""
    plan = plan_of(ctx)
    for kernel, how in ((K_MOVE, 0), (K_LOOK, 0), (K_JOIN, 1), (K_WANT, 0), (K_RENEW, 1)):
        _do_all(ctx, plan, kernel, how)
    if _sees(plan) and plan[P_HAS_SEEN] == 0:
        for stage in range(3):
            _do_all(ctx, plan, K_SEE, stage)
        plan[P_HAS_SEEN] = 1
    if plan[P_EXPLICIT] == 1:
        _do_all(ctx, plan, K_PUSH, 0)
    _do_all(ctx, plan, K_ANSWER, 0)
    if _iterates(plan):
        _do(ctx, plan, K_ITERATE, 0, 0)
    _do_all(ctx, plan, K_TAKE, 0)


@entry
def steps(ctx, n_steps, t):
    """Advance ``n_steps`` fixed steps, as thread t of the team; samples every ``count[N_EVERY]`` steps, at the start of the step."""
    plan = plan_of(ctx)
    count, status, scalar = ints(ctx, slots.COUNT), ints(ctx, slots.STATUS), floats(ctx, slots.SCALAR)
    h, start = scalar[slots.S_STEP], scalar[slots.S_TIME0]
    for step in range(n_steps):
        done = status[slots.ST_STEPS]
        if t == 0:
            scalar[slots.S_TIME] = start + done * h
        _start(ctx, plan, t, 1 if step == 0 else 0, done)
        due = done % count[slots.N_EVERY] == 0
        if t == 0:
            status[slots.ST_EVALUATIONS] += 1
            _do(ctx, plan, K_NOTE_POWER, 0, 0)
        if due or status[slots.ST_WATCHING] == 1:
            if t == 0 and not stopped_by_watch(ctx) and due:
                record(ctx)
            barrier(plan)
            if status[slots.ST_CODE] != slots.CODE_OK:
                return
        _do(ctx, plan, K_LEAVE, t, 0)
        if t == 0:
            scalar[slots.S_TIME] = start + (done + 1) * h
        _close_gaps(ctx, plan, t)
        _arrive(ctx, plan, t)
        barrier(plan)
        if t == 0:
            _do(ctx, plan, K_BOOK, 0, 0)
            status[slots.ST_STEPS] = done + 1
            if accepted(ctx) and told_by_any(plan, G_SOFT):
                status[slots.ST_CODE] = slots.CODE_SOFT
        barrier(plan)
        if status[slots.ST_CODE] != slots.CODE_OK:
            return


@once
def _start(ctx, plan, t, jacobian, done):
    """Accelerations and multipliers at the start of a step; jacobian 0: the matrices are those of the end of the last one."""
    _do(ctx, plan, K_MOVE, t, 0)
    barrier(plan)
    _do(ctx, plan, K_LOOK, t, 0)
    _do(ctx, plan, K_JOIN, t, jacobian)
    _do(ctx, plan, K_WANT, t, 0)
    if jacobian == 1:
        barrier(plan)
        _do(ctx, plan, K_RENEW, t, 1)
        if done == 0:
            _see(ctx, plan, t)
    if plan[P_EXPLICIT] == 1:
        _do(ctx, plan, K_PUSH, t, 0)
    barrier(plan)
    _solve(ctx, plan, t, 0, 0)
    _do(ctx, plan, K_TAKE, t, 0)
    barrier(plan)


@once
def _see(ctx, plan, t):
    """How stiff joints may be, at a new position."""
    if _sees(plan):
        _do(ctx, plan, K_SEE, t, 0)
        barrier(plan)
        _do(ctx, plan, K_SEE, t, 1)
        barrier(plan)
        _do(ctx, plan, K_SEE, t, 2)


@once
def _solve(ctx, plan, t, first, gaps):
    """Let components answer; the first thread iterates the loose joints while the others wait."""
    _do(ctx, plan, K_ANSWER, t, gaps)
    if _iterates(plan):
        barrier(plan)
        if t == 0:
            _do(ctx, plan, K_ITERATE, first, gaps)
        barrier(plan)


@once
def _close_gaps(ctx, plan, t):
    """Move q⁺ and v½ along M⁻¹Jᵀ of the start of the step until φ(q⁺) vanishes; kernels of joints are left evaluated at q⁺.

    In a step across a singular position J changes too much for that; from there it is taken anew, which makes it a projection.

    λ becomes what acted on leaving: of inside joints, and of loose ones if they are iterated.
    """
    tolerance, account = floats(plan, P_NUMBER)[X_TOLERANCE], ints(plan, P_ACCOUNT)
    passes, before = 0, 0.0
    while True:
        _do(ctx, plan, K_MOVE, t, 0)
        barrier(plan)
        _do(ctx, plan, K_LOOK, t, 0)
        if plan[P_N_INSIDE] == 0 and not _iterates(plan):
            return
        _do(ctx, plan, K_MEASURE, t, 0)
        if t == 0:
            ints(ctx, slots.STATUS)[slots.ST_EVALUATIONS] += 1
            clear(ints(ctx, slots.COUNT)[slots.N_C], floats(plan, P_MORE))
        barrier(plan)
        gap = largest_gap(plan)
        if gap <= tolerance or passes >= plan[P_PASSES] or not math.isfinite(gap):
            break
        if passes > 0 and gap > SLOW * before:
            _do(ctx, plan, K_JOIN, t, 1)
            barrier(plan)
            _do(ctx, plan, K_RENEW, t, 0)
        before = gap
        _solve(ctx, plan, t, 0, 1)
        _do(ctx, plan, K_TAKE, t, 2)
        if t == 0 and _iterates(plan):
            _add_loose(ctx, plan)
        _do(ctx, plan, K_CORRECT, t, 0)
        passes += 1
    if t == 0:
        account[ACC_PASSES] += passes
        account[ACC_MOST_PASSES] = max(account[ACC_MOST_PASSES], passes)
        account[ACC_UNCLOSED] += 1 if gap > tolerance else 0


@once
def _add_loose(ctx, plan):
    """λ += 2/h · P_MORE in the rows of loose joints."""
    loose, joint_c, lam, more = ints(plan, P_LOOSE), ints(ctx, slots.JOINT_C), floats(ctx, slots.LAMBDA), floats(plan, P_MORE)
    scale = 2.0 / floats(ctx, slots.SCALAR)[slots.S_STEP]
    for n in range(plan[P_N_LOOSE]):
        for c in range(joint_c[loose[n]], joint_c[loose[n] + 1]):
            lam[c] += scale * more[c]


@once
def _arrive(ctx, plan, t):
    """The second half of the kick, at q⁺."""
    _do(ctx, plan, K_JOIN, t, 2)
    _do(ctx, plan, K_WANT, t, 1)
    if t == 0:
        copy(ints(ctx, slots.COUNT)[slots.N_C], floats(ctx, slots.LAMBDA), floats(plan, P_LEAVE))
    barrier(plan)
    _do(ctx, plan, K_RENEW, t, 0)
    if told_by_any(plan, G_TURNED):
        _see(ctx, plan, t)
    if plan[P_EXPLICIT] == 1:
        _do(ctx, plan, K_PUSH, t, 0)
        barrier(plan)
    _solve(ctx, plan, t, 1, 0)
    _do(ctx, plan, K_TAKE, t, 1)
    _do(ctx, plan, K_ARRIVE, t, 0)
