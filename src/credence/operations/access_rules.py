"""The rules on addresses and hours of an account or application, as people type them (D15)."""

from typing import Annotated, Any

from msgspec import Struct

from credence.identity.sessions import AUTHENTICATION_CLASSES
from credence.meanings import Input


class TypedRules(Struct):
    """Change the addresses and hours from which it may be used, and what the API demands of a sign-in."""

    networks: Annotated[
        str | None,
        Input(
            "Address ranges, comma separated: '10.0.0.0/8, 2001:db8::/32'. '' lifts the rule.",
            default="unchanged",
            hint="Address ranges with commas, such as 10.0.0.0/8, 2001:db8::/32. Empty: every address.",
        ),
    ] = None
    windows: Annotated[
        str | None,
        Input(
            "Hours, comma separated: 'Mon-Fri 08:00-18:00, Sat 09:00-12:00', or 'never'. '' lifts the rule.",
            default="unchanged",
            label="Hours",
            hint="Hours with commas, such as Mon-Fri 08:00-18:00, Sat 09:00-12:00, or never. Empty: every hour.",
        ),
    ] = None
    time_zone: Annotated[str | None, Input("Time zone of the hours, such as Europe/London.", default="unchanged")] = (
        None
    )
    authentication_class: Annotated[
        str | None,
        Input(
            f"The weakest sign-in of people that the API accepts: {', '.join(AUTHENTICATION_CLASSES)}. '' lifts the rule.",
            default="unchanged",
            hint=f"The weakest sign-in of people that the API accepts: {', '.join(AUTHENTICATION_CLASSES)}. Empty: any.",
        ),
    ] = None
    max_age: Annotated[
        int | None,
        Input(
            "Seconds since people signed in, at most, at the API. 0 lifts the rule.",
            default="unchanged",
            label="Maximum age of a sign-in, seconds",
        ),
    ] = None

    def body(self) -> dict[str, Any]:
        """Return the patch."""
        rules: dict[str, Any] = {}
        for name in ("networks", "windows"):
            text = getattr(self, name)
            if text is not None:
                rules[name] = [each.strip() for each in text.split(",")] if text.strip() else []
        for name in ("time_zone", "authentication_class", "max_age"):
            if getattr(self, name) is not None:
                rules[name] = getattr(self, name) or None
        return {"rules": rules} if rules else {}
