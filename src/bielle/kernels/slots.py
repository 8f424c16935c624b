"""The field table: every array a kernel can read, its type, shape, role and meaning.

A slot is the index of an array's address in the context. The length is a sum of counts, see :data:`SYMBOLS`; in parentheses where
whoever uses the field brings an array along. The role says what the field is to a running simulation, and where it is kept:

``structure``  fixed by the topology of the model (what stands where, and which kernels are called)
``parameter``  numbers of the components, with which the model was made
``matrix``     order of elimination and places in the KKT matrix, found from the topology
``integrated`` advanced by the integrator; the state proper
``memory``     carried from step to step by a component
``warm start`` speeds up the next step; part of the state so that a restart is exact
``input``      set from outside between steps
``watching``   what events are found by; kept from step to step by whoever watches, no part of the state
``derived``    recomputed from the rest; meaningless between steps, zero before the first
``scratch``    written before it is read, always
"""

from typing import NamedTuple

from .schema import Field as Named
from .schema import Record, Schema, constants

__all__ = ["FIELDS", "INDEX", "SYMBOLS", "Field"]

# -- indices into count: sizes of the model
N_DIM, N_BODY, N_Q, N_V, N_CACHE, N_MASS, N_PARAM, N_MEMORY, N_WORK, N_ELEM, N_X, N_X_JAC = range(12)
N_JOINT, N_C, N_G, N_BLOCK, N_JAC, N_RAMP, N_FORCE, N_TANGENT, N_SIGNAL, N_WATCH, N_BACKUP = range(12, 23)
N_PROGRAM, N_FORCES, N_TANGENTS, N_STIFFNESS, N_RETRACT, N_WATCHES, N_COMMIT = range(23, 30)
# of the matrix
N_NODE, N_SUB, N_UPDATE, N_LU, N_LU_TEMP, N_COUPLE, N_COUPLING = range(30, 37)
# and settings of the solver
N_EVERY, N_SAMPLES, N_ITERATIONS, N_PROJECT, N_INDEX3 = range(37, 42)
N_INTERNAL = 42  # joints that are equations between a body's own coordinates: the last ones
COUNTS = 43
WORKS = 3  #: entries of work that always exist
ROUTINES = 24  #: places for the solver's own routines

#: how lengths of fields are written
SYMBOLS = {
    "nb": N_BODY,
    "nq": N_Q,
    "nv": N_V,
    "nk": N_CACHE,  # what body kinds cache
    "Σnv²": N_MASS,
    "np": N_PARAM,
    "nm": N_MEMORY,
    "nw": N_WORK,
    "ne": N_ELEM,
    "dim·ne": N_X,
    "Σdim·nv": N_X_JAC,  # over elements
    "nj": N_JOINT,
    "nc": N_C,
    "Σnc·dim·ne": N_G,  # over joints
    "nblock": N_BLOCK,  # of the Jacobian
    "Σnc·nv": N_JAC,  # over these
    "nr": N_RAMP,
    "nf": N_FORCE,
    "Σ(dim·ne)²": N_TANGENT,  # over forces
    "ns": N_SIGNAL,
    "nwatch": N_WATCH,
    "nbackup": N_BACKUP,  # 4 + nq + 3·nv + 3·nc + nw + nm if there are watches
    "rows of program": N_PROGRAM,
    "rows of forces": N_FORCES,
    "rows of tangents": N_TANGENTS,
    "rows of stiffness": N_STIFFNESS,
    "rows of retract": N_RETRACT,
    "rows of watches": N_WATCHES,
    "rows of commit": N_COMMIT,
    "n": N_NODE,
    "nsub": N_SUB,
    "nu": N_UPDATE,
    "nlu": N_LU,
    "ntemp": N_LU_TEMP,
    "ncouple": N_COUPLE,
    "Σnv·nv": N_COUPLING,  # over these
}


class Field(NamedTuple):
    """One row of the field table."""

    name: str
    type: type
    length: str
    role: str
    meaning: str

    def terms(self) -> list[tuple[int, int]]:
        """The length as (count, factor); −1 stands for one. Nothing if the field is brought along."""
        if self.length.startswith("("):
            return []
        out = []
        for term in self.length.split(" + "):
            factor, _, symbol = term.partition("·") if term not in SYMBOLS else ("1", "", term)
            out.append((SYMBOLS[symbol] if symbol else -1, int(factor)))
        return out


FIELDS: list[Field] = []


def _slot(name: str, type_: type, length: str, role: str, meaning: str) -> int:
    FIELDS.append(Field(name, type_, length, role, meaning))
    return len(FIELDS) - 1


