"""Networks of the user as bond graphs: their graph, laws, stores and equations."""
