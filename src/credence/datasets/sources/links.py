"""The links that Companies House puts on what it publishes as JSON, as far as they are read."""

import msgspec


class Links(msgspec.Struct):
    """The links of an answer, an entry or a line."""

    own: str = msgspec.field(name="self", default="")

    @property
    def id(self) -> str:
        """The last part of the own link, which names the entry; empty without one."""
        return self.own.rpartition("/")[2]
