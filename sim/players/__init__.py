"""Players: finding and compiling strategies, Python players, search, the sandbox.

No rules and no run files are here.
"""
