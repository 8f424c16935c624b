"""Growing: which body hangs on which joint, and where its link is, found from the tables of a model in a few passes.

A running simulation grows its trees anew at every change of its topology: a hundred bodies take some ten microseconds here.
"""

from ..kernels.lazy import entry, helper, once
from ..kernels.motions import FOLLOWING, FREE, MOTIONS, PLANAR
from ..kernels.pointers import at, clear, floats, ints, tree_at
from ..model.places import HANGING
from .followers import FOLLOWER
from .links import nine, store, times

# what the kernel is handed: numbers (see below); of joints: where elements start, bodies of these, where hangings start, hangings,
# 1 if it is not to be part of a tree, 2 if it is internal to a body; inertias of bodies; the table to fill; 1 for links that hang the other
# way round; loops; of rotors: bearing, gear and joint; their ratios
G_NUMBER, G_JOINT_E, G_ELEM_BODY, G_HANG, G_HANGING, G_LEFT_OUT, G_INERTIA, G_TABLE, G_BACKWARDS, G_LOOPS, G_SCRATCH = range(11)
G_ROTOR, G_RATIO = 11, 12
LEFT_OUT, INTERNAL = 1, 2
# bodies, joints, row of the root (0: the ground), dimension, rotors, 1 if the heaviest body of a free tree is its root; found:
# coordinates, velocities, loops, rotors that follow
N_BODIES, N_JOINTS, ROOT, DIM, N_ROTORS, HEAVIEST, FOUND_Q, FOUND_V, FOUND_LOOPS, FOUND_FOLLOWERS = range(10)
_LATER = -3  # link of a rotor before all others are there
_SEEN = -4  # of a body in the search for the heaviest
# coordinates and velocities of each motion, an octal digit each: an index into a tuple could raise
_NQ, _NV = (sum(number << 3 * k for k, number in enumerate(numbers)) for numbers in zip(*((m.nq, m.nv) for m in MOTIONS.values())))


def scratch_length(bodies: int, joints: int) -> int:
    """Integers of scratch: ends of joints, where those of a body start, these, and the queue."""
    return 2 * joints + (bodies + 2) + 2 * joints + bodies


@entry
def grow(g, unused, unused_too):
    """Links such that each hangs on one before it. Joints are taken in the order of their table, nearest to the ground first."""
    number, t = ints(g, G_NUMBER), tree_at(g[G_TABLE])
    nb, nj = number[N_BODIES], number[N_JOINTS]
    ends = ints(g, G_SCRATCH)
    start, joints = at(ends, 2 * nj), at(ends, 2 * nj + nb + 2)
    queue, link, loops = at(joints, 2 * nj), t.link, ints(g, G_LOOPS)
    _connect(g, nb, nj, ends, start, joints)
    for b in range(nb):
        link[b] = -2
    for j in range(nj):
        loops[j] = 1
    link[0], made = -1, 0
    for r in range(number[N_ROTORS]):
        link[_rotor(ends, ints(g, G_ROTOR)[3 * r])] = _LATER
    if number[ROOT] > 0:
        made = _grow_from(g, number[ROOT], made, ends, start, joints, queue)
    queue[0] = 0
    made = _spread(g, 1, made, ends, start, joints, queue)
    for b in range(1, nb):
        if link[b] == -2:
            root = _heaviest(g, b, ends, start, joints, queue) if number[HEAVIEST] == 1 else b
            made = _grow_from(g, root, made, ends, start, joints, queue)
    made = _hang_rotors(g, made, ends)
    left = 0
    for j in range(nj):
        if loops[j] == 1 and ints(g, G_LEFT_OUT)[j] != INTERNAL:
            loops[left] = j
            left += 1
    number[FOUND_LOOPS] = left
    _count(g, t, made)
    _reflect(g, t)


@helper
def _rotor(ends, bearing):
    """The body on a bearing, whose other end is the ground."""
    return ends[2 * bearing + 1] if ends[2 * bearing] == 0 else ends[2 * bearing]


@once
def _hang_rotors(g, made, ends):
    """Rotors come last, behind the joints that they follow. If one of these is not part of a tree, gear and rotor are like any other."""
    number, t, loops = ints(g, G_NUMBER), tree_at(g[G_TABLE]), ints(g, G_LOOPS)
    found = 0
    for r in range(number[N_ROTORS]):
        rotor = at(ints(g, G_ROTOR), 3 * r)
        j, leader = rotor[0], -1
        body = _rotor(ends, j)
        for k in range(2):
            link = t.link[ends[2 * rotor[2] + k]]
            if link >= 0 and t.tree_joint[link] == rotor[2]:
                leader = link
        loops[j] = 0
        t.link[body] = made
        t.parent[made], t.body_row[made], t.tree_joint[made] = -1, body, j
        backwards = 1 if body == ends[2 * j] else 0
        ints(g, G_BACKWARDS)[made] = backwards
        _place(g, t, made, j, backwards)
        _weigh(g, t, made, body)
        if leader >= 0:
            loops[rotor[1]] = 0
            t.motion[made], t.leader[made], t.lead[made] = FOLLOWING, leader, floats(g, G_RATIO)[r]
            follower = at(t.follower, FOLLOWER * found)
            follower[0], follower[1], follower[2] = made, leader, rotor[1]
            found += 1
        made += 1
    number[FOUND_FOLLOWERS] = found
    return made


