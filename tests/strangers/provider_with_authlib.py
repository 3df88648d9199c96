"""An employer's OpenID provider made with Authlib and Flask: a program whose place is in variables."""

# ruff: noqa: ARG002 - Authlib says which arguments there are
# mypy: disable-error-code="misc, untyped-decorator"

import os
import time
from typing import Any

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import OpenIDCode, UserInfo
from flask import Flask, jsonify, request
from joserfc.jwk import RSAKey

ISSUER, SERVICE = os.environ["ISSUER"], os.environ["SERVICE"]
KEY = RSAKey.generate_key(2048, parameters={"kid": "one", "use": "sig", "alg": "RS256"})
USER = {"sub": "jane-7", "email": "jane@employer.example", "email_verified": True, "groups": ["staff", "credit-team"]}
FORM = (
    """<form method="post"><input name="username"><input type="password" name="password"><button>Go</button></form>"""
)


class Client:
    """The one client, which the service is."""

    client_id = "credence"

    def get_client_id(self) -> str:
        return self.client_id

    def get_default_redirect_uri(self) -> str:
        return f"{SERVICE}/oauth2/v1/from-issuer/employer"

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri == self.get_default_redirect_uri()

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == "a secret of this run"

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "client_secret_post"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


class Code(dict[str, Any]):
    """An authorization code with what was requested."""

    def __getattr__(self, name: str) -> Any:
        return self.get(name)

    def get_redirect_uri(self) -> str:
        return str(self["redirect_uri"])

    def get_scope(self) -> str:
        return str(self["scope"])

    def get_nonce(self) -> str | None:
        return self.get("nonce")

    def get_auth_time(self) -> int:
        return int(self["auth_time"])

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> list[str]:
        return ["pwd"]


CODES: dict[str, Code] = {}


class CodeGrant(grants.AuthorizationCodeGrant):
    """The grant of Authlib over codes in memory."""

    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_post"]  # noqa: RUF012 - as Authlib has it

    def save_authorization_code(self, code: str, request: Any) -> None:
        data = request.payload.data
        kept = {name: data.get(name) for name in ("nonce", "code_challenge", "code_challenge_method")}
        more = {"redirect_uri": request.payload.redirect_uri, "scope": request.payload.scope}
        CODES[code] = Code(**kept, **more, auth_time=int(time.time()))

    def query_authorization_code(self, code: str, client: Client) -> Code | None:
        return CODES.get(code)

    def delete_authorization_code(self, authorization_code: Code) -> None:
        for each in [code for code, kept in CODES.items() if kept is authorization_code]:
            del CODES[each]

    def authenticate_user(self, authorization_code: Code) -> dict[str, Any]:
        return USER


class OpenID(OpenIDCode):
    """The ID token of Authlib, signed with the key of this run."""

    def exists_nonce(self, nonce: str, request: Any) -> bool:
        return False

    def get_jwt_config(self, grant: Any = None, client: Any = None) -> dict[str, Any]:
        return {"key": KEY.as_dict(private=True), "alg": "RS256", "iss": ISSUER, "exp": 300}

    def resolve_client_private_key(self, client: Any) -> Any:
        return KEY

    def get_client_algorithm(self, client: Any) -> str:
        return "RS256"

    def get_client_claims(self, client: Any) -> dict[str, Any]:
        return {"iss": ISSUER}

    def generate_user_info(self, user: Any, scope: str) -> UserInfo:
        return UserInfo(USER)


app = Flask(__name__)
server = AuthorizationServer(
    app, query_client=lambda client_id: Client() if client_id == "credence" else None, save_token=lambda *_: None
)
server.register_grant(CodeGrant, [OpenID(require_nonce=True), CodeChallenge(required=True)])


@app.get("/.well-known/openid-configuration")
def configuration() -> Any:
    places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
    return jsonify(issuer=ISSUER, **{name: f"{ISSUER}/{path}" for name, path in places.items()})


@app.get("/keys")
def keys() -> Any:
    return jsonify(keys=[KEY.as_dict(private=False)])


@app.route("/authorize", methods=["GET", "POST"])
def authorize() -> Any:
    grant = server.get_consent_grant(end_user=USER)
    if request.method == "GET":
        return FORM
    known = request.form["username"] == "jane" and request.form["password"] == "a password of this run"
    return server.create_authorization_response(grant_user=USER if known else None, grant=grant)


@app.post("/token")
def token() -> Any:
    return server.create_token_response()


if __name__ == "__main__":
    app.run("127.0.0.1", int(os.environ["PORT"]), ssl_context=(os.environ["CERT"], os.environ["KEY"]))