# -- scalars
COUNT = _slot("count", int, f"{COUNTS}", "input", "sizes and settings, indexed by the N_… constants above")
SCALAR = _slot("scalar", float, "40", "input", "time, gravity and solver settings, indexed by the S_… constants below")
STATUS = _slot("status", int, "16", "derived", "outcome of the last call, indexed by the ST_… constants below")

# -- state
Q = _slot("q", float, "nq", "integrated", "coordinates of all bodies")
V = _slot("v", float, "nv", "integrated", "velocities of all bodies")
WORK = _slot("work", float, "nw", "integrated", "energy dissipated, work of drives, of applied efforts, of each closing joint [J]")
LAMBDA = _slot("lam", float, "nc", "warm start", "multipliers")
MEMORY = _slot("memory", float, "nm", "memory", "what a component remembers from step to step (unwrapped angles…)")
MERGED = _slot("merged", float, "nc", "memory", "1: of a joint that the modular solver solves inside, because it has become too soft")

# -- bodies
BODY_Q = _slot("body_q", int, "nb", "structure", "first coordinate of each body")
BODY_V = _slot("body_v", int, "nb", "structure", "first velocity of each body")
BODY_NV = _slot("body_nv", int, "nb", "structure", "number of velocities of each body")
BODY_P = _slot("body_p", int, "nb", "structure", "first parameter of each body in param")
BODY_W = _slot("body_w", int, "nb", "structure", "first cached number of each body in body_work")
BODY_M = _slot("body_m", int, "nb", "structure", "mass block of each body in mass (nv × nv, row-major)")
PARAM = _slot("param", float, "np", "parameter", "parameters of all components")
BODY_WORK = _slot("body_work", float, "nk", "derived", "what a body kind caches between its kernels (rotation matrix…)")
MASS = _slot("mass", float, "(Σnv²)", "parameter", "mass blocks: a column of the table of bodies")
QD = _slot("qd", float, "nq", "derived", "rates of the coordinates")
FORCE = _slot("force", float, "nv", "derived", "generalised forces: weight, gyroscopic and applied")
ACC = _slot("acc", float, "nv", "warm start", "accelerations v̇")
FRAME = _slot(
    "frame",
    float,
    "(24·nb)",
    "derived",
    "of each body, for whoever works in other coordinates: rotation, position of the centre of mass, their rates ω and v, α and a",
)
DELTA = _slot("delta", float, "nv", "derived", "increment (in the space of velocities) that `retract` adds to q")

# -- interface elements: material points and body-fixed directions
ELEM_ORDER = _slot("elem_order", int, "ne", "structure", "elements sorted by the kind of their body")
ELEM_BODY = _slot("elem_body", int, "ne", "structure", "body of each element")
ELEM_POINT = _slot("elem_point", int, "ne", "structure", "1: point, 0: direction")
ELEM_P = _slot("elem_p", float, "4·ne", "parameter", "local description of the element, as its body kind wants it")
ELEM_J = _slot("elem_j", int, "ne", "structure", "first entry of the element's Jacobian in x_jac")
ELEM_BLOCK = _slot("elem_block", int, "ne", "structure", "joint elements: block of jac they contribute to; −1 on ground")
X = _slot("x", float, "dim·ne", "derived", "position of the point, or direction, in world axes")
X_DOT = _slot("x_dot", float, "dim·ne", "derived", "its rate; zero, as allocated, on the ground")
X_BIAS = _slot("x_bias", float, "dim·ne", "derived", "its second rate when v̇ = 0; zero, as allocated, where x is linear in q")
X_JAC = _slot("x_jac", float, "Σdim·nv", "derived", "its Jacobian, dim × nv of its body, row-major")
X_EFFORT = _slot("x_effort", float, "dim·ne", "derived", "total effort on each element: of constraints (Gᵀλ) or of forces")
X_FORCE = _slot("x_force", float, "dim·ne", "derived", "force elements: effort on the point or direction")

