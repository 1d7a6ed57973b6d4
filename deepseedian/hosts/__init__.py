"""Other programs that talk to models, and what makes them ours: their configuration files, their hooks, a plugin for one of them.

Nothing here opens a vault. What a host says or keeps in its files is data from outside: it is bounded, checked and never
obeyed, and no file of a host loses a byte that is not ours.
"""
