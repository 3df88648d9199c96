"""Amounts of money in sentences: `£7.83 million`, `£260,000`, `USD 254,000`."""

_POUND = "GBP"
_MILLION = 1_000_000


def amount_in_words(amount: float, currency: str = _POUND) -> str:
    """Return an amount without its sign; from a million on with three figures at least."""
    size = abs(amount)
    sign = "£" if currency == _POUND else f"{currency} " if currency else ""
    if size < _MILLION:
        return f"{sign}{size:,.0f}"
    millions = size / _MILLION
    return f"{sign}{millions:,.{0 if millions >= 100 else 1 if millions >= 10 else 2}f} million"
