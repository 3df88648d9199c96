"""Acts and forms of screens made from operations: fields, texts and buttons follow from each (D30, D41)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from credence.api.resources.acting import Recording, means_of
from credence.blocks.forms import Field, Form
from credence.blocks.text import visible
from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.errors import InvalidInput
from credence.oauth.parameters.scopes import of_application
from credence.operations.acting import Acting
from credence.operations.inputs import Member, body_of, choices_of, members_of, plain_name
from credence.operations.operation import Noun, Operation
from credence.operations.perform import found, perform
from credence.refusals.credentials import INSUFFICIENT_AUTHENTICATION
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_UNKNOWN
from credence.sites.kit.screen import Act, ActResult, Changed, InvalidForm, Visit
from credence.store.contract import Conflict
from credence.store.records import Application

_PLACE = re.compile(r"\{(\w+)\}")
_CONFIRM, _SEEN = "confirm", "seen"
_ROWS = 3
_NARROW_FIELDS = 4
"""The most fields of a form that shares its row with another."""


def acts_of(path: str, *operations: Operation, needs: str = "") -> tuple[Act, ...]:
    """Return operations as acts of the screen at a path, each with its preview if the form has one.

    On a site without roles, `needs` is what all its acts need.
    """
    return tuple(act for each in operations for act in _acts_of(each, path, needs or each.access.role))


def _acts_of(operation: Operation, path: str, needs: str) -> Iterator[Act]:
    yield Act(operation.slug, needs, partial(_run, operation, path), needs_recent_sign_in=operation.access.recent)
    if operation.shows_effect:
        yield Act(f"{operation.slug}-effect", needs, partial(_run, operation, path, preview=True))


def form_of(
    operation: Operation,
    key: str = "",
    *,
    choices: Sequence[tuple[str, str]] = (),
    present: Mapping[str, object] | None = None,
    state: msgspec.Struct | None = None,
    shows_command: bool = True,
) -> Form:
    """Return the form of an operation; without a key it has a field for it, with `choices` if they are given.

    `present` are the values of members as they are now, which its fields show. With `state`, the object as the page shows
    it, the act is refused if the object has changed since: else an old page would undo what someone else changed.

    The console shows the command that does the same.
    """
    fields = [] if key or operation.makes else [_key_field(operation.on, choices)]
    members = members_of(operation.typed) if operation.typed is not None else ()
    shown = [each for each in members if each.input.in_form and each.is_typed]
    fields += [_field(each, present or {}) for each in sorted(shown, key=lambda each: not each.input.argument)]
    if operation.confirm:
        fields.append(Field(_CONFIRM, f"Type {operation.confirm.format(key=key)} to confirm", required=True))
    return Form(
        operation.slug,
        operation.title,
        operation.button,
        _plain(operation.text),
        _command(operation, key, members) if shows_command else "",
        fields,
        hidden=() if state is None else [(_SEEN, _digest(state))],
        dangerous=operation.dangerous,
        wide=len(fields) > _NARROW_FIELDS,
        also=[(f"{operation.slug}-effect", "Show the effect")] if operation.shows_effect else (),
    )


def dangerous_last(forms: Iterable[Form]) -> list[Form]:
    """Return forms in their order, those that destroy something at the end."""
    return sorted(forms, key=lambda each: each.dangerous)


def _command(operation: Operation, key: str, members: Iterable[Member]) -> str:
    """Return the command that does what a form does, with what it needs at least."""
    words = ["credence", operation.name]
    if not operation.makes:
        words.append(key or operation.on.key.upper())
    for each in members:
        if each.input.argument:
            words.append("-" if each.input.piped else each.name.upper())
        elif each.is_required:
            words += [f"--{each.name.replace('_', '-')}", "TEXT"]
    return " ".join(words)


def _hint(member: Member) -> str:
    given = member.input
    if given.hint is not None:
        return given.hint
    return "" if given.help.rstrip(".") == member.label else _plain(given.help)


def _digest(state: msgspec.Struct) -> str:
    return base64url.encode(sha256(msgspec.json.encode(state)))


def _require_seen(seen: str, state: msgspec.Struct) -> None:
    """Raise Conflict for an object that is not as the page of the form showed it."""
    if _digest(state) != seen:
        raise Conflict("form")


def _plain(text: str) -> str:
    """Return a text as one line without the marks of code."""
    return " ".join(text.split()).replace("`", "")


def _members_in_words(state: Any, said: str) -> str:
    """Return the members of an answer as sentences, without text that was said before."""
    found = ""
    for name, value in msgspec.structs.asdict(state).items():
        if value is None:
            continue
        text = (" ".join(map(str, value)) if isinstance(value, list) else str(value)).removesuffix(".")
        if isinstance(value, bool):
            text = "yes" if value else "no"
        elif isinstance(value, str | list) and text in said:
            continue
        found += f" {plain_name(name)}: {text}."
    return found


def _key_field(noun: Noun[Any], choices: Sequence[tuple[str, str]]) -> Field:
    options = choices or [(each, each) for each in noun.choices]
    return Field(noun.key, noun.name.capitalize(), options=options, required=not options)


def _field(member: Member, present: Mapping[str, object]) -> Field:
    given, value = member.input, present.get(member.name, member.default)
    options = given.choices or [(each, each) for each in choices_of(member)]
    if isinstance(value, bool):
        value = "yes" if value else ""
    elements = value if isinstance(value, list) else [str(value)] if isinstance(value, str | int) else []
    default = ("\n" if given.lines else " ").join(visible(each, len(each)) for each in elements)
    return Field(
        member.name,
        member.label,
        default,
        _hint(member),
        options,
        required=member.is_required,
        kind="box" if member.kind is bool else "lines" if given.lines else "line",
        rows=_ROWS,
        rare=given.rare,
    )


def acting_on_site(visit: Visit) -> Acting:
    """Return the person of a visit, with their role in the console, or as the owner of what they made in the portal."""
    service, request, username = visit.service, visit.request, visit.account.username
    has_roles = visit.site.application.apart
    return Acting(
        means_of(service),
        lambda: request.now,
        username,
        Recording(service, request, username, visit.site.name),
        role=visit.account.console_role if has_roles else None,
        owns=None if has_roles else username,
        signed_in_at=visit.session.signed_in_at,
    )


async def _run(
    operation: Operation, path: str, visit: Visit, values: Mapping[str, str], *, preview: bool = False
) -> ActResult:
    """Do the operation that a form describes. Raises InvalidForm at the field that is not valid."""
    noun, key = operation.on, _key(operation, path, visit, values)
    confirmation = operation.confirm.format(key=key)
    if operation.confirm and values.get(_CONFIRM, "").strip().casefold() != confirmation.casefold():
        raise InvalidForm(f"Type {confirmation} if you mean it.", _CONFIRM)
    members = (
        [each for each in members_of(operation.typed) if each.input.in_form and each.is_typed]
        if operation.typed
        else []
    )
    try:
        body = _body(operation, members, values)
        unchanged = partial(_require_seen, values[_SEEN]) if _SEEN in values else None
        by = await _acting(noun, path, visit)
        outcome = await perform(operation, by, key, body, require_version=unchanged, preview=preview)
    except InvalidInput as error:
        first = members[0].name if members and (len(members) == 1 or operation.makes) else ""
        raise InvalidForm(str(error), error.member or first) from None
    except Refused as refused:
        if refused.refusal is RESOURCE_UNKNOWN and operation.places:
            raise InvalidForm("It has ended already.") from None
        if refused.refusal is RESOURCE_UNKNOWN and noun.key not in _PLACE.findall(path):
            raise InvalidForm(f"There is no {noun.name} of this name.", noun.key) from None
        if refused.refusal in (RESOURCE_UNKNOWN, INSUFFICIENT_AUTHENTICATION, INTERNAL):
            raise
        if refused.reason == f"{noun.reasons}.changed":
            raise Changed(refused.refusal.message) from None
        at_fault = refused.reason.rpartition(".")[2]
        if operation.makes and bool(members) and refused.refusal.name == RESOURCE_CHANGED.name:
            at_fault = members[0].name
        raise InvalidForm(
            refused.refusal.message, at_fault if at_fault in {each.name for each in members} else ""
        ) from None
    said = (outcome.said or f"{operation.title}: done.") + ("" if outcome.changed else " Nothing was changed.")
    if preview:
        return ActResult(said, act=operation.slug, typed=values)
    if operation.answers is not None and not operation.once:
        said += _members_in_words(outcome.state, said)
    shown = noun.key_of(outcome.after) if outcome.after is not None else ""
    secret = next(
        ((f"{name} of {shown}" if shown else plain_name(name), text) for name, text in outcome.once.items()), None
    )
    next_url = visit.request.path.rpartition("/")[0] if outcome.after is None else ""
    return ActResult(said, secret, next_url=next_url)


def _key(operation: Operation, path: str, visit: Visit, values: Mapping[str, str]) -> str:
    noun = operation.on.within if operation.makes else operation.on
    if noun is None:
        return ""
    return _in_path(noun, path, visit) or values.get(noun.key, "").strip()


def _in_path(noun: Noun[Any], path: str, visit: Visit) -> str:
    """Return the key that the path of a screen has; empty if it has none."""
    places = _PLACE.findall(path)
    return visit.request.segments[places.index(noun.key)] if noun.key in places else ""


async def _acting(noun: Noun[Any], path: str, visit: Visit) -> Acting:
    """Return the person; a developer acts for an application of theirs on what belongs to it, with its scopes."""
    by, owner = acting_on_site(visit), noun.within
    if owner is None or by.owns is None:
        return by
    application: Application = await found(owner, by, _in_path(owner, path, visit))
    return replace(by, owns=application.client_id, scopes=frozenset(of_application(application)))


def _body(operation: Operation, members: list[Member], values: Mapping[str, str]) -> Any:
    if operation.typed is None:
        return None
    typed = {
        each.name: _typed(each, values.get(each.name, ""), clears=operation.patches and each.name in values)
        for each in members
    }
    given = {name: value for name, value in typed.items() if value is not None}
    for each in members:
        if each.is_required and each.name not in given:
            raise InvalidForm(f"{each.label}: enter a value.", each.name)
    try:
        return body_of(operation.typed, given)
    except msgspec.ValidationError as error:
        text, _, place = str(error).partition(" - at `$.")
        raise InvalidForm(f"{text.replace('Object', 'The form')}.", place.rstrip("`")) from None


def _typed(member: Member, text: str, *, clears: bool) -> object:
    """Return what a field has, or None for nothing; empty text or no elements if that clears its member."""
    if member.kind is bool:
        return bool(text)
    if member.kind is list:
        found = [each for line in text.splitlines() if (each := line.strip())] if member.input.lines else text.split()
        return found if found or clears else None
    return text.strip() or ("" if clears and member.kind is str else None)
