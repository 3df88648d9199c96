"""Names and addresses in normal form. Loads and searches use the same functions, so that equal names compare equal."""

import re
import unicodedata
from collections.abc import Sequence

from credence.companies.facts.register import Office

# Full stops and apostrophes are removed, so P.L.C. becomes plc and JOE'S joes; every other sign separates words.
_JOINING = re.compile(r"[.'\u2019`]")
_WORD = re.compile(r"[^\W_]+")
_LEGAL_ENDINGS = frozenset({"limited", "ltd", "plc", "llp", "cyfyngedig", "cyf", "ccc"})
_LONG_LEGAL_ENDINGS = (["public", "limited", "company"], ["limited", "liability", "partnership"])
_OTHER_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ħ": "h",
        "ŧ": "t",
        "ŋ": "n",
        "\u0131": "i",
    }
)
"""Letters that Unicode does not decompose into a letter of ASCII and an accent, and how they are written in ASCII."""
_POSTCODE = re.compile(r"([a-z]{1,2}[0-9][a-z0-9]?)[0-9][a-z]{2}")

_IN_ASCII = {n: None if chr(n) in ".'`" else chr(n).lower() if chr(n).isalnum() else " " for n in range(128)}
_JOINED_IN_ASCII = {n: chr(n).lower() if chr(n).isalnum() else None for n in range(128)}
"""Does for ASCII text what the expressions above do for any text, in a fifth of the time: a load converts millions."""
_LINES_IN_ASCII = _IN_ASCII | {ord("\n"): "\n"}
_JOINED_LINES_IN_ASCII = _JOINED_IN_ASCII | {ord("\n"): "\n"}


def words(text: str) -> list[str]:
    """Return the words of a text in lower case and as far as possible in ASCII; an ampersand becomes the word "and"."""
    if text.isascii():
        return text.replace("&", " and ").translate(_IN_ASCII).split()
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _WORD.findall(_JOINING.sub("", plain.casefold().translate(_OTHER_LETTERS)).replace("&", " and "))


def joined_words(text: str) -> str:
    """Return the words of a text joined without spaces."""
    if text.isascii():
        return text.replace("&", "and").translate(_JOINED_IN_ASCII)
    return "".join(words(text))


def words_of_each(texts: Sequence[str]) -> list[list[str]]:
    """Return the `words` of each text, in less time than one by one; no text has a line end."""
    lines = "\n".join(texts)
    if texts and lines.isascii():
        return [line.split() for line in lines.replace("&", " and ").translate(_LINES_IN_ASCII).split("\n")]
    return list(map(words, texts))


def joined_words_of_each(texts: Sequence[str]) -> list[str]:
    """Return the `joined_words` of each text, in less time than one by one; no text has a line end."""
    lines = "\n".join(texts)
    if texts and lines.isascii():
        return lines.replace("&", "and").translate(_JOINED_LINES_IN_ASCII).split("\n")
    return list(map(joined_words, texts))


def name_words(name: str) -> list[str]:
    """Return the words of a company name without its legal ending, because people confuse Ltd and Limited.

    A name that consists only of such an ending keeps its first word.
    """
    return without_legal_ending(words(name))


def without_legal_ending(found: list[str]) -> list[str]:
    """Remove the legal ending from the words of a company name, as `name_words` does; return the list."""
    while len(found) > 1:
        if found[-1] in _LEGAL_ENDINGS:
            found.pop()
        elif len(found) > 3 and found[-3:] in _LONG_LEGAL_ENDINGS:
            del found[-3:]
        else:
            break
    return found


def postcode_words(postcode: str) -> list[str]:
    """Return a postcode without spaces and, for a British one, its outward half: `SW1A` finds `SW1A 1AA` too."""
    return words_of_postcode(joined_words(postcode))


def words_of_postcode(joined: str) -> list[str]:
    """Return the `postcode_words` of a postcode whose `joined_words` are given."""
    form = _POSTCODE.fullmatch(joined)
    return [joined, form[1]] if form else [joined] if joined else []


def address_key(office: Office) -> str:
    """Return a key that is equal for two spellings of an address (credit §2.2, address crowding); empty for too few parts.

    The key is the first line and the postcode. If the first line has no digit, it is the name of a building, and the second
    line is added. If the postcode is missing, second line and town replace it; the PO box replaces a missing first line.
    """
    return key_of_address(joined_words(street_of(office)), joined_words(office.postcode), office)


def street_of(office: Office) -> str:
    """Return the text whose `joined_words` begin the key of an address."""
    line = office.line_1
    if not (line[:1].isdigit() or any(map(str.isdigit, line))):
        line = f"{line} {office.line_2}"
    return f"{office.po_box} {line}"


def key_of_address(street: str, postcode: str, office: Office) -> str:
    """Return the `address_key` of an office whose street and postcode are given as `joined_words`."""
    if not street:
        return ""
    if postcode:
        return f"{street} {postcode}"
    town = joined_words(office.town)
    return f"{street} {joined_words(office.line_2)} {town}" if town else ""


def dissolved_at(address: str) -> str:
    """Return the key under which the dissolved companies of an `address_key` are counted; no address begins like it."""
    return f"~{address}"
