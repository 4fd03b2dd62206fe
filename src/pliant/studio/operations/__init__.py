"""What the studio can do to a model: operations by name, each a gesture that can be undone.

An operation is planned from names and arguments and changes a draft of the text by proven splices;
it has a sentence for the history. One is added by a function with ``@operation`` in a file here.
"""
