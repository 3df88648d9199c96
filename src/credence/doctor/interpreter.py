"""The check of the Python that runs the commands, and with it the server of the same installation."""

import sys

from credence.doctor.finding import Finding, ok, warning

_CHECK = "Python"


def build_of_python(*, optimised: bool) -> Finding:
    """Return a warning if this Python was built without optimisations (docs/adr/speed.md, *The interpreter*)."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if optimised:
        return ok(_CHECK, f"{version}, built with optimisations")
    return warning(
        _CHECK,
        f"{version}, built without optimisations: an introspection takes a third longer",
        "Install Credence with the Python of your distribution, or with one configured with --enable-optimizations.",
    )