@once
def _reflect(g, t):
    """Inertias of rotors that follow a joint, about their axes, as its armature."""
    for k in range(ints(g, G_NUMBER)[FOUND_FOLLOWERS]):
        follower = at(t.follower, FOLLOWER * k)
        i, ratio = follower[0], t.lead[follower[0]]
        t.armature[t.v0[follower[1]]] += ratio * ratio * t.inertia[10 * i + 9]


@once
def _connect(g, nb, nj, ends, start, joints):
    """Bodies a and b of every joint (the body of its first element, and the first other one), and the joints of every body."""
    joint_e, body, hang = ints(g, G_JOINT_E), ints(g, G_ELEM_BODY), ints(g, G_HANG)
    for b in range(nb + 2):
        start[b] = 0
    for j in range(nj):
        a = body[joint_e[j]]
        b = a
        for e in range(joint_e[j] + 1, joint_e[j + 1]):
            if body[e] != a:
                b = body[e]
                break
        ends[2 * j], ends[2 * j + 1] = a, b
        if hang[j + 1] > hang[j] and ints(g, G_LEFT_OUT)[j] == 0:
            start[a + 2] += 1
            start[b + 2] += 1
    for b in range(nb + 1):
        start[b + 1] += start[b]
    for j in range(nj):
        if hang[j + 1] > hang[j] and ints(g, G_LEFT_OUT)[j] == 0:
            for k in range(2):
                b = ends[2 * j + k]
                joints[start[b + 1]] = j
                start[b + 1] += 1


@once
def _grow_from(g, b, made, ends, start, joints, queue):
    """A free body, and everything that can hang on it."""
    number, t = ints(g, G_NUMBER), tree_at(g[G_TABLE])
    t.link[b] = made
    t.motion[made] = FREE if number[DIM] == 3 else PLANAR
    t.parent[made], t.body_row[made], t.tree_joint[made], ints(g, G_BACKWARDS)[made] = -1, b, -1, 0
    place, body, between = at(t.place, 12 * made), at(t.body_pose, 12 * made), at(t.between, 9 * made)
    for frame in (place, body):
        clear(12, frame)
        frame[0], frame[4], frame[8] = 1.0, 1.0, 1.0
    clear(9, between)
    t.lead[made] = 0.0
    _weigh(g, t, made, b)
    queue[0] = b
    return _spread(g, 1, made + 1, ends, start, joints, queue)


@once
def _heaviest(g, b, ends, start, joints, queue):
    """The heaviest of the bodies that would hang together with body b. Nothing is lost by rounding if light ones hang on it."""
    link, inertia = tree_at(g[G_TABLE]).link, floats(g, G_INERTIA)
    queue[0], link[b] = b, _SEEN
    first, waiting, best = 0, 1, b
    while first < waiting:
        body = queue[first]
        first += 1
        if inertia[10 * (body - 1)] > inertia[10 * (best - 1)]:
            best = body
        for k in range(start[body], start[body + 1]):
            j = joints[k]
            other = ends[2 * j + 1] if ends[2 * j] == body else ends[2 * j]
            if link[other] == -2:
                link[other] = _SEEN
                queue[waiting] = other
                waiting += 1
    for k in range(waiting):
        link[queue[k]] = -2
    return best


@once
def _spread(g, waiting, made, ends, start, joints, queue):
    """Hang bodies on those in the queue, and on these in turn. Returns how many links there are then."""
    t, loops = tree_at(g[G_TABLE]), ints(g, G_LOOPS)
    link, first = t.link, 0
    while first < waiting:
        parent = queue[first]
        first += 1
        for k in range(start[parent], start[parent + 1]):
            j = joints[k]
            child = ends[2 * j + 1] if ends[2 * j] == parent else ends[2 * j]
            if link[child] != -2:
                continue
            loops[j] = 0
            link[child] = made
            t.parent[made], t.body_row[made], t.tree_joint[made] = link[parent], child, j
            backwards = 1 if child == ends[2 * j] else 0
            ints(g, G_BACKWARDS)[made] = backwards
            _place(g, t, made, j, backwards)
            _weigh(g, t, made, child)
            queue[waiting] = child
            waiting += 1
            made += 1
    return made


