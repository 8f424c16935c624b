"""A probe: the model of a single body with points and directions to look at, sharing the body's kind and coordinates."""

import numpy as np

from .layout import lay_out
from .model import BodyRow, Model
from .places import BODIES, CARRIERS, FORCES, JOINTS, WATCHES
from .records import body_row
from .rows import Record, Rows

__all__ = ["probe"]


def probe(body: BodyRow, dim: int, elements: list[tuple[bool, np.ndarray]]) -> Model:
    """A model whose only purpose is to evaluate elements (is a point, local (3,)) of one body."""
    kind, n = body.kind, len(elements)
    values = {
        "elem_body": [0] * n,
        "elem_point": [int(is_point) for is_point, _ in elements],
        "elem_p": [x for is_point, local in elements for x in kind.element(is_point, local)],
    }
    tables = Rows(BODIES, [body_row(body.name, kind)]), Rows(JOINTS), Rows(FORCES), Rows(WATCHES)
    layout = lay_out(dim, *tables, carriers=Rows(CARRIERS, [Record("", body.name, None, (n,), values)]))
    return Model(0, dim, layout, *tables, {}, {})
