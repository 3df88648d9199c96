"""Programs in six languages that get a token and a report with the credentials of an application.

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
from credence.sites.developers.quickstarts import NEXT_PATH, Quickstart, quickstarts
from credence.store.records import Application

SECRET = "YOUR_CLIENT_SECRET"  # noqa: S105 - a placeholder
"""The placeholder for a secret that is not shown again."""


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
        Sample("curl", _curl(known)),
        Sample("Python", _python(known)),
        Sample("JavaScript", _javascript(known)),
        Sample("Java", _java(known)),
        Sample("C#", _csharp(known)),
        Sample("PHP", _php(known)),
    )
    return Code("Get a report", samples)


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


def _curl(known: _Known, grant: str = "client_credentials") -> str:
    ca = f" --cacert '{known.ca}'" if known.ca else ""
    return f"""\
TOKEN=$(curl -sS{ca} -u '{known.client_id}:{known.secret}' \\
  -d grant_type={grant} {known.token} \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -sS{ca} -H "Authorization: Bearer $TOKEN" {known.report}
"""


def _python(known: _Known) -> str:
    trust = f'ssl.create_default_context(cafile="{known.ca}")' if known.ca else "ssl.create_default_context()"
    return f"""\
import base64, json, ssl, urllib.request

trust = {trust}

def fetch(url, authorization, body=None):
    request = urllib.request.Request(url, body, {{"Authorization": authorization}})
    with urllib.request.urlopen(request, context=trust) as answer:
        return json.load(answer)

basic = base64.b64encode(b"{known.client_id}:{known.secret}").decode()
token = fetch("{known.token}", f"Basic {{basic}}", b"grant_type=client_credentials")["access_token"]
print(json.dumps(fetch("{known.report}", f"Bearer {{token}}")))
"""


def _javascript(known: _Known) -> str:
    trust = (
        f"// node 18 or later: NODE_EXTRA_CA_CERTS='{known.ca}' node report.mjs" if known.ca else "// node 18 or later"
    )
    return f"""\
{trust}
const basic = Buffer.from("{known.client_id}:{known.secret}").toString("base64");
const issued = await fetch("{known.token}", {{
  method: "POST",
  headers: {{ authorization: `Basic ${{basic}}` }},
  body: new URLSearchParams({{ grant_type: "client_credentials" }}),
}});
const {{ access_token }} = await issued.json();
const answer = await fetch("{known.report}", {{ headers: {{ authorization: `Bearer ${{access_token}}` }} }});
console.log(JSON.stringify(await answer.json()));
"""


def _java(known: _Known) -> str:
    trust = (
        f"// keytool -importcert -noprompt -alias credence -file {known.ca} -keystore trust -storepass changeit\n"
        "// java -Djavax.net.ssl.trustStore=trust -Djavax.net.ssl.trustStorePassword=changeit Report.java\n"
        if known.ca
        else ""
    )
    return f"""\
{trust}import java.net.URI;
import java.net.http.*;
import java.util.Base64;

public class Report {{
  public static void main(String[] arguments) throws Exception {{
    var http = HttpClient.newHttpClient();
    var basic = Base64.getEncoder().encodeToString("{known.client_id}:{known.secret}".getBytes());
    var issued = http.send(HttpRequest.newBuilder(URI.create("{known.token}"))
        .header("Authorization", "Basic " + basic)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials")).build(),
        HttpResponse.BodyHandlers.ofString()).body();
    var token = issued.replaceAll(".*\\"access_token\\":\\"([^\\"]*)\\".*", "$1");
    System.out.println(http.send(HttpRequest.newBuilder(URI.create("{known.report}"))
        .header("Authorization", "Bearer " + token).build(), HttpResponse.BodyHandlers.ofString()).body());
  }}
}}
"""


def _csharp(known: _Known) -> str:
    trust = (
        f"// SSL_CERT_FILE='{known.ca}' dotnet run; on Windows the system must trust that file\n" if known.ca else ""
    )
    return f"""\
{trust}using System;
using System.Collections.Generic;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

public class Report {{
  public static void Main() {{ Fetch().GetAwaiter().GetResult(); }}

  static async Task Fetch() {{
    var http = new HttpClient();
    var basic = Convert.ToBase64String(Encoding.ASCII.GetBytes("{known.client_id}:{known.secret}"));
    http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", basic);
    var form = new FormUrlEncodedContent(new Dictionary<string, string> {{ {{ "grant_type", "client_credentials" }} }});
    var issued = await (await http.PostAsync("{known.token}", form)).Content.ReadAsStringAsync();
    var token = Regex.Match(issued, "\\"access_token\\":\\"([^\\"]*)\\"").Groups[1].Value;
    http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
    Console.WriteLine(await http.GetStringAsync("{known.report}"));
  }}
}}
"""


def _php(known: _Known) -> str:
    trust = f'"cafile" => "{known.ca}"' if known.ca else ""
    return f"""\
<?php
function fetch(string $url, string $authorization, string $body = ""): array {{
  $http = ["method" => $body ? "POST" : "GET", "content" => $body, "header" => [
    "Authorization: $authorization", "Content-Type: application/x-www-form-urlencoded"]];
  return json_decode(file_get_contents($url, false, stream_context_create(["http" => $http, "ssl" => [{trust}]])), true);
}}
$basic = base64_encode("{known.client_id}:{known.secret}");
$token = fetch("{known.token}", "Basic $basic", "grant_type=client_credentials")["access_token"];
echo json_encode(fetch("{known.report}", "Bearer $token"));
"""


def _sign_in(known: _Known, application: Application) -> str:
    ca = f" --cacert '{known.ca}'" if known.ca else ""
    uri = quote(application.redirect_uris[0], safe="") if application.redirect_uris else "YOUR_REDIRECT_URI"
    client = (
        f"-d client_id={known.client_id}"
        if application.authentication == "none"
        else (f"-u '{known.client_id}:{known.secret}'")
    )
    return f"""\
VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
echo "Open this in a browser:"
echo "{known.issuer}{paths.AUTHORIZATION}?response_type=code&client_id={known.client_id}&scope=openid%20credit:report\\
&redirect_uri={uri}&code_challenge=$CHALLENGE&code_challenge_method=S256"
read -r -p "The code in the address that it leads to: " CODE
curl -sS{ca} {client} -d grant_type=authorization_code -d "code=$CODE" -d "code_verifier=$VERIFIER" \\
  -d 'redirect_uri={uri}' {known.token}
"""
