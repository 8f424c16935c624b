"""The memory map of the modular solver, ``plan`` in kernels: what it needs besides the arrays of a model; see :mod:`bielle.modular.plan`.

Component lists are in the form "starts, entries": those of component c are entries starts[c] … starts[c + 1].
"""

from .schema import Field, Record, Schema, constants

# -- entries of number: tolerance on gaps, relative to scale; ω h of explicit joints, their damping ratio, δ of those between velocities;
# the gap, relative to scale, from which on an explicit joint is given up; the step of the level, by which explicit joints are made stiff;
# ε₁ of the adaptive step, 0: none, and the square of the perturbation in the present one; the end of the present part, how long a whole
# step is, and the longest part, if that is shorter; a velocity that does not count [m/s]
X_TOLERANCE, X_OMEGA, X_EPSILON, X_DELTA, X_SOFT, X_STEP, X_LIMIT, X_PERTURBATION, X_END, X_WHOLE, X_LONGEST, X_STILL = range(12)
# -- entries of kernel: called through their addresses, so that each is compiled once
(K_FACTOR, K_SOLVE, K_ITERATE, K_MOVE, K_LOOK, K_MEASURE, K_JOIN, K_WANT, K_RENEW, K_SEE, K_PUSH, K_ANSWER, K_TAKE) = range(13)
K_LEAVE, K_CORRECT, K_ARRIVE, K_NOTE_POWER, K_BOOK, K_JUDGE, K_PERTURB = range(13, 20)
K_BEGIN, K_PART, K_FINER, K_HAND_DOWN, K_REJOIN, K_RESTORE, K_TURN_ALL, K_NOTE_WORK, K_JUDGE_WORK = range(20, 29)
# -- entries of account
ACC_ITERATIONS, ACC_MOST, ACC_PASSES, ACC_MOST_PASSES, ACC_OPEN, ACC_SOLUTIONS, ACC_UNCLOSED, ACC_DIVIDED = range(8)
# -- what shares tell each other in gaps
G_GAP, G_TURNED, G_SOFT, G_ROUGH, G_AGAIN = range(5)

# -- of each share, the work of one thread: places in program and share_joint, components
(A_FIRST, A_LAST, B_FIRST, B_LAST, F_FIRST, F_LAST, R_FIRST, R_LAST, M_FIRST, M_LAST, J_FIRST, J_LAST, C_FIRST, C_LAST) = range(14)
SHARE = 16

LINE = 8  # numbers per cache line, so that threads do not write to the same ones

_number = Record("plan.number", float, constants(globals(), "X_"))
_kernel = Record("plan.kernel", int, constants(globals(), "K_"))
_account = Record("plan.account", int, constants(globals(), "ACC_"))

FIELDS: list[Field] = []


def _field(name: str, kind: type | str | None, meaning: str = "", record: Record | None = None) -> int:
    FIELDS.append(Field(name, kind, meaning, record))
    return len(FIELDS) - 1


