"""`credence account invite` and `reset-link`."""

from credence.identity.activation import Activation, read_activation
from tests.cli.deployment import Deployment
from tests.cli.test_invite import digest_key_of


def contained(deployment: Deployment, link: str) -> Activation | None:
    return read_activation("sbx", digest_key_of(deployment), link.partition("?link=")[2])


def test_an_invited_account_exists_and_its_link_is_for_the_present_password(deployment: Deployment) -> None:
    printed = deployment.json("account", "invite", "Ada", "--email", "ada@example.com")
    assert printed.keys() == {"username", "link", "expires_at"}
    found = contained(deployment, printed["link"])
    assert found is not None
    assert (found.username, found.password_version) == ("ada", 1)
    shown = deployment.json("account", "show", "ada")
    assert (shown["type"], shown["status"], shown["email"]) == ("user", "active", "ada@example.com")


def test_a_taken_name_is_refused(deployment: Deployment) -> None:
    deployment.create_account()
    done = deployment.run("account", "invite", "ada")
    assert done.returncode != 0
    assert "This username is already taken." in done.stderr


def test_a_reset_link_changes_nothing_before_it_is_used(deployment: Deployment) -> None:
    deployment.create_account()
    before = deployment.json("account", "show", "ada")
    printed = deployment.json("account", "reset-link", "ADA", "--expires", "60")
    assert contained(deployment, printed["link"]) is not None
    assert deployment.json("account", "show", "ada") == before


def test_an_account_that_is_not_active_gets_no_link(deployment: Deployment) -> None:
    deployment.create_account()
    deployment.json("account", "status", "ada", "suspended")
    assert "suspended" in deployment.run("account", "reset-link", "ada").stderr
