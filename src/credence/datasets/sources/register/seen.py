"""Which company numbers a load has seen: a bit each, because 5.6 million texts would fill the memory."""

_SIX_DIGITS = 1_000_000
_EIGHT_DIGITS = 100_000_000


class Seen:
    """The numbers so far, normalised ones: 13 MB for all that are digits, an eighth of one for each prefix."""

    def __init__(self) -> None:
        self._bits: dict[str, bytearray] = {}
        self._others: set[str] = set()

    def again(self, number: str) -> bool:
        """Tell whether the number was seen before, and see it."""
        if number.isdigit():
            prefix, serial = "", int(number)
        elif number[2:].isdigit():
            prefix, serial = number[:2], int(number[2:])
        else:  # as IP00261C, which ends in a letter
            known = number in self._others
            self._others.add(number)
            return known
        bits = self._bits.get(prefix)
        if bits is None:
            bits = self._bits[prefix] = bytearray((_SIX_DIGITS if prefix else _EIGHT_DIGITS) // 8)
        place, bit = serial >> 3, 1 << (serial & 7)
        known = bits[place] & bit != 0
        bits[place] |= bit
        return known