# -- sizes and settings
P_THREADS = _field("threads", None, "number of threads")
P_EXPLICIT = _field("explicit", None, "1: loose joints are explicit, springs with the stiffness that the step allows")
P_METHOD = _field("method", None, "how loose joints are solved: see modular/loops.py")
P_ITERATIONS = _field("iterations", None, "the most that are allowed")
P_PASSES = _field("passes", None, "the most that close gaps")
P_N_INSIDE = _field("n_inside", None, "number of joints that are solved inside components")
P_N_LOOSE = _field("n_loose", None, "number of joints between components")
P_N_COMPONENT = _field("n_component", None, "number of components")
P_N_TEMP = _field("n_temp", None, "numbers of scratch of a thread")
P_YIELD = _field("yield_", None, "address of sched_yield, 0: there is none")
P_SLEEP = _field("sleep", None, "address of usleep")
P_CLOCK = _field("clock", None, "address of clock_gettime")
# -- numbers
P_INSIDE = _field("inside", "context", "the context of what is solved inside")
P_NUMBER = _field("number", float, "settings, by the X_… constants above", _number)
P_TEMP = _field("temp", float, "scratch of all threads")
P_GAPS = _field("gaps", float, "what shares tell each other, by the G_… constants above")
P_INVERSES = _field("inverses", int, "of each loose joint: where its block begins in inverse")
P_INVERSE = _field("inverse", float, "Cholesky factors of the inverse masses that loose joints see")
P_COUPLING = _field("coupling", float, "by loose joint: 1 + norms of what its neighbours do to it, relative to what it does itself")
P_WANTED = _field("wanted", float, "by row: the acceleration that joints want")
P_CHANGE = _field("change", float, "by velocity: what multipliers have changed")
P_LEAVE = _field("leave", float, "by row: multipliers at the start of the step")
P_PHI_T = _field("phi_t", float, "by row: φ_t at the start of the step")
P_RATE = _field("rate", float, "rates of ramps at the start of the step")
P_ROW = _field("row", float, "by row: residual of the iteration")
P_DIRECTION = _field("direction", float, "by row: direction of the iteration")
P_ANSWER = _field("answer", float, "by row: what components answer to it")
P_RESPONSE = _field("response", float, "right-hand side and solution of components")
P_LOCAL = _field("local", float, "matrices of components in the rows of their loose joints")
P_WORST = _field("worst", float, "by row: the largest gap")
P_POWER = _field("power", float, "powers at the start and at the end of the step")
# -- lists
P_SYNC = _field("sync", int, "counters by which threads wait for each other")
P_SHARE = _field("share", int, "of each thread: its work, by the A_FIRST … constants above")
P_PROGRAM = _field("program", int, "kernels of all shares")
P_SHARE_JOINT = _field("share_joint", int, "joints by share")
P_BODIES = _field("bodies", int, "bodies by component: starts")
P_BODY = _field("body", int, "and entries")
P_JOINTS = _field("joints", int, "joints inside, by component: starts")
P_JOINT = _field("joint", int, "and entries")
P_NODES = _field("nodes", int, "nodes of the matrix by component: starts")
P_NODE = _field("node", int, "and entries")
P_UPDATE = _field("update", int, "by node: its first update")
P_INSIDE_JOINT = _field("inside_joint", int, "joints that are solved inside")
P_LOOSE = _field("loose", int, "joints between components")
P_IS_LOOSE = _field("is_loose", int, "1 of these, by joint")
P_BLOCKS = _field("blocks", int, "Jacobian blocks of loose joints by body: starts")
P_BLOCK = _field("block", int, "and entries")
P_ELEMENTS = _field("elements", int, "elements by body: starts")
P_ELEMENT = _field("element", int, "and entries")
P_OF_BODY = _field("of_body", int, "component of each body")
P_LOCALS = _field("locals", int, "of each component: where it begins in local")
P_TOUCHES = _field("touches", int, "loose joints by component: starts")
P_TOUCH = _field("touch", int, "and entries")
P_WHERES = _field("wheres", int, "of each loose joint: its components, starts")
P_WHERE = _field("where", int, "and entries: component, where its rows stand there, number of rows there")
P_ACCOUNT = _field("account", int, "what was done, by the ACC_… constants above", _account)
P_MORE = _field("more", float, "by row: what closing gaps adds to multipliers")
P_KERNEL = _field("kernel", int, "addresses of kernels, by the K_… constants above", _kernel)
P_HAS_SEEN = _field("has_seen", None, "1: explicit joints know the masses they see")
P_JAC = _field("jac", float, "Jacobian with which these were found")
P_KEPT = _field("kept", float, "state at the start of a step that may be taken again")
P_TURNING = _field("turning", int, "by body: first of three angular velocities among its velocities, −1: it has none")
# -- rates
P_LEVEL = _field("level", None, "level of rates, 0: the slowest")
P_SELF = _field("self", None, "address of the plan itself")
P_FINER = _field("finer", "plan", "plan of the level above, 0: there is none")
P_PARTS = _field("parts", None, "how many steps that takes in one of this")
P_HELD = _field("held", int, "by body: 1 if a level above advances it")
P_EXTERNAL = _field("external", float, "efforts on bodies from other levels")
P_PART = _field("part", float, "what of them belongs to a part of the step")
P_INVERSE_MASS = _field("inverse_mass", float, "of each body, block by block")
P_N_ROWS = _field("n_rows", None, "rows of this level")
P_ROWS = _field("rows", int, "these")
P_N_FORCES = _field("n_forces", None, "forces of this level")
P_FORCES = _field("forces", int, "these")
P_OWN_ELEMENTS = _field("own_elements", int, "elements of this level by body: starts")
P_OWN_ELEMENT = _field("own_element", int, "and entries")
P_OWN_BLOCKS = _field("own_blocks", int, "blocks of this level by body: starts")
P_OWN_BLOCK = _field("own_block", int, "and entries")
P_REHEARSES = _field("rehearses", None, "1: the step is tried only")
# -- bodies whose mass is as an implicit integrator sees it
P_N_IMPLICIT = _field("n_implicit", None, "their number")
P_IMPLICIT = _field("implicit", int, "these, and how many bodies the forces on each act on")
P_IS_IMPLICIT = _field("is_implicit", int, "1 of these, by body")
# -- masses that explicit joints see
P_LONE = _field("lone", int, "by component: its body, if it is one alone; −1: it is not")
P_TURNED = _field("turned", int, "by joint: 1 if the mass it sees has changed")
P_AFRESH = _field("afresh", int, "by component: how many of its joints have turned")
P_ALLOWED = _field("allowed", float, "by joint: by how much its Jacobian may change before")
P_SCRATCH = _field("scratch", float, "scratch")
P_N_OWN_LOOSE = _field("n_own_loose", None, "loose joints of this level")
P_OWN_LOOSE = _field("own_loose", int, "these")
P_LOSS = _field("loss", float, "what explicit joints take")
# -- judging a step
P_LEFT = _field("left", float, "by joint: what closed joints do")
P_KINETIC = _field("kinetic", float, "by body: its kinetic energy")
P_GROUP = _field("group", int, "by body and by joint, one body that stands for all that hangs together with it")
P_SUMS = _field("sums", float, "sums of these")
P_MOVED = _field("moved", float, "what closing gaps has changed velocities by in this step")
P_BASE = _field("base", float, "multipliers before it did")
P_HOLDS = _field("holds", int, "of each component: where it begins in hold")
P_HOLD = _field("hold", float, "what joints inside do when a loose one pushes: rows of loose joints × rows of those inside")
P_MOST = _field("most", float, "the most of that, by row of those inside")
P_SCALE = _field("scale", float, "by row: what its gap is compared with, the size of bodies or 1")
P_LIGHTNESS = _field("lightness", float, "by row of loose joints: inverse mass of their bodies along it")

P_LENGTH = len(FIELDS)
PLAN = Schema("plan", FIELDS)
