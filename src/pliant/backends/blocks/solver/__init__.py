"""Block-sparse Newton solver for large systems in absolute coordinates.

Unknowns come in blocks (a body, a node, the multipliers of a joint), equations from elements that
touch a few blocks each. The order of elimination is found once per topology; factorisation,
assembly and time steps are machine code. Cost is linear in the number of elements wherever the
fill is (chains, trees, frames, few loops).

    element            kinds of elements: residual and tangent over blocks
    system             blocks and elements to arrays; residual, tangent, motion
    statics            equilibria, paths through limit points, critical loads
    transient          motion: generalized-alpha with step control, or steps that conserve energy
                       and momenta (discrete_gradient)
    elimination        pivots, order of elimination and the flat plan of it
    matrix             factors, solutions

Compiled loops are in ``loops``.

Pivoting is inside the blocks of a pivot only. At rest, parts that are held by their joints alone
are held by springs along the constraints while they are eliminated, which changes no solution. In
motion a body without mass must be held by its joint. Constraints must not repeat each other. What
cannot be eliminated is reported by the name of the block.
"""
