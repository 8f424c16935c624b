"""Layout of the KKT matrix: a node per body that moves, a node per joint, blocks where they meet."""

import numpy as np

from ..kernels.lazy import entry
from ..kernels.memory import Pool, address_of
from ..kernels.pointers import ints
from ..topology.elimination import Elimination, analyse

__all__ = ["force_couplings", "kkt_tables"]


def kkt_tables(arrays: dict[str, np.ndarray], couplings: np.ndarray | None = None) -> tuple[Elimination, dict[str, np.ndarray]]:
    """Order of elimination and where every block is loaded.

    couplings (k, 3) are rows (force, body, body) by which forces couple two bodies in implicit schemes; see :func:`force_couplings`.
    """
    body_nv, joint_c, jb_start, jb_body = (arrays[k] for k in ("body_nv", "joint_c", "jb_start", "jb_body"))
    extra = _NONE if couplings is None else couplings
    nb, nj, nblock, n_extra = len(body_nv), len(joint_c) - 1, len(jb_body), len(extra)
    graph = Pool(nb, nb + nj, nb + nj, 2 * (nblock + n_extra), 1)  # node of each body, sizes, waits, pairs, number of nodes of bodies
    ctx = np.array([*map(address_of, (body_nv, joint_c, jb_start, jb_body, extra)), *graph.addresses])
    _graph(address_of(ctx), nb, nj)
    node, pairs = graph[0], graph[3].reshape(-1, 2)
    moving = int(graph[4][0])
    n = moving + nj
    if n_extra:
        pairs[nblock:] = node[extra[:, 1:]]
    e = analyse(graph[1][:n], graph[2][:n], pairs)

    found = Pool(nb, nb, nj, nj)
    ctx = np.array([*map(address_of, (node, e.position, e.row, e.diagonal)), *found.addresses, graph.addresses[4]])
    _loads(address_of(ctx), nb, nj)
    return e, {
        "node_size": e.size,
        "node_row": e.row,
        "node_diag": e.diagonal,
        "col_start": e.column,
        "sub_node": e.sub_node,
        "sub_block": e.sub_block,
        "update": e.update,
        "body_row": found[0],
        "body_load": found[1],
        "joint_row": found[2],
        "joint_load": found[3],
        "jb_load": e.load[:nblock],
        "jb_flip": e.flip[:nblock],
        "couple": _couple_table(e.load[nblock:], e.flip[nblock:], extra, body_nv) if n_extra else _NONE.reshape(-1),
    }


_NONE = np.zeros((0, 3), dtype=np.int64)


@entry
def _graph(ctx, nb, nj):
    """Nodes, their sizes and whether they wait, and the pairs of nodes that Jacobian blocks join."""
    body_nv, joint_c, jb_start, jb_body = ints(ctx, 0), ints(ctx, 1), ints(ctx, 2), ints(ctx, 3)
    node, size, wait, pairs, moving = ints(ctx, 5), ints(ctx, 6), ints(ctx, 7), ints(ctx, 8), ints(ctx, 9)
    n = 0
    for b in range(nb):
        node[b] = -1
        if body_nv[b] > 0:
            node[b] = n
            size[n] = body_nv[b]
            wait[n] = 0
            n += 1
    moving[0] = n
    for j in range(nj):
        size[n + j] = joint_c[j + 1] - joint_c[j]
        wait[n + j] = 1
        for k in range(jb_start[j], jb_start[j + 1]):
            pairs[2 * k] = n + j
            pairs[2 * k + 1] = node[jb_body[k]]


@entry
def _loads(ctx, nb, nj):
    """Row and diagonal block of every body and joint; the ground has neither."""
    node, position, row, diagonal = ints(ctx, 0), ints(ctx, 1), ints(ctx, 2), ints(ctx, 3)
    body_row, body_load, joint_row, joint_load = ints(ctx, 4), ints(ctx, 5), ints(ctx, 6), ints(ctx, 7)
    moving = ints(ctx, 8)
    for b in range(nb):
        at = position[node[b]] if node[b] >= 0 else 0
        body_row[b] = row[at] if node[b] >= 0 else 0
        body_load[b] = diagonal[at] if node[b] >= 0 else -1
    for j in range(nj):
        at = position[moving[0] + j]
        joint_row[j], joint_load[j] = row[at], diagonal[at]


def force_couplings(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """(k, 3) rows (force, body, body): every pair of moving bodies a force acts between, each pair once."""
    force_e, elem_body, body_nv = arrays["force_e"], arrays["elem_body"], arrays["body_nv"]
    rows = []
    for f in range(len(force_e) - 1):
        bodies = sorted({int(b) for b in elem_body[force_e[f] : force_e[f + 1]] if body_nv[b] > 0})
        rows += [(f, b, d) for i, b in enumerate(bodies) for d in bodies[i + 1 :]]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _couple_table(target: np.ndarray, flip: np.ndarray, couplings: np.ndarray, body_nv: np.ndarray) -> np.ndarray:
    """Rows (force, body · nb + other body, offset in coupling, place in lu, rows, columns), the pair as it is stored."""
    first = np.where(flip == 1, couplings[:, 2], couplings[:, 1])
    second = np.where(flip == 1, couplings[:, 1], couplings[:, 2])
    sizes = body_nv[first] * body_nv[second]
    offset = np.cumsum(sizes) - sizes
    table = np.column_stack([couplings[:, 0], first * len(body_nv) + second, offset, target, body_nv[first], body_nv[second]])
    return table.astype(np.int64).reshape(-1)