# -- joints
JOINT_E = _slot("joint_e", int, "nj + 1", "structure", "first element of each joint")
JOINT_C = _slot("joint_c", int, "nj + 1", "structure", "first equation of each joint")
JOINT_G = _slot("joint_g", int, "nj", "structure", "first entry of each joint in g")
JOINT_P = _slot("joint_p", int, "nj", "structure", "first parameter of each joint in param")
JOINT_S = _slot("joint_s", int, "nj", "structure", "first signal of each joint")
JOINT_H = _slot("joint_h", int, "nj + 1", "structure", "number of joints before each that bodies can hang on")
G = _slot(
    "g",
    float,
    "Σnc·dim·ne",
    "derived",
    "∂φ̇/∂ẋ of each joint (∂φ/∂x at level 0), nc × (dim·elements), row-major; zero if not written",
)
PHI = _slot("phi", float, "nc", "derived", "position residual of the constraints; zero at level 1")
PHI_T = _slot("phi_t", float, "nc", "derived", "what φ̇ contains besides G ẋ; zero, as allocated, where the equation has no time in it")
PHI_DOT = _slot("phi_dot", float, "nc", "derived", "velocity residual G ẋ + φ_t")
GAMMA = _slot("gamma", float, "nc", "derived", "acceleration bias: φ̈ = J v̇ + γ (joints write Ġ ẋ + φ̈_t, the program adds G ẍ_bias)")
JAC = _slot("jac", float, "Σnc·nv", "derived", "constraint Jacobian by blocks (joint, body), nc × nv, row-major")
JB_START = _slot("jb_start", int, "nj + 1", "structure", "first Jacobian block of each joint")
JB_BODY = _slot("jb_body", int, "nblock", "structure", "body of each Jacobian block")
JB_OFFSET = _slot("jb_offset", int, "nblock + 1", "structure", "first entry of each Jacobian block in jac")
LEVEL = _slot("level", int, "nc", "parameter", "0: the equation holds for positions, φ = 0; 1: for velocities only, φ̇ = G ẋ + φ_t = 0")
MU = _slot("mu", float, "nc", "warm start", "regularisation of each equation, scaled to the mass it sees")
RAMP_C = _slot("ramp_c", int, "5·nr", "structure", "equation being closed, its joint, 1: silent, carrier or −1, point to meet")
RAMP_W = _slot("ramp_w", int, "nr", "structure", "entry of work that its work is booked in")
RAMP_P = _slot("ramp_p", float, "5·nr", "structure", "start, duration, time to stop in, gap and rate at the start")
RAMP_RATE = _slot("ramp_rate", float, "nr", "derived", "rate of the ramp at the present time")

# -- forces
FORCE_E = _slot("force_e", int, "nf + 1", "structure", "first element of each force")
FORCE_P = _slot("force_p", int, "nf", "structure", "first parameter of each force in param")
FORCE_S = _slot("force_s", int, "nf", "structure", "first signal of each force")
FORCE_M = _slot("force_m", int, "nf", "structure", "first memory entry of each force")
FORCE_K = _slot("force_k", int, "nf", "structure", "first entry of each force's tangent in x_stiff and x_damp")
ENERGY = _slot("energy", float, "nf", "derived", "potential energy of each force [J]")
POWER = _slot("power", float, "3·nf", "derived", "power of each force: dissipated, of drives, of applied efforts [W]")
OUTPUT = _slot("output", float, "nf", "derived", "the scalar a force element is asked for: tension, torque [N, N·m]")
X_STIFF = _slot("x_stiff", float, "Σ(dim·ne)²", "derived", "−∂F/∂x of each force, over its elements")
X_DAMP = _slot("x_damp", float, "Σ(dim·ne)²", "derived", "−∂F/∂ẋ of each force, over its elements")

# -- watches: quantities whose crossing of a threshold stops the run; see kernels/watches.py
WATCH_E = _slot("watch_e", int, "nwatch + 1", "structure", "first element of each watch")
WATCH_ROW = _slot("watch_row", int, "nwatch", "parameter", "row of the joint or force that is watched; −1: neither")
WATCH_K = _slot("watch_k", int, "3·nwatch", "parameter", "direction (−1 downwards, +1 upwards, 0 both) and two options of the kind")
WATCH_P = _slot("watch_p", float, "2·nwatch", "parameter", "threshold, and period with which it comes again; 0: there is only one")
WATCH_VALUE = _slot("watch_value", float, "nwatch", "derived", "quantity − threshold; angles are counted over turns")
WATCH_RATE = _slot("watch_rate", float, "nwatch", "derived", "rate of an angle, by which its turns are counted; zero of all others")
WATCH_OFF = _slot("watch_off", float, "nwatch", "derived", "how far an angle is from where its rates let expect it; zero of all others")
WATCH_CROSSED = _slot("watch_crossed", int, "nwatch", "derived", "1: it has crossed, in its direction, since the start of the last step")
WATCH_SIDE = _slot("watch_side", float, "nwatch", "watching", "sign of the value at the start of the last step; 0: on no side")
WATCH_LAST = _slot("watch_last", float, "nwatch", "watching", "value at the start of the last step")
WATCH_LAST_RATE = _slot("watch_last_rate", float, "nwatch", "watching", "its rate there, of an angle")
BACKUP = _slot("backup", float, "nbackup", "watching", "time, next step, settled, number of steps and the carried fields at that start")

