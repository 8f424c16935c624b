"""Layout of the KKT matrix: a node per body that moves, a node per joint, blocks where they meet."""

import numpy as np

from ..topology.elimination import Elimination, analyse

__all__ = ["force_couplings", "kkt_tables"]


def kkt_tables(arrays: dict[str, np.ndarray], couplings: np.ndarray | None = None) -> tuple[Elimination, dict[str, np.ndarray]]:
    """Order of elimination and where every block is loaded.

    couplings (k, 3) are rows (force, body, body) by which forces couple two bodies in implicit schemes; see :func:`force_couplings`.
    """
    body_nv, joint_c, jb_start, jb_body = (arrays[k] for k in ("body_nv", "joint_c", "jb_start", "jb_body"))
    moving = np.flatnonzero(body_nv)
    node = np.full(len(body_nv), -1, dtype=np.int64)
    node[moving] = np.arange(len(moving))
    nj = len(joint_c) - 1
    size = np.concatenate([body_nv[moving], np.diff(joint_c)])
    wait = np.repeat([0, 1], [len(moving), nj])
    joint_of_block = np.repeat(np.arange(nj), np.diff(jb_start))
    pairs = np.column_stack([len(moving) + joint_of_block, node[jb_body]])
    extra = np.zeros((0, 3), dtype=np.int64) if couplings is None else couplings
    elimination = analyse(size, wait, np.concatenate([pairs, node[extra[:, 1:]]]) if len(extra) else pairs)

    jb_load, jb_flip = elimination.blocks(pairs)
    body_row, body_load = np.zeros(len(body_nv), dtype=np.int64), np.full(len(body_nv), -1, dtype=np.int64)
    position = elimination.position[: len(moving)]
    body_row[moving], body_load[moving] = elimination.row[position], elimination.diagonal[position]
    position = elimination.position[len(moving) :]
    return elimination, {
        "node_size": elimination.size,
        "node_row": elimination.row,
        "node_diag": elimination.diagonal,
        "col_start": elimination.column,
        "sub_node": elimination.sub_node,
        "sub_block": elimination.sub_block,
        "update": elimination.update,
        "body_row": body_row,
        "body_load": body_load,
        "joint_row": elimination.row[position],
        "joint_load": elimination.diagonal[position],
        "jb_load": jb_load,
        "jb_flip": jb_flip,
        "couple": _couple_table(elimination, extra, node, body_nv),
    }


def force_couplings(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """(k, 3) rows (force, body, body): every pair of moving bodies a force acts between, each pair once."""
    force_e, elem_body, body_nv = arrays["force_e"], arrays["elem_body"], arrays["body_nv"]
    rows = []
    for f in range(len(force_e) - 1):
        bodies = sorted({int(b) for b in elem_body[force_e[f] : force_e[f + 1]] if body_nv[b] > 0})
        rows += [(f, b, d) for i, b in enumerate(bodies) for d in bodies[i + 1 :]]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _couple_table(elimination: Elimination, couplings: np.ndarray, node: np.ndarray, body_nv: np.ndarray) -> np.ndarray:
    """Rows (force, body · nb + other body, offset in coupling, place in lu, rows, columns), the pair as it is stored."""
    if not len(couplings):
        return np.zeros(0, dtype=np.int64)
    target, flip = elimination.blocks(node[couplings[:, 1:]])
    first = np.where(flip == 1, couplings[:, 2], couplings[:, 1])
    second = np.where(flip == 1, couplings[:, 1], couplings[:, 2])
    sizes = body_nv[first] * body_nv[second]
    offset = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(sizes) else sizes
    table = np.column_stack([couplings[:, 0], first * len(body_nv) + second, offset, target, body_nv[first], body_nv[second]])
    return table.astype(np.int64).reshape(-1)
