"""A probe: the model of a single body with points and directions to look at, sharing the body's kind and coordinates."""

from functools import cache

import numpy as np

from ..kernels import slots
from ..topology.elimination import analyse
from .model import BodyRow, Matrix, Model
from .records import body_rows, force_rows, joint_rows, watch_rows

__all__ = ["probe"]


def probe(body: BodyRow, dim: int, elements: list[tuple[bool, np.ndarray]]) -> Model:
    """A model whose only purpose is to evaluate elements (is a point, local (3,)) of one body."""
    kind, n = body.kind, len(elements)
    one = np.zeros(1, dtype=np.int64)
    arrays = {
        "body_q": one,
        "body_v": one,
        "body_nv": np.array([kind.nv], dtype=np.int64),
        "body_p": one,
        "body_w": one,
        "body_m": one,
        "param": np.array(kind.parameters(), dtype=float),
        "mass": kind.mass().reshape(-1),
        "elem_order": np.arange(n, dtype=np.int64),
        "elem_body": np.zeros(n, dtype=np.int64),
        "elem_point": np.array([int(p) for p, _ in elements], dtype=np.int64),
        "elem_p": np.concatenate([kind.element(p, local) for p, local in elements]),
        "elem_j": dim * kind.nv * np.arange(n, dtype=np.int64),
        "joint_e": one,
        "joint_c": one,
        "force_e": one,
        "program": np.array([kind.motion.address, 0, 1, kind.elements.address, 0, n], dtype=np.int64),
    }
    count = np.zeros(32, dtype=np.int64)
    count[[slots.N_DIM, slots.N_BODY, slots.N_Q, slots.N_V, slots.N_ELEM, slots.N_PROGRAM]] = dim, 1, kind.nq, kind.nv, n, 2
    arrays["count"] = count
    sizes = {"q": kind.nq, "v": kind.nv, "qd": kind.nq, "acc": kind.nv, "force": kind.nv, "body_work": kind.n_work, "memory": 0, "lam": 0}
    sizes |= {"x": dim * n, "x_dot": dim * n, "x_bias": dim * n, "x_jac": dim * n * kind.nv, "status": 16, "routine": 16, "scalar": 32}
    sizes |= {"work": slots.WORKS, "mu": 0, "a0": kind.nv}
    return Model(0, dim, arrays, sizes, body_rows(), joint_rows(), force_rows(), watch_rows(), [], [], _matrices={False: _no_matrix()})


@cache
def _no_matrix() -> Matrix:
    empty = np.zeros(0, dtype=np.int64)
    return Matrix(analyse(empty, empty, empty.reshape(0, 2)), {"couple": empty})