# -- signals: functions of time, and curves: functions of one variable
SIGNAL_KIND = _slot(
    "signal_kind", int, "ns", "parameter", "0 piecewise polynomial, 1 harmonic, 2 compiled or Python callable, 3 sum of products"
)
SIGNAL_P = _slot("signal_p", int, "ns", "structure", "first parameter of each signal in param")
SIGNAL_N = _slot("signal_n", int, "ns", "parameter", "number of knots or coefficients; address of a callable")
SIGNAL = _slot("signal", float, "3·ns", "derived", "value, first and second derivative of each signal")

# -- programs: rows (address, first, last); model/places.py counts on their standing together, in the order of their counts
PROGRAM = _slot("program", int, "3·rows of program", "structure", "kernels that bring signals, bodies, elements and joints up to date")
FORCES = _slot("forces", int, "3·rows of forces", "structure", "kernels of the forces present")
TANGENTS = _slot("tangents", int, "3·rows of tangents", "structure", "kernels of the tangents of the forces present")
STIFFNESS = _slot(
    "stiffness",
    int,
    "3·rows of stiffness",
    "structure",
    "kernels of the geometric stiffness of efforts on elements, body kind by body kind",
)
RETRACT = _slot("retract", int, "3·rows of retract", "structure", "kernels that add delta to q, body kind by body kind")
WATCHES = _slot("watches", int, "3·rows of watches", "structure", "kernels of the watches present")
COMMIT = _slot("commit", int, "3·rows of commit", "structure", "kernels that update memory at an accepted step")
ROUTINE = _slot("routine", int, f"{ROUTINES}", "input", "addresses of the solver's own routines, indexed by the R_… constants below")

# -- KKT matrix by blocks; see kernels/blocksparse.py; model/kkt.py counts on node_size … couple standing together
NODE_SIZE = _slot("node_size", int, "n", "matrix", "rows of each node, in elimination order")
NODE_ROW = _slot("node_row", int, "n + 1", "matrix", "first row of each node in the permuted right-hand side")
NODE_DIAG = _slot("node_diag", int, "n", "matrix", "diagonal block of each node in lu")
COL_START = _slot("col_start", int, "n + 1", "matrix", "first sub-diagonal block of each node")
SUB_NODE = _slot("sub_node", int, "nsub", "matrix", "row node of each sub-diagonal block")
SUB_BLOCK = _slot("sub_block", int, "nsub", "matrix", "position of each sub-diagonal block in lu")
UPDATE = _slot("update", int, "nu", "matrix", "target blocks of the elimination, in the order they are met")
BODY_ROW = _slot("body_row", int, "nb", "matrix", "row of each body in the permuted right-hand side")
JOINT_ROW = _slot("joint_row", int, "nj", "matrix", "row of each joint in the permuted right-hand side")
BODY_LOAD = _slot("body_load", int, "nb", "matrix", "where each mass block is loaded in lu; −1 if the body has no velocity")
JOINT_LOAD = _slot("joint_load", int, "nj", "matrix", "where each joint's −μ block is loaded in lu")
JB_LOAD = _slot("jb_load", int, "nblock", "matrix", "where each Jacobian block is loaded in lu")
JB_FLIP = _slot("jb_flip", int, "nblock", "matrix", "1: the block is loaded transposed")
COUPLE = _slot("couple", int, "6·ncouple", "matrix", "blocks by which forces couple bodies in implicit schemes")
LU = _slot("lu", float, "nlu", "scratch", "the factor: unit-lower L by blocks, 1/D on the diagonals")
LU_TEMP = _slot("lu_temp", float, "ntemp", "scratch", "scaled blocks of the column being eliminated")
MASS_HAT = _slot("mass_hat", float, "Σnv²", "derived", "mass + damping and stiffness of forces, as implicit schemes see it")
COUPLING = _slot("coupling", float, "Σnv·nv", "derived", "off-diagonal blocks of the same")
RHS = _slot("rhs", float, "nv + nc", "scratch", "permuted right-hand side and solution")

