"""The links of a recursive model for Pinocchio, and states in its coordinates."""

import numpy as np

from bielle.kernels import tree as t


def _branch_by_branch(links, parent=-1):
    for i, link in enumerate(links):
        if link.parent == parent:
            yield i
            yield from _branch_by_branch(links, i)


class Peer:
    """The same trees as a model of Pinocchio's."""

    def __init__(self, pin, model):
        self.pin, self.links = pin, model.links
        tree = model._tree
        place, inertia, between, lead = (tree.array(slot).reshape(tree.n, -1) for slot in (t.T_PLACE, t.T_INERTIA, t.T_BETWEEN, t.T_LEAD))
        self.model = pin.Model()
        g = np.zeros(3)
        g[:] = tree.array(t.T_GRAVITY)
        self.model.gravity = pin.Motion(g, np.zeros(3))
        self.joints, frames = {}, {}  # of each link: its joint, and where the frame of the link is on it
        for i in _branch_by_branch(model.links):  # as Pinocchio expects
            link = model.links[i]
            joint, frame = (0, pin.SE3.Identity()) if link.parent < 0 else (self.joints[link.parent], frames[link.parent])
            frame = frame * pin.SE3(place[i, :9].reshape(3, 3).copy(), place[i, 9:].copy())
            for n, (kind, turn) in enumerate(self._kinds(link.motion.name, between[i].reshape(3, 3).copy(), float(lead[i, 0]))):
                place_here = frame * pin.SE3(turn, np.zeros(3))
                joint, frame = self.model.addJoint(joint, kind, place_here, f"{link.joint} {n}"), pin.SE3.Identity()
            self.joints[i], frames[i] = joint, frame
            m, h, (xx, xy, xz, yy, yz, zz) = inertia[i, 0], inertia[i, 1:4], inertia[i, 4:]
            c = h / m
            J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) - m * (c @ c * np.eye(3) - np.outer(c, c))
            self.model.appendBodyToJoint(joint, pin.Inertia(m, c, J), frame)
        self.data = self.model.createData()

    def _kinds(self, motion, between, lead):
        """One joint after the other: Pinocchio's derivatives are not those of its composite joints."""
        pin, unit = self.pin, np.eye(3)
        names = {
            "fixed": (), "revolute": ("RZ",), "prismatic": ("PZ",), "spherical": ("Spherical",), "free": ("FreeFlyer",),
            "cylindrical": ("RZ", "PZ"), "planar": ("PX", "PY", "RZ"), "universal": ("RZ", "RZ"),
        }  # fmt: skip
        if motion == "helical":
            return [(pin.JointModelHZ(lead), unit)]
        kinds = [getattr(pin, f"JointModel{name}")() for name in names[motion]]
        return [(kind, between if motion == "universal" and n == 1 else unit) for n, kind in enumerate(kinds)]

    def order(self):
        """Where Pinocchio has each of our velocities."""
        out, names = [], list(self.model.names)
        for link in self.links:
            if link.motion.nv:
                first = self.model.joints[names.index(f"{link.joint} 0")].idx_v
                out += range(first, first + link.motion.nv)
        return np.array(out, dtype=int)

    def configuration(self, model, q):
        """Our q in Pinocchio's coordinates: quaternions have their real part last."""
        out, names = np.zeros(self.model.nq), list(self.model.names)
        for link in self.links:
            if link.motion.nv:
                values = q[model.coordinates(link.joint)[0]].copy()
                if link.motion.name in ("spherical", "free"):
                    values[-4:] = np.roll(values[-4:] / np.linalg.norm(values[-4:]), -1)
                first = self.model.joints[names.index(f"{link.joint} 0")].idx_q
                out[first : first + len(values)] = values
        return out
