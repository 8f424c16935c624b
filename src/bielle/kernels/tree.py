"""The memory map of a recursive model, ``t`` in kernels. One row per link, in the order of the forest; see :mod:`bielle.recursive`."""

from .schema import Field, Record, Schema, constants

# -- entries of count
#: links, velocities, coordinates; what was wrong: 0 nothing, 1 arguments, 2 + i the joint of link i has no inertia
N_LINK, N_V, N_Q, N_REFUSED = range(4)
#: rows of the programs; loops, their equations, entries and products
N_PROGRAM, N_OBSERVE, N_SETTLE, N_FOLLOW, N_LOOP, N_EQUATION, N_ENTRY, N_PRODUCT = range(4, 12)
#: 1: there are forces or loops, which need the bodies; how often accelerations were looked at in this step
N_COUPLED, N_LOOKS = 12, 13
N_FOLLOWER = 14  # rotors that follow a joint
N_ROW, N_ANSWER, N_ELEMENT = 15, 16, 17  # of loops: equations and answers of all entries, elements
N_FLAT = 18  # 1: all of it is in a plane
COUNTS = 19
SINGULAR = 2

PLACE = 12  # numbers of a pose: rotation, row by row, and position

# -- how algorithms are to be run: with accelerations; with efforts on bodies as they are given, or about the origins of links; links are
# where they should be already, and their velocities known
ACCELERATED, PUSHED, LOADED, PLACED = 1, 2, 4, 8

# -- entries of kernel: kernels that others call through their addresses, so that each is compiled once, and only if it is needed
K_BEGIN, K_LOAD, K_FORWARD, K_CLOSE, K_ACCELERATE, K_OBSERVE, K_SETTLE, K_FOLLOW, K_REACTIONS, K_PROJECT, K_RESPOND, K_SOLVE = range(12)
KERNELS = 12

_count = Record("tree.count", int, constants(globals(), "N_"))
_kernel = Record("tree.kernel", int, constants(globals(), "K_"))

FIELDS: list[Field] = []


def _field(name: str, kind: type | str | None, meaning: str = "", record: Record | None = None) -> int:
    FIELDS.append(Field(name, kind, meaning, record))
    return len(FIELDS) - 1


