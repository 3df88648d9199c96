"""Names as words to search by: the load and the search fold them in the same way, so that they meet."""

import re
import unicodedata

# A full stop or an apostrophe joins, so that P.L.C. is plc and JOE'S is joes; all other signs part words.
_JOINING = re.compile(r"[.'\u2019`]")
_WORD = re.compile(r"[^\W_]+")
_LEGAL_ENDINGS = frozenset({"limited", "ltd", "plc", "llp", "cyfyngedig", "cyf", "ccc"})
_LONG_LEGAL_ENDINGS = (["public", "limited", "company"], ["limited", "liability", "partnership"])
_POSTCODE = re.compile(r"([a-z]{1,2}[0-9][a-z0-9]?)[0-9][a-z]{2}")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case without accents; an ampersand is the word "and"."""
    if text.isascii() and text.replace(" ", "").isalnum():
        return text.lower().split()
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _WORD.findall(_JOINING.sub("", plain.casefold()).replace("&", " and "))


def name_words(name: str) -> list[str]:
    """Return the words of a company name without its legal ending: nobody remembers whether it was Ltd or Limited.

    A name that is nothing but such an ending keeps its first word.
    """
    found = words(name)
    while len(found) > 1:
        if found[-1] in _LEGAL_ENDINGS:
            found.pop()
        elif len(found) > 3 and found[-3:] in _LONG_LEGAL_ENDINGS:
            del found[-3:]
        else:
            break
    return found


def postcode_words(postcode: str) -> list[str]:
    """Return a postcode without spaces and, of a British one, its outward half: `SW1A 1AA` is found by `SW1A` too."""
    whole = "".join(words(postcode))
    form = _POSTCODE.fullmatch(whole)
    return [whole, form[1]] if form else [whole] if whole else []
