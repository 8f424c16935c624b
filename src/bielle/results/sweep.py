"""Compiled loops that evaluate a model at every sample of a run and keep what is asked for."""

import numpy as np

from ..kernels import slots
from ..kernels.lazy import entry, helper
from ..kernels.memory import Uncopyable
from ..kernels.pointers import at, call
from ..model import Context, Model
from ..model.model import JointRow

__all__ = ["Sweeper"]


@helper
def _load(ctx, s):
    """State of sample s into the context."""
    count = ctx.count
    nq, nv, nc, nm = count.q, count.v, count.c, count.memory
    ctx.scalar.time = ctx.sample_t[s]
    q, v, a = ctx.q, ctx.v, ctx.acc
    lam, memory = ctx.lam, ctx.memory
    from_q, from_v, from_a = ctx.sample_q, ctx.sample_v, ctx.sample_a
    from_l, from_m = ctx.sample_l, ctx.sample_f
    for i in range(nq):
        q[i] = from_q[s * nq + i]
    for i in range(nv):
        v[i] = from_v[s * nv + i]
        a[i] = from_a[s * nv + i]
    for i in range(nc):
        lam[i] = from_l[s * nc + i]
    for i in range(nm):
        memory[i] = from_m[s * nm + i]


@entry
def sweep_elements(ctx, first, last):
    """Position, rate and second rate of elements first … last at every sample, into the three outputs (samples × dim · elements)."""
    count, routine = ctx.count, ctx.routine
    dim = count.dim
    width = dim * (last - first)
    x, xd, bias, jac = ctx.x, ctx.x_dot, ctx.x_bias, ctx.x_jac
    elem_body, elem_j, body_nv, body_v = (
        ctx.elem_body,
        ctx.elem_j,
        ctx.body_nv,
        ctx.body_v,
    )
    acc = ctx.acc
    for s in range(count.samples):
        _load(ctx, s)
        call(routine.evaluate, ctx, 0, 0)
        out_x, out_v, out_a = at(ctx.stage_q, s * width), at(ctx.stage_v, s * width), at(ctx.temp_q, s * width)
        for e in range(first, last):
            nv, v0 = body_nv[elem_body[e]], body_v[elem_body[e]]
            for k in range(dim):
                total = bias[dim * e + k]
                for i in range(nv):
                    total += jac[elem_j[e] + k * nv + i] * acc[v0 + i]
                i = dim * (e - first) + k
                out_x[i] = x[dim * e + k]
                out_v[i] = xd[dim * e + k]
                out_a[i] = total


@entry
def sweep_joint(ctx, j, unused):
    """Efforts Gᵀλ on the elements of joint j and their positions, at every sample; third output: φ then φ̇ of its equations."""
    count, routine = ctx.count, ctx.routine
    dim = count.dim
    e0, c0 = ctx.joint_e[j], ctx.joint_c[j]
    width, nc = dim * (ctx.joint_e[j + 1] - e0), ctx.joint_c[j + 1] - c0
    G, lam, x = at(ctx.g, ctx.joint_g[j]), ctx.lam, ctx.x
    phi, phi_dot = ctx.phi, ctx.phi_dot
    for s in range(count.samples):
        _load(ctx, s)
        call(routine.evaluate, ctx, 0, 0)
        out_f, out_x, out_c = at(ctx.stage_q, s * width), at(ctx.stage_v, s * width), at(ctx.temp_q, s * 2 * nc)
        for k in range(width):
            total = 0.0
            for c in range(nc):
                total += G[c * width + k] * lam[c0 + c]
            out_f[k] = total
            out_x[k] = x[dim * e0 + k]
        for c in range(nc):
            out_c[c] = phi[c0 + c]
            out_c[nc + c] = phi_dot[c0 + c]


@entry
def sweep_forces(ctx, first, last):
    """Efforts on elements first … last of forces and their positions, and per force energy, output and three powers, at every sample."""
    count, routine = ctx.count, ctx.routine
    dim, nf = count.dim, count.force
    width = dim * (last - first)
    effort, x = ctx.x_force, ctx.x
    energy, output, power = ctx.energy, ctx.output, ctx.power
    for s in range(count.samples):
        _load(ctx, s)
        call(routine.evaluate, ctx, 0, 0)
        call(routine.forces, ctx, 0, 0)
        out_f, out_x, out = at(ctx.stage_q, s * width), at(ctx.stage_v, s * width), at(ctx.temp_q, s * 5 * nf)
        for k in range(width):
            out_f[k] = effort[dim * first + k]
            out_x[k] = x[dim * first + k]
        for f in range(nf):
            out[5 * f] = energy[f]
            out[5 * f + 1] = output[f]
            for i in range(3):
                out[5 * f + 2 + i] = power[3 * f + i]


@entry
def sweep_violation(ctx, first, last):
    """Largest |φ| and largest |φ̇| of each joint, at every sample (two outputs, samples × joints)."""
    count, routine = ctx.count, ctx.routine
    nj, joint_c = count.joint, ctx.joint_c
    phi, phi_dot, weight = ctx.phi, ctx.phi_dot, ctx.temp_c
    for s in range(count.samples):
        _load(ctx, s)
        call(routine.evaluate, ctx, 0, 0)
        out_p, out_v = at(ctx.stage_q, s * nj), at(ctx.stage_v, s * nj)
        for j in range(nj):
            worst, fastest = 0.0, 0.0
            for c in range(joint_c[j], joint_c[j + 1]):
                worst, fastest = max(worst, weight[c] * abs(phi[c])), max(fastest, weight[c] * abs(phi_dot[c]))
            out_p[j], out_v[j] = worst, fastest


