"""The table of a recursive model: addresses of its arrays, indexed by the T_… constants. One row per link, in the order of the forest."""

# -- what a model is: integers; numbers
T_COUNT, T_MOTION, T_PARENT, T_Q0, T_V0, T_NV = range(6)
T_PLACE, T_TWIST, T_INERTIA, T_GRAVITY = range(6, 10)
# -- what goes in and out
T_Q, T_V, T_A, T_TAU, T_MASS, T_FORCE = range(10, 16)
# -- found on the way: rotation (9), arm from the parent's origin (3), position (3), motion subspace (6 columns of 6), velocity (6),
# bias (6), acceleration (6), effort (6), mass and first and second moments (10), articulated inertia (36), its image of S (36), its
# inverse in the joint (36), the effort left to the joint (6)
T_R, T_ARM, T_POS, T_S, T_VEL, T_BIAS, T_ACC, T_EFFORT, T_BODY, T_ARTICULATED, T_U, T_D, T_LEFT = range(16, 29)
# -- arguments from Python
T_ARGUMENTS, T_OBJECT, T_KNOWN = range(29, 32)
T_LENGTH = 32

# -- indices into T_COUNT: links, velocities, coordinates; 1 if arguments were not as they should be
N_LINK, N_V, N_Q, REFUSED = range(4)

PLACE = 12  # numbers of a pose: rotation, row by row, and position
