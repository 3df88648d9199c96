"""The public sources, one by one: what they publish becomes facts here and nowhere else."""


class LoadError(ValueError):
    """The files cannot become a data set. The message is for the operator and holds nothing from the rows."""
