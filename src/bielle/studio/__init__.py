"""The studio: a workbench in the browser, in which a mechanism is built, run, grabbed, cut, rewired, measured and undone while it moves.

``workbench`` is a session with a queue of commands and a feed of what happens, and knows no network; ``server`` lets browsers take part.
The page itself is in ``studio/web`` of the source tree, and in ``static`` here once it is built.
"""
