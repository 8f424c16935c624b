"""The table of a recursive model: addresses of its arrays, indexed by the T_… constants. One row per link, in the order of the forest."""

# -- what a model is, in integers: counts (see below), motion, parent, first coordinate, first velocity, number of velocities, row of the
# body in the tables of the model; of each velocity: its link, and the velocity it hangs on (−1: none)
T_COUNT, T_MOTION, T_PARENT, T_Q0, T_V0, T_NV, T_BODY_ROW, T_LINK_OF, T_BEFORE = range(9)
T_ROOT = 72  # link that each link's tree grows from
# -- and in numbers: poses (12) of the joint on the parent and of the body on the link, turn between the angles of a universal joint (9),
# lead of a screw or ratio of a gear, mass and moments (10), inertia added to each velocity, gravity
T_PLACE, T_BODY_POSE, T_BETWEEN, T_LEAD, T_INERTIA, T_ARMATURE, T_GRAVITY = range(9, 16)
# -- what goes in and out: coordinates, velocities, accelerations, efforts in joints, matrix, efforts on bodies as they are given and about
# the origins of links; other numbers
T_Q, T_V, T_A, T_TAU, T_MASS, T_EXTERNAL, T_FORCE, T_OUT, T_ASKED = range(16, 25)
# -- found on the way: rotation (9), arm from the parent's origin (3), position (3), motion subspace (6 columns of 6), velocity (6),
# bias (6), acceleration (6), effort (6), mass and first and second moments (10), articulated inertia (36), its image of S (36), its
# inverse in the joint (36), the effort left to the joint (6)
T_R, T_ARM, T_POS, T_S, T_VEL, T_BIAS, T_ACC, T_EFFORT, T_BODY, T_ARTICULATED, T_U, T_D, T_LEFT = range(25, 38)
# -- arguments from Python
T_ARGUMENTS, T_OBJECT, T_KNOWN = range(38, 41)
# -- several states at once, see batches.py
T_BATCH = 41
# -- derivatives, see derivatives.py
T_REFERENCE, T_WORLD, T_COLUMNS, T_COMPOSITE, T_BY_Q, T_BY_V, T_FACTOR, T_OWN_A = range(42, 50)
# -- bodies of a model that is being advanced, see coupling.py: their context, the context of the joint coordinates, link of each body,
# programs: what forces and loops need of the bodies; from coordinates of bodies to frames, back, and accelerations
T_BODIES, T_JOINTS, T_LINK, T_PROGRAM, T_OBSERVE, T_SETTLE, T_FOLLOW, T_TREE_JOINT = range(50, 58)
# -- joints that close loops, see loops.py
T_LOOP, T_ENTRY, T_ELEMENT, T_WRENCH, T_RESPONSE, T_WEIGHTED, T_PRODUCT, T_MATRIX, T_RESIDUAL, T_LAMBDA = range(58, 68)
T_CORRECTION, T_JUMP, T_DELTA, T_OUT_V = range(68, 72)
T_KERNEL = 73  # addresses of kernels that others call, by the K_… constants below
# -- rotors that follow a joint, see followers.py: of each, its link, that of the joint and the row of its gear; of each link, the link that
# it follows, and where it stands when the coordinate of that is zero. The ratio is in T_LEAD
T_FOLLOWER, T_LEADER, T_OFFSET = range(74, 77)
T_COSINE, T_SINE = 77, 78  # of each coordinate, as if it were an angle
T_RESISTS = 79  # of each link: its mass, and a lower bound of its principal moments of inertia
T_LENGTH = 80

# -- indices into T_COUNT: links, velocities, coordinates; what was wrong: 0 nothing, 1 arguments, 2 + i the joint of link i has no inertia;
# rows of the programs; loops, their equations, entries and products; 1: there are forces or loops, which need the
# bodies; how often accelerations were looked at in this step
N_LINK, N_V, N_Q, REFUSED, N_PROGRAM, N_OBSERVE, N_SETTLE, N_FOLLOW, N_LOOP, N_EQUATION, N_ENTRY, N_PRODUCT, COUPLED, LOOKS = range(14)
N_FOLLOWER = 14  # rotors that follow a joint
N_ROW, N_ANSWER, N_ELEMENT = 15, 16, 17  # of loops: equations and answers of all entries, elements
FLAT = 18  # 1: all of it is in a plane
COUNTS = 19
SINGULAR = 2

PLACE = 12  # numbers of a pose: rotation, row by row, and position

# -- how algorithms are to be run: with accelerations; with efforts on bodies as they are given, or about the origins of links; links are
# where they should be already, and their velocities known
ACCELERATED, PUSHED, LOADED, PLACED = 1, 2, 4, 8

# -- kernels that others call through their addresses, so that each is compiled once, and only if it is needed
K_BEGIN, K_LOAD, K_FORWARD, K_CLOSE, K_ACCELERATE, K_OBSERVE, K_SETTLE, K_FOLLOW, K_REACTIONS, K_PROJECT, K_RESPOND, K_SOLVE = range(12)
KERNELS = 12
