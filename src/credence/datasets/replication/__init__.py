"""Credit data on several nodes: one node loads and publishes it in the shared store, the others fetch it.

publishing.py    publishes a command's load, removal or dispute as an edition in the store
fetching.py      fetches the newest edition of a data set and activates it as a load does
following.py     fetches new editions as long as a server runs
"""
