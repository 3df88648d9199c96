"""Programs in six languages that get a token and a report with the credentials of an application, from `programs/`.

Each is complete and needs no library beyond those of its language. The texts contain only values that the service made:
addresses, a client_id and a secret, none of which needs escaping in any of the languages; a redirect URI is
percent-encoded.
"""

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from credence import paths
from credence.blocks.values import Code, Sample, Step
from credence.management.developers import kind_of
from credence.sandbox.examples import COMPANY_NUMBER, ca_file
from credence.settings import Settings
from credence.sites.developers.own import address
from credence.sites.developers.quickstarts import NEXT_PATH, Quickstart, filled, quickstarts
from credence.store.records import Application

SECRET = "YOUR_CLIENT_SECRET"  # noqa: S105 - a placeholder
"""The placeholder for a secret that is not shown again."""


_KEYTOOL = """\
// keytool -importcert -noprompt -alias credence -file THE_CA -keystore trust -storepass changeit
// java -Djavax.net.ssl.trustStore=trust -Djavax.net.ssl.trustStorePassword=changeit Report.java
"""
_NODE = "// node 18 or later"
_PROGRAMS = (
    ("Python", "report.python", 'ssl.create_default_context(cafile="THE_CA")', "ssl.create_default_context()"),
    ("JavaScript", "report.mjs", f"{_NODE}: NODE_EXTRA_CA_CERTS='THE_CA' node report.mjs", _NODE),
    ("Java", "Report.java", _KEYTOOL, ""),
    ("C#", "Report.cs", "// SSL_CERT_FILE='THE_CA' dotnet run; on Windows the system must trust that file\n", ""),
    ("PHP", "report.php", '"cafile" => "THE_CA"', ""),
)
"""Language, file of `programs/`, and how it trusts the authority of the sandbox, or that it needs none."""

_NEXT = "After the first sign-in: go to production"


@dataclass(frozen=True, slots=True)
class _Known:
    issuer: str
    client_id: str
    secret: str
    ca: str
    """The file of the sandbox's certificate authority; empty if clients need no further authority."""

    @property
    def token(self) -> str:
        return f"{self.issuer}{paths.TOKEN}"

    @property
    def report(self) -> str:
        return f"{self.issuer}{paths.report('v1')}/{COMPANY_NUMBER}"


def snippets(settings: Settings, application: Application, secret: str = SECRET) -> Code:
    """Return the programs with the credentials; for an application with sign-in, programs that sign a person in."""
    file = ca_file(settings)
    known = _Known(settings.issuer, application.client_id, secret, str(file) if file is not None else "")
    if "client_credentials" not in application.grants:
        if "authorization_code" in application.grants:
            uri = application.redirect_uris[0] if application.redirect_uris else "http://localhost:5000/callback"
            kind = kind_of(application)
            programs = quickstarts(kind, known.issuer, known.client_id, known.secret, uri, known.ca)
            shown = [Sample(each.language, steps=_steps(each, application)) for each in programs]
            text = "Three steps lead to the first sign-in. The client_id is filled in."
            if secret == SECRET and application.authentication != "none":
                text = f"{text} Replace {SECRET} by the secret that you copied, or create another secret below."
            if kind == "web" and not uri.endswith("/callback/credence"):
                text = f"{text} For Next.js with Auth.js, the redirect URI must end in {NEXT_PATH}."
            return Code("Sign a person in", (*shown, Sample("curl", _sign_in(known, application))), text)
        return Code(
            "Get a report", (Sample("curl", _curl(known, "password -d username=USERNAME -d password=PASSWORD")),)
        )
    samples = (
        Sample(name, _program(file, known, trusting if known.ca else plain))
        for name, file, trusting, plain in _PROGRAMS
    )
    return Code("Get a report", (Sample("curl", _curl(known)), *samples))


def _steps(program: Quickstart, application: Application) -> tuple[Step, ...]:
    """Return how to create the program, run it, and see its requests."""
    files = tuple(program.files.items())
    here = f"{paths.DEVELOPERS}/log?{urlencode({'q': f'client:{application.client_id} since:5m'})}"
    opened = [(f"Open {program.opened}", program.opened)] if program.opened else []
    return (
        Step(f"Create: save {'this file' if len(files) == 1 else 'these files'} in an empty folder", files),
        Step("Run it there", (("", program.run),)),
        Step(
            "See it live: sign in, then look at your log",
            (),
            [*opened, ("Log of this application", here), (_NEXT, f"{address(application.client_id)}/production")],
        ),
    )


def _program(file: str, known: _Known, trust: str, **values: str) -> str:
    """Return a file of `programs/` with the values of an application; `trust` says which authority it trusts."""
    return filled(
        file,
        the_trust=trust,
        the_ca=known.ca,
        the_client_id=known.client_id,
        the_secret=known.secret,
        the_token=known.token,
        the_report=known.report,
        **values,
    )


def _curl(known: _Known, grant: str = "client_credentials") -> str:
    return _program("report.sh", known, _trust_of_curl(known), the_grant=grant)


def _trust_of_curl(known: _Known) -> str:
    return " --cacert 'THE_CA'" if known.ca else ""


def _sign_in(known: _Known, application: Application) -> str:
    uri = quote(application.redirect_uris[0], safe="") if application.redirect_uris else "YOUR_REDIRECT_URI"
    is_public = application.authentication == "none"
    return _program(
        "sign-in.sh",
        known,
        _trust_of_curl(known),
        the_client=f"-d client_id={known.client_id}" if is_public else f"-u '{known.client_id}:{known.secret}'",
        the_authorization=f"{known.issuer}{paths.AUTHORIZATION}",
        the_redirect_uri=uri,
    )
