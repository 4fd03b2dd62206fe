"""Methods of motion that run over blocks, and whether their steps conserve energy."""

METHODS = {"sparse-alpha": False, "sparse-conserving": True}
