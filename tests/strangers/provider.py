"""The service as strangers meet it: an address, an authority to trust, and tokens of each algorithm."""

import json
import ssl
from pathlib import Path

from tests.running import RunningServer

ALGORITHMS = ("RS256", "ES256", "PS256", "EdDSA")
"""All that is offered (D5, D13)."""

CONFIGURATION = "/.well-known/openid-configuration"

CREDENTIALS = ("client_id", "client_secret")

GRANTS = (
    "password",
    "refresh_token",
    "client_credentials",
    "urn:ietf:params:oauth:grant-type:token-exchange",
)

EVERY_GRANT = tuple(option for grant in GRANTS for option in ("--grant", grant))
"""As options of `credence app create`."""


class Provider:
    """A running sandbox with applications of its own, registered when they are first needed."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.issuer = server.base_url
        self._applications: dict[str, dict[str, str]] = {}

    @property
    def ca_file(self) -> Path:
        assert self.server.ca_file is not None
        return self.server.ca_file

    @property
    def trust(self) -> ssl.SSLContext:
        """Trusts the sandbox's authority and no other."""
        return ssl.create_default_context(cafile=self.ca_file)

    def application(self, name: str, *options: str) -> dict[str, str]:
        """The credentials of the application of this name; the options are those of `credence app create`."""
        if name not in self._applications:
            made = self.server.command("app", "create", name, *options, "--json")
            assert made.returncode == 0, made.stderr
            shown = json.loads(made.stdout)
            self._applications[name] = {each: shown[each] for each in CREDENTIALS if each in shown}
        return self._applications[name]

    def credentials(self, name: str, *options: str) -> tuple[str, str]:
        """The same of one that has a secret, as most libraries take them."""
        application = self.application(name, *options)
        return application["client_id"], application["client_secret"]

    def token(self, algorithm: str) -> str:
        """A new access token of the sandbox's user, signed with this algorithm."""
        application = self.application(algorithm, "--algorithm", algorithm)
        user = {"username": self.server.username, "password": self.server.password}
        reply = self.server.client.post("/oauth2/v1/token", headers=application, json=user)
        assert reply.status_code == 200, reply.text
        token: str = reply.json()["access_token"]
        return token

    def published_keys(self) -> dict[str, dict[str, str]]:
        """The key set by key id, found the way a stranger finds it."""
        configuration = self.server.client.get(CONFIGURATION).json()
        return {key["kid"]: key for key in self.server.client.get(configuration["jwks_uri"]).json()["keys"]}

    def revoke_key(self, kid: str) -> None:
        answer = self.server.command("keys", "revoke", kid)
        assert answer.returncode == 0, answer.stderr
