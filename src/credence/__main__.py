"""`python -m credence` is the command `credence`."""

from credence.cli import main

main()
