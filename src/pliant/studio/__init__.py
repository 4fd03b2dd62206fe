"""Studio: a page on this machine in which a model is looked at, run and compared.

The text of the model file is the model: every view is made from it, and every change is a change of
it. ``document`` keeps the text, its history and its journal; ``views`` say what the page shows;
``work`` computes in processes of its own; ``serve`` talks to the page.
"""