@helper
def _flipped(W):
    """Half a turn about x: a joint that is gone through backwards counts forwards."""
    return W[0], -W[1], -W[2], W[3], -W[4], -W[5], W[6], -W[7], -W[8]


@helper
def _turned_back(W):
    return W[0], W[3], W[6], W[1], W[4], W[7], W[2], W[5], W[8]


@once
def _place(g, t, i, j, backwards):
    """Poses of link i, which hangs on joint j: of the joint on the parent's link, and of the body on its own; the rest of the joint."""
    numbers = at(floats(g, G_HANGING), HANGING * ints(g, G_HANG)[j])
    t.motion[i] = int(numbers[0])
    on_parent, on_child = at(numbers, 1), at(numbers, 13)
    between = nine(at(numbers, 25))
    if backwards == 1:
        on_parent, on_child = on_child, on_parent
    W, V = nine(on_parent), nine(on_child)
    if backwards == 1:
        W, V, between = _flipped(W), _flipped(V), _flipped(_turned_back(_flipped(between)))
    body, place = at(t.body_pose, 12 * i), at(t.place, 12 * i)
    store(_turned_back(V), body)
    for k in range(3):
        body[9 + k] = -(V[k] * on_child[9] + V[3 + k] * on_child[10] + V[6 + k] * on_child[11])
    parent = t.parent[i]
    x, y, z = on_parent[9], on_parent[10], on_parent[11]
    if parent >= 0:
        frame = at(t.body_pose, 12 * parent)
        P = nine(frame)
        W = times(P, W)
        x, y, z = P[0] * x + P[1] * y + P[2] * z, P[3] * x + P[4] * y + P[5] * z, P[6] * x + P[7] * y + P[8] * z
        x, y, z = frame[9] + x, frame[10] + y, frame[11] + z
    store(W, place)
    place[9], place[10], place[11] = x, y, z
    store(between, at(t.between, 9 * i))
    t.lead[i] = numbers[34]


@once
def _weigh(g, t, i, b):
    """Mass, m c and inertia about the origin of link i, in its axes, of body b. The ground, row 0, has none."""
    given, body, out = at(floats(g, G_INERTIA), 10 * (b - 1)), at(t.body_pose, 12 * i), at(t.inertia, 10 * i)
    m, R = given[0], nine(body)
    c0 = body[9] + R[0] * given[1] + R[1] * given[2] + R[2] * given[3]
    c1 = body[10] + R[3] * given[1] + R[4] * given[2] + R[5] * given[3]
    c2 = body[11] + R[6] * given[1] + R[7] * given[2] + R[8] * given[3]
    xx, xy, xz, yy, yz, zz = given[4], given[5], given[6], given[7], given[8], given[9]
    J = times(times(R, (xx, xy, xz, xy, yy, yz, xz, yz, zz)), _turned_back(R))
    square = c0 * c0 + c1 * c1 + c2 * c2
    out[0], out[1], out[2], out[3] = m, m * c0, m * c1, m * c2
    out[4], out[5], out[6] = J[0] + m * (square - c0 * c0), J[1] - m * c0 * c1, J[2] - m * c0 * c2
    out[7], out[8], out[9] = J[4] + m * (square - c1 * c1), J[5] - m * c1 * c2, J[8] + m * (square - c2 * c2)
    trace = xx + yy + zz
    least = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)  # det J; two moments have at most (trace/2)²
    resists = at(t.resists, 2 * i)
    resists[0], resists[1] = m, 4.0 * least / (trace * trace) if trace > 0.0 else 0.0


@once
def _count(g, t, n):
    """Places of coordinates and velocities; what each velocity hangs on; the root of each link."""
    parent, motion, nv, q0, v0 = t.parent, t.motion, t.nv, t.q0, t.v0
    root, link_of, before = t.root, t.link_of, t.before
    q, v = 0, 0
    for i in range(n):
        q0[i], v0[i], nv[i] = q, v, (_NV >> 3 * motion[i]) & 7
        root[i] = i if parent[i] < 0 else root[parent[i]]
        on, p = -1, parent[i]
        while p >= 0 and nv[p] == 0:
            p = parent[p]
        if p >= 0:
            on = v0[p] + nv[p] - 1
        for k in range(nv[i]):
            link_of[v + k], before[v + k] = i, on
            on = v + k
        q += (_NQ >> 3 * motion[i]) & 7
        v += nv[i]
    q0[n], v0[n] = q, v
    ints(g, G_NUMBER)[FOUND_Q], ints(g, G_NUMBER)[FOUND_V] = q, v
