"""Places of elements, joints and forces against the same running sums in NumPy."""

import weakref

import numpy as np
import pytest

from bielle.errors import BielleError
from bielle.model import compile_mechanism
from bielle.model.places import BODIES, CARRIERS, FORCES, JOINTS, WATCHES, Tables
from bielle.model.rows import Rows

from ..live.random_edits import Player


def starts(sizes):
    return np.concatenate([[0], np.cumsum(sizes)]).astype(int)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_places(seed, dim):
    player = Player(seed, dim=dim)
    for _ in range(12):
        try:
            player.play()
        except BielleError:
            continue
    model, _ = compile_mechanism(player.live.mechanism)
    bodies, joints, forces, a = model.body_rows, model.joint_rows, model.force_rows, model.arrays
    nv, elem_body = bodies.size("nv"), a["elem_body"]
    ne, nc = joints.size("ne"), joints.size("nc")
    expected = {
        "elem_j": starts(dim * nv[elem_body])[:-1],
        "joint_g": starts(nc * dim * ne)[:-1],
        "joint_p": bodies.total("np") + joints.starts("np")[:-1],
        "jb_offset": starts(np.repeat(nc, joints.size("nb")) * nv[joints.column("block_body")]),
        "force_e": joints.total("ne") + forces.starts("ne"),
        "force_p": bodies.total("np") + joints.total("np") + forces.starts("np")[:-1],
        "force_s": joints.total("ns") + forces.starts("ns")[:-1],
        "force_k": starts((dim * forces.size("ne")) ** 2)[:-1],
    }
    signals = np.concatenate([t.column("signal_size") for t in (joints, forces)])
    expected["signal_p"] = bodies.total("np") + joints.total("np") + forces.total("np") + starts(signals)[:-1]
    local = joints.column("elem_local")
    block = np.full(len(elem_body), -1)
    first_block = np.repeat(joints.starts("nb")[:-1], ne)
    block[: len(local)] = np.where(local < 0, -1, expected["jb_offset"][first_block + np.maximum(local, 0)])
    expected["elem_block"] = block
    kind_of_body = np.repeat(np.arange(len(bodies.groups)), [last - first for first, last in bodies.groups])
    expected["elem_order"] = np.argsort(kind_of_body[elem_body], kind="stable")
    for name, values in expected.items():
        np.testing.assert_array_equal(a[name], values, err_msg=name)
    assert model.length("x_jac") == (dim * nv[elem_body]).sum()
    assert model.length("g") == (nc * dim * ne).sum()
    assert model.length("jac") == expected["jb_offset"][-1]
    assert model.length("x_stiff") == ((dim * forces.size("ne")) ** 2).sum()


def test_tables_stay_as_long_as_kernels_may_read_them():
    rows = [Rows(shape) for shape in (BODIES, JOINTS, FORCES, WATCHES, CARRIERS)]
    blocks = [weakref.ref(table.block) for table in rows]
    tables = Tables(*rows)
    del rows
    assert all(block() is not None for block in blocks)
    del tables
    assert all(block() is None for block in blocks)
