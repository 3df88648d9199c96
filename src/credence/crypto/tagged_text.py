"""Texts that this service can verify without having stored them: content under an authentication tag, after a prefix.

Invitations and the links of mails are such texts. Everyone who has the text can read its content; the tag, a keyed digest
(see `crypto/digest.py`), proves that this service wrote it. Each kind has its own purpose, so that a text of one kind is not
valid as another.
"""

from dataclasses import dataclass

from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.crypto.randomness import credential_prefix


@dataclass(frozen=True, slots=True)
class TaggedText:
    """One kind of text: the letters of its prefix, the purpose of its tag, and the length of the tag in bytes (16 to 32)."""

    letters: str
    purpose: str
    tag_bytes: int = 32

    def write(self, environment: str, key: bytes, content: bytes) -> str:
        """Return the text of this content."""
        return credential_prefix(environment, self.letters) + base64url.encode(self._tag(key, content) + content)

    def read(self, environment: str, key: bytes, text: str) -> bytes | None:
        """Return the content of a text; None for a text that this service did not write."""
        prefix = credential_prefix(environment, self.letters)
        if not text.startswith(prefix):
            return None
        try:
            data = base64url.decode(text[len(prefix) :])
        except ValueError:
            return None
        tag, content = data[: self.tag_bytes], data[self.tag_bytes :]
        return content if constant_time_equal(tag, self._tag(key, content)) else None

    def _tag(self, key: bytes, content: bytes) -> bytes:
        return keyed_digest(key, self.purpose, content)[: self.tag_bytes]
