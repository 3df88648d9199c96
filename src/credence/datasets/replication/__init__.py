"""Credit data on many nodes: loaded on one, published in the store they share, fetched by every other.

publishing.py    a command's load, removal or dispute -> an edition in the store
fetching.py      the newest edition of a data set -> the folder of this node, by the same switch as a load
following.py     does so for as long as a server runs
"""
