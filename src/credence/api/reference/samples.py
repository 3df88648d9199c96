"""An example request as a program: for a shell, in Python and in JavaScript. Each is complete and can be run as it is."""

import shlex
from collections.abc import Callable, Mapping
from textwrap import indent

import msgspec

from credence.api.reference.examples import Example

_INDENTED = "    "


def curl(example: Example) -> str:
    """Return the command for curl."""
    method, has_body = example.method, example.form is not None or bool(example.media_type)
    authority = f" --cacert {shlex.quote(example.authority)}" if example.authority else ""
    chosen = "" if method == "GET" or has_body else f" -X {method}"
    parts = [f"curl -sS{authority}{chosen}", shlex.quote(example.url)]
    if not authority:
        parts = [" ".join(parts)]
    parts += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in example.headers.items()]
    if example.form is not None:
        parts += [f"-d {shlex.quote(f'{name}={value}')}" for name, value in example.form.items()]
    elif has_body:
        parts += [f"-X {method}"] * (method != "POST")
        parts += [
            f"-H 'Content-Type: {example.media_type}'",
            f"-d {shlex.quote(msgspec.json.encode(example.json).decode())}",
        ]
    return " \\\n  ".join(parts)


def python(example: Example) -> str:
    """Return the program for Python with requests."""
    lines = [f"{_text(example.url)},"]
    if headers := _headers(example):
        lines.append(f"headers={_pairs(headers, '    ')},")
    if example.form is not None:
        lines.append(f"data={_pairs(example.form, '    ')},")
    elif example.media_type:
        lines.append(f"json={example.json!r},")
    if example.authority:
        lines.append(f"verify={_text(example.authority)},")
    inside = indent("\n".join(lines), _INDENTED)
    return (
        f"import requests\n\nresponse = requests.{example.method.lower()}(\n{inside}\n)\n"
        "print(response.status_code, response.text)"
    )


def javascript(example: Example) -> str:
    """Return the module for Node."""
    lines = []
    if example.method != "GET":
        lines.append(f"method: {_text(example.method)},")
    if headers := _headers(example):
        lines.append(f"headers: {_pairs(headers, '  ')},")
    if example.form is not None:
        lines.append(f"body: new URLSearchParams({_pairs(example.form, '  ')}),")
    elif example.media_type:
        lines.append(f"body: JSON.stringify({msgspec.json.encode(example.json).decode()}),")
    options = ", {\n" + indent("\n".join(lines), "  ") + "\n}" if lines else ""
    trust = f"// NODE_EXTRA_CA_CERTS={shlex.quote(example.authority)} node example.mjs\n" if example.authority else ""
    return (
        f"{trust}const response = await fetch({_text(example.url)}{options})\n"
        "console.log(response.status, await response.text())"
    )


SAMPLES: Mapping[str, Callable[[Example], str]] = {"curl": curl, "Python": python, "JavaScript": javascript}
"""Language -> the function that writes a request in it."""


def _headers(example: Example) -> dict[str, object]:
    """Return the header fields of the program. The libraries add the media type of a form."""
    is_json = example.media_type and example.form is None
    return {**example.headers, **({"Content-Type": example.media_type} if is_json else {})}


def _pairs(values: Mapping[str, object], margin: str) -> str:
    """Return the values as an object literal, which is the same in both languages."""
    if not values:
        return "{}"
    inside = "\n".join(f"{margin}{_text(name)}: {_text(str(value))}," for name, value in values.items())
    return f"{{\n{inside}\n}}"


def _text(value: str) -> str:
    """Return a text in double quotes with the escapes of JSON, which both languages read."""
    return msgspec.json.encode(value).decode()