# -- what a model is
T_COUNT = _field("count", int, "sizes, by the N_… constants above", _count)
T_MOTION = _field("motion", int, "of each link: what its joint allows, see kernels/motions.py")
T_PARENT = _field("parent", int, "of each link: the link it hangs on, −1: the ground")
T_Q0 = _field("q0", int, "of each link: its first coordinate")
T_V0 = _field("v0", int, "of each link: its first velocity")
T_NV = _field("nv", int, "of each link: number of its velocities")
T_BODY_ROW = _field("body_row", int, "of each link: row of its body in the tables of the model")
T_ROOT = _field("root", int, "of each link: the link its tree grows from")
T_LINK_OF = _field("link_of", int, "of each velocity: its link")
T_BEFORE = _field("before", int, "of each velocity: the velocity it hangs on, −1: none")
T_PLACE = _field("place", float, "of each link: pose (12) of the joint on the parent")
T_BODY_POSE = _field("body_pose", float, "of each link: pose (12) of the body")
T_BETWEEN = _field("between", float, "of each link: rotation (9) between the angles of a universal joint")
T_LEAD = _field("lead", float, "of each link: lead of a screw or ratio of a gear")
T_INERTIA = _field("inertia", float, "of each link: mass, first and second moments (10)")
T_ARMATURE = _field("armature", float, "of each velocity: inertia added to it")
T_GRAVITY = _field("gravity", float, "(3)")
# -- what goes in and out
T_Q = _field("q", float, "coordinates")
T_V = _field("v", float, "velocities")
T_A = _field("a", float, "accelerations")
T_TAU = _field("tau", float, "efforts in joints")
T_MASS = _field("mass", float, "the matrix M(q)")
T_EXTERNAL = _field("external", float, "efforts on bodies, as they are given")
T_FORCE = _field("force", float, "efforts on bodies, about the origins of links (6)")
T_OUT = _field("out", float, "results of other functions")
T_ASKED = _field("asked", float, "other numbers that go in")
# -- found on the way, for each link
T_R = _field("r", float, "rotation (9)")
T_ARM = _field("arm", float, "arm from the parent's origin (3)")
T_POS = _field("pos", float, "position (3)")
T_S = _field("s", float, "motion subspace S, six columns of (6)")
T_VEL = _field("vel", float, "velocity (6)")
T_BIAS = _field("bias", float, "acceleration without those of the joints (6)")
T_ACC = _field("acc", float, "acceleration (6)")
T_EFFORT = _field("effort", float, "effort (6)")
T_BODY = _field("body", float, "mass, first and second moments (10) in world axes")
T_ARTICULATED = _field("articulated", float, "articulated inertia (36)")
T_U = _field("u", float, "its image of S (36)")
T_D = _field("d", float, "inverse of SᵀU (36)")
T_LEFT = _field("left", float, "effort left to the joint (6)")
# -- arguments from Python
T_ARGUMENTS = _field("arguments", int, "arrays that a function was called with")
T_OBJECT = _field("object", int, "where objects of NumPy have what")
T_KNOWN = _field("known", int, "what is known of the arguments from the call before")
T_BATCH = _field("batch", int, "several states at once, see recursive/batches.py")
# -- derivatives, see recursive/derivatives.py
T_REFERENCE = _field("reference", float)
T_WORLD = _field("world", float)
T_COLUMNS = _field("columns", float)
T_COMPOSITE = _field("composite", float)
T_BY_Q = _field("by_q", float)
T_BY_V = _field("by_v", float)
T_FACTOR = _field("factor", float)
T_OWN_A = _field("own_a", float)
# -- bodies of a model that is being advanced, see recursive/coupling.py
T_BODIES = _field("bodies", "context", "the context of the bodies")
T_JOINTS = _field("joints", "context", "the context of the joint coordinates")
T_LINK = _field("link", int, "of each body: its link")
T_PROGRAM = _field("program", int, "what forces and loops need of the bodies")
T_OBSERVE = _field("observe", int, "from coordinates of bodies to frames")
T_SETTLE = _field("settle", int, "from frames to coordinates of bodies")
T_FOLLOW = _field("follow", int, "accelerations of bodies from those of frames")
T_TREE_JOINT = _field("tree_joint", int, "of each link: row of its joint")
# -- joints that close loops, see recursive/loops.py
T_LOOP = _field("loop", int)
T_ENTRY = _field("entry", int)
T_ELEMENT = _field("element", int)
T_WRENCH = _field("wrench", float)
T_RESPONSE = _field("response", float)
T_WEIGHTED = _field("weighted", float)
T_PRODUCT = _field("product", int)
T_MATRIX = _field("matrix", "context", "the context of the matrix of the loops")
T_RESIDUAL = _field("residual", float)
T_LAMBDA = _field("lam", float, "multipliers of the loops")
T_CORRECTION = _field("correction", float)
T_JUMP = _field("jump", float)
T_DELTA = _field("delta", float)
T_OUT_V = _field("out_v", float)
T_KERNEL = _field("kernel", int, "addresses of kernels, by the K_… constants above", _kernel)
# -- rotors that follow a joint, see recursive/followers.py
T_FOLLOWER = _field("follower", int, "of each rotor: its link, that of the joint and the row of its gear")
T_LEADER = _field("leader", int, "of each link: the link that it follows; the ratio is in lead")
T_OFFSET = _field("offset", float, "of each link: where it stands when the coordinate of its leader is zero")
T_COSINE = _field("cosine", float, "of each coordinate, as if it were an angle")
T_SINE = _field("sine", float, "of each coordinate, as if it were an angle")
T_RESISTS = _field("resists", float, "of each link: its mass, and a lower bound of its principal moments of inertia")

T_LENGTH = len(FIELDS)
TREE = Schema("tree", FIELDS, constant=False)  # functions exchange the arrays of arguments and results
