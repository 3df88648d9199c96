"""Commands and forms that change a part of what operators choose of an application (D15, D16, D25)."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from credence.errors import InvalidInput
from credence.management.application_fields import INHERITED
from credence.management.application_schema import MAX_PER_MINUTE, ApplicationBody
from credence.meanings import Input
from credence.operations.access_rules import TypedRules
from credence.operations.applications import OWN, change_application
from credence.operations.inputs import patch_of
from credence.operations.operation import shorthand

Inherit = Annotated[
    list[str] | UnsetType,
    Input(
        f"Follow the setting of the service again; repeatable: {', '.join(INHERITED)}.",
        default="unchanged",
        in_form=False,
    ),
]


class _Options(Struct):
    """Change the options of an application. Running servers apply the change at once."""

    inherit: Inherit = UNSET

    def body(self) -> dict[str, Any]:
        """Return the patch."""
        given = {name: value for name, value in msgspec.structs.asdict(self).items() if value is not UNSET}
        unknown = [word for word in given.get("inherit", ()) if word not in INHERITED]
        if unknown:
            raise InvalidInput(f"There is no setting to inherit {unknown[0]!r}: choose from {', '.join(INHERITED)}.")
        given |= dict.fromkeys(INHERITED[word] for word in given.pop("inherit", ()))
        return _with_one_place_of_keys(_with_profile(given))


def _with_profile(patch: dict[str, Any]) -> dict[str, Any]:
    """Return the patch; a profile that is given decides about DPoP, unless the patch does."""
    return {"dpop_required": None, **patch} if patch.get("profile") else patch


def _with_one_place_of_keys(patch: dict[str, Any]) -> dict[str, Any]:
    """Return the patch; given keys remove the address of keys, and a given address removes the keys (RFC 7591 §2)."""
    if patch.get("keys_uri"):
        return {"jwks": None, **patch}
    return {"keys_uri": None, **patch} if patch.get("jwks") else patch


class Disabling(Struct):
    """Disable an application: it gets no more tokens, and those that it has are revoked at once, on every node.

    Only an operator enables it again.
    """

    def body(self) -> dict[str, Any]:
        """Return the patch."""
        return {"disabled": True}


class Enabling(Struct):
    """Enable an application: it gets tokens again. Those from before stay invalid."""

    def body(self) -> dict[str, Any]:
        """Return the patch."""
        return {"disabled": False}


class TypedRate(Struct):
    """Change the rate of an application: requests per minute, smoothed."""

    per_minute: Annotated[
        str,
        Input(
            "Requests per minute; 0: no limit; '': the rate of the service.",
            argument=True,
            label="Requests a minute",
            hint="Enter 0 for no limit. Leave empty for the rate of the service.",
        ),
    ] = ""

    def body(self) -> dict[str, Any]:
        """Return the patch. Raises InvalidInput for text that is not a rate."""
        text = self.per_minute.strip().replace(",", "")
        if not text:
            return {"spike_per_minute": None}
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_PER_MINUTE))
        if not is_number or int(text) > MAX_PER_MINUTE:
            raise InvalidInput(f"The rate is a whole number of requests a minute, at most {MAX_PER_MINUTE:,}.")
        return {"spike_per_minute": int(text)}


set_options = shorthand(change_application, "app set", patch_of(ApplicationBody, _Options), title="Change the options")
set_rules = shorthand(change_application, "app rules", TypedRules, title="Change the addresses and hours")
set_rate = shorthand(change_application, "app rate", TypedRate, title="Change the rate", button="Change it")
disable = shorthand(
    change_application,
    "app disable",
    Disabling,
    title="Disable the application",
    access=OWN,
    dangerous=True,
    offered=lambda found: not found.disabled,
)
enable = shorthand(
    change_application, "app enable", Enabling, title="Enable the application", offered=lambda found: found.disabled
)
