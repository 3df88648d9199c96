"""Durations as people say them."""


def in_words(seconds: int) -> str:
    """Return a duration as text for a person, rounded down to whole days, hours or minutes."""
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "less than a minute"


def at_most_in_words(seconds: int) -> str:
    """Return a waiting time as text for a person, rounded up to whole minutes, or from two hours on to whole hours."""
    count, name = (-(-seconds // 3_600), "hour") if seconds > 7_200 else (-(-seconds // 60), "minute")
    return f"{count} {name}{'' if count == 1 else 's'}"