# -- integrators
STAGE_Q = _slot("stage_q", float, "16·nq", "scratch", "stage rates of the coordinates")
STAGE_V = _slot("stage_v", float, "16·nv", "scratch", "stage accelerations")
STAGE_W = _slot("stage_w", float, "16·nw", "scratch", "stage powers")
Q0 = _slot("q0", float, "nq", "derived", "coordinates at the start of the step")
V0 = _slot("v0", float, "nv", "derived", "velocities at the start of the step")
W0 = _slot("w0", float, "2·nw", "derived", "work at the start and at the end of the step")
A0 = _slot("a0", float, "nv", "warm start", "algorithmic accelerations at the start of the step (implicit schemes)")
TEMP_V = _slot("temp_v", float, "8·nv", "scratch", "scratch")
TEMP_C = _slot("temp_c", float, "4·nc", "scratch", "scratch")
TEMP_Q = _slot("temp_q", float, "4·nq", "scratch", "scratch")
TABLEAU = _slot("tableau", float, "(n)", "input", "coefficients of an adaptive Runge–Kutta method; see integrators/adaptive.py")

# -- samples
SAMPLE_T = _slot("sample_t", float, "(n)", "derived", "times at which samples are wanted or were taken")
SAMPLE_Q = _slot("sample_q", float, "(n·nq)", "derived", "samples of q")
SAMPLE_V = _slot("sample_v", float, "(n·nv)", "derived", "samples of v")
SAMPLE_A = _slot("sample_a", float, "(n·nv)", "derived", "samples of v̇")
SAMPLE_L = _slot("sample_l", float, "(n·nc)", "derived", "samples of λ")
SAMPLE_W = _slot("sample_w", float, "(n·nw)", "derived", "samples of work")
SAMPLE_F = _slot("sample_f", float, "(n·nm)", "derived", "samples of memory")

#: slot of each field by its name
INDEX = {f.name: i for i, f in enumerate(FIELDS)}

# -- indices into scalar
S_TIME, S_GX, S_GY, S_GZ, S_STEP, S_OMEGA, S_XI, S_RTOL, S_ATOL, S_TOL = range(10)
(
    S_BETA,
    S_GAMMA,
    S_ALPHA_M,
    S_ALPHA_F,
    S_TIME0,
    S_MAX_STEP,
    S_MIN_STEP,
    S_END,
    S_VIOLATION,
    S_NEXT_STEP,
    S_MU,
    S_BETA_H,
    S_GAMMA_H,
    S_SHORT_STEP,
    S_KINETIC,
    S_TAKEN,
) = range(10, 26)
S_STOCK = 26  # … 30: what results/audit.py finds
S_LENGTH = 32  # [m] what lengths are compared with where steps are fixed
S_TURNING = 33  # how much softer equations between directions are

# -- indices into status
ST_CODE, ST_STEPS, ST_SAMPLE, ST_REJECTED, ST_EVALUATIONS, ST_STOP, ST_ITERATIONS, ST_FACTORISATIONS, ST_FRESH, ST_WATCHING = range(10)
ST_SHORT = 10
ST_TURNED = 11  # with CODE_TURNS: row of the force whose turns cannot be counted, or N_FORCE + that of the watch; −1: any count will do
ST_NOISY = 12  # probes in a row in which the error of an adaptive step was that of rounding
CODE_OK, CODE_NONFINITE, CODE_STEP_COLLAPSED, CODE_NOT_CONVERGED, CODE_STOPPED, CODE_EVENT, CODE_SOFT = range(7)
CODE_TURNS, CODE_IMPASSABLE = 7, 8

# -- indices into routine
R_EVALUATE, R_FACTOR, R_SOLVE, R_ACCELERATE, R_PROJECT, R_FORCES, R_TANGENTS, R_RETRACT, R_SAMPLES, R_CHECK = range(10)
R_PLAN = 10  # not a routine: what the modular or the recursive solver knows besides; see kernels/plan.py, kernels/tree.py
# where the coordinates are not those of the bodies: a routine that brings the bodies up to date, and (not a routine) their context
R_PUBLISH, R_BODIES = 11, 12
R_STEPS = 13  # of the integrator, where another kernel calls it
# what brings the bodies of subsystems to where their joint coordinates say, and (not a routine) the table of their tree
R_TIDY, R_TREE = 14, 15
R_ELIMINATE = 16


_RECORDS = {
    "count": Record("context.count", int, constants(globals(), "N_")),
    "scalar": Record("context.scalar", float, constants(globals(), "S_")),
    "status": Record("context.status", int, constants(globals(), "ST_")),
    "routine": Record("context.routine", int, constants(globals(), "R_")),
}
CONTEXT = Schema("context", [Named(f.name, f.type, f.meaning, _RECORDS.get(f.name)) for f in FIELDS])
