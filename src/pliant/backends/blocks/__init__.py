"""Models as systems of blocks for the sparse solver (``solver``).

Every body is a block with its pose in the world (and its elastic coordinates), every joint a block
of multipliers, every force an element over the blocks it touches. Elements are the mechanics of
``pliant.mechanics`` over a few bodies; those of the same form share one piece of machine code and
differ in numbers only, so that cost and code grow with the number of elements at most.

    numbers, local      numbers of a model; an element in local names, its numbers apart
    forms, behaviour    the mechanics of a form over symbols of its blocks; residual and kind
    parts, objections   what a model consists of; what cannot be taken, by name
    model               blocks and elements of a system, dependent constraints left out
    start               the assembled initial state in blocks
    observe, shapes     observables of recorded states
    run, transient      motion;   equilibrium, path, critical: rest
"""