class Sweeper(Uncopyable):
    """Runs sweeps over the samples of a run. Each takes a context that nobody else is using: any number of threads may ask at once.

    Results go to scratch fields of that context: stage_q, stage_v, temp_q.
    """

    def __init__(self, model: Model, samples: dict[str, np.ndarray]) -> None:
        self.model = model
        self.n = len(samples["t"])
        names = {"t": "sample_t", "q": "sample_q", "v": "sample_v", "a": "sample_a", "lam": "sample_l", "memory": "sample_f"}
        self._samples = {field: np.ascontiguousarray(samples[name], dtype=float).reshape(-1) for name, field in names.items()}
        self._free: list[Context] = []

    def _take(self) -> Context:
        """A context with the samples, to be given back to ``_free``."""
        try:
            return self._free.pop()
        except IndexError:
            context = Context(self.model)
            for field, values in self._samples.items():
                context.bind(field, values)
            context.count[slots.N_SAMPLES] = self.n
            return context

    def _run(self, kernel: entry, first: int, last: int, *widths: int, weights: np.ndarray | None = None) -> list[np.ndarray]:
        outputs = [np.zeros((self.n, w)) for w in widths]
        context = self._take()
        for field, out in zip(("stage_q", "stage_v", "temp_q"), outputs):
            context.bind(field, out.reshape(-1))
        if weights is not None:
            context.bind("temp_c", weights)
        kernel(context.address, first, last)
        self._free.append(context)
        return outputs

    def elements(self, rows: slice) -> list[np.ndarray]:
        """x, ẋ, ẍ (n, elements, dim) of a range of elements."""
        dim, k = self.model.dim, rows.stop - rows.start
        return [x.reshape(self.n, k, dim) for x in self._run(sweep_elements, rows.start, rows.stop, *(3 * [dim * k]))]

    def joint(self, index: int, elements: int, equations: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Efforts and positions (n, elements, dim), φ and φ̇ (n, equations) of a joint."""
        dim = self.model.dim
        f, x, c = self._run(sweep_joint, index, 0, dim * elements, dim * elements, 2 * equations)
        return f.reshape(self.n, elements, dim), x.reshape(self.n, elements, dim), c[:, :equations], c[:, equations:]

    def _at_start(self) -> Context:
        """A context, evaluated at the first sample; to be given back to :attr:`_free`."""
        c, m = self._take(), self.model
        if self.n:
            c.q[: m.nq], c.v[: m.nv] = c.sample_q[: m.nq], c.sample_v[: m.nv]
            c.scalar[slots.S_TIME] = c.sample_t[0]
        c.evaluate()
        return c

    def joint_points(self, joints: np.ndarray) -> np.ndarray:
        """(points, dim) of joints, by their rows, at the first sample."""
        c, dim = self._at_start(), self.model.dim
        elements = np.concatenate([np.arange(int(c.joint_e[j]), int(c.joint_e[j + 1])) for j in joints] or [np.zeros(0, int)])
        points = c.x[: dim * len(c.elem_point)].reshape(-1, dim)[elements[c.elem_point[elements] == 1]]
        self._free.append(c)
        return points

    def scales(self, sizes: np.ndarray) -> np.ndarray:
        """(equations,) by how much residuals change when points move by ``sizes`` (joints,) [m] and directions by 1: what they are
        compared with."""
        c, dim, out = self._at_start(), self.model.dim, np.ones(self.model.nc)
        for j in range(int(c.count[slots.N_JOINT])):
            unit = np.repeat(np.where(c.elem_point[c.joint_e[j] : c.joint_e[j + 1]] == 1, sizes[j], 0.0), dim)
            rows, start = slice(c.joint_c[j], c.joint_c[j + 1]), int(c.joint_g[j])
            G = np.abs(c.g[start : start + (rows.stop - rows.start) * len(unit)].reshape(-1, len(unit)))
            by_points, by_directions = (G * unit).max(axis=1), G[:, unit == 0.0].max(axis=1, initial=0.0)
            found = np.where(by_points > 0.0, by_points, by_directions)
            out[rows] = np.where(found > 0.0, found, 1.0)
        self._free.append(c)
        return out

    def gradient(self, row: JointRow) -> np.ndarray:
        """G = ∂φ/∂x (equations, elements, dim) of a joint at the first sample."""
        c, m = self._at_start(), self.model
        shape = (row.equations.stop - row.equations.start, row.elements.stop - row.elements.start, m.dim)
        start = int(c.joint_g[row.index])
        gradient = c.g[start : start + shape[0] * shape[1] * shape[2]].reshape(shape).copy()
        self._free.append(c)
        return gradient

    def forces(self, rows: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Efforts and positions (n, elements, dim) of a range of elements, and (n, forces, 5): energy, output, three powers."""
        dim, k, nf = self.model.dim, rows.stop - rows.start, len(self.model.forces)
        f, x, out = self._run(sweep_forces, rows.start, rows.stop, dim * k, dim * k, 5 * nf)
        return f.reshape(self.n, k, dim), x.reshape(self.n, k, dim), out.reshape(self.n, nf, 5)

    def violation(self, weights: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Largest |φ| and |φ̇| of each joint row (n, joints), each equation times its weight (equations,), or as it is."""
        weights = np.ones(self.model.nc) if weights is None else weights
        nj = len(self.model.joints) + len(self.model.internal)
        position, velocity = self._run(sweep_violation, 0, 0, nj, nj, weights=weights)
        return position, velocity
