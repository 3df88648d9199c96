"""A web application made with Flask and Authlib; `docs/clients/flask.md` shows it."""

from typing import Any

from authlib.integrations.flask_client import OAuth
from flask import Flask, abort, redirect, request, session, url_for


def application(issuer: str, client_id: str, secret: str, cookie_key: str) -> Flask:
    """The whole application: it asks for no password, and its pages are for people who have signed in."""
    app = Flask(__name__)
    app.secret_key = cookie_key
    app.config["SESSION_COOKIE_SAMESITE"] = "Lax"
    credence = OAuth(app).register(
        "credence",
        client_id=client_id,
        client_secret=secret,
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={"scope": "openid profile offline_access credit:report", "code_challenge_method": "S256"},
    )
    tokens_of: dict[str, Any] = {}  # a table of yours: the cookie is signed and not encrypted, so no token is in it

    @app.get("/sign-in")
    def sign_in() -> Any:
        return credence.authorize_redirect(url_for("callback", _external=True))

    @app.get("/callback")
    def callback() -> Any:
        if request.args.get("iss") != issuer:
            abort(400)
        tokens = credence.authorize_access_token()
        person = tokens["userinfo"]["sub"]
        session["person"], tokens_of[person] = person, tokens
        return redirect("/")

    @app.get("/")
    def home() -> Any:
        return f"Signed in as {session['person']}" if "person" in session else redirect("/sign-in")

    @app.get("/report/<number>")
    def report(number: str) -> Any:
        if session.get("person") not in tokens_of:
            return redirect("/sign-in")
        address = f"{issuer}/risk/business/v1/registeredcompanycredit/{number}"
        return credence.get(address, token=tokens_of[session["person"]]).json()

    return app
