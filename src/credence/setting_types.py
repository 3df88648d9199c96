"""Types of settings that need more than a bound: how the text of a variable is parsed and checked.

Each raises ValueError with a message for the operator, which is printed after the name of the variable.
"""

import re
from functools import partial
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo
from pydantic_settings import NoDecode

from credence.crypto.jws import ALGORITHMS
from credence.crypto.passwords import PROFILES
from credence.pictures import read_picture
from credence.telemetry.audit_copies import is_destination

STORE_SCHEMES = ("postgresql", "postgres")
"""URL schemes of a shared store, as libpq reads them."""

COUNTER_SCHEMES = ("redis", "rediss", "unix")
"""URL schemes of shared counters, as `ratelimit/redis_counters.py` reads them."""

MIN_CONTRAST = 4.5

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}").fullmatch

_FIELD_NAME = re.compile(r"(?!authorization$|host$|content-|x-forwarded-)[a-z0-9-]+", re.IGNORECASE).fullmatch

_PROXY = re.compile(r"http://[A-Za-z0-9.\-]{1,253}:[1-9][0-9]{0,4}").fullmatch

_RELAY = re.compile(
    r"smtps?://(?:[!-9;-?A-~]+:[!-?A-~]*@)?(?:[A-Za-z0-9.\-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[1-9][0-9]{0,4})?"
).fullmatch

_COLLECTOR = re.compile(
    r"https?://(?:[A-Za-z0-9.\-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[1-9][0-9]{0,4})?/[!-~]*"
).fullmatch

_SITE = re.compile(
    r"https?://(?:[A-Za-z0-9.\-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[1-9][0-9]{0,4})?(?:/[A-Za-z0-9._~/\-]*)?"
).fullmatch

_HOST_NAME = re.compile(r"[A-Za-z0-9.\-]{1,253}|[0-9A-Fa-f:.]{2,45}").fullmatch


def _path(path: object) -> object:
    if path == "":  # the empty path would be the current folder
        raise ValueError("it is empty; leave it out or name a path")
    return path


def _picture(file: Path | None) -> Path | None:
    if file is not None:
        read_picture(file)
    return file


def _known_algorithm(name: str) -> str:
    if name not in ALGORITHMS:
        raise ValueError(f"must be one of {', '.join(ALGORITHMS)}")
    return name


def _known_algorithms(names: tuple[str, ...]) -> tuple[str, ...]:
    if "RS256" not in names:
        raise ValueError("must name RS256, which ID tokens are signed with (OpenID Connect Core §15.1)")
    return tuple(_known_algorithm(name) for name in names)


def _known_profile(name: str) -> str:
    if name not in PROFILES:
        raise ValueError(f"must be one of {', '.join(PROFILES)}")
    return name


def _known_scheme(schemes: tuple[str, ...], url: str) -> str:
    if url and url.partition("://")[0] not in schemes:
        raise ValueError(f"must begin with one of {', '.join(f'{scheme}://' for scheme in schemes)}")
    return url


def _url_in_store_file(url: object, settings: ValidationInfo) -> object:
    file: Path | None = settings.data.get("store_file")
    if file is None:
        return url
    if url:
        raise ValueError("CREDENCE_STORE_FILE names the store already; set one of the two")
    try:
        content = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ValueError(f"{file} of CREDENCE_STORE_FILE cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} of CREDENCE_STORE_FILE is not UTF-8 text") from None
    if not content:
        raise ValueError(f"{file} of CREDENCE_STORE_FILE is empty")
    return content


def _comma_separated(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _networks(value: object) -> object:
    if isinstance(value, str):
        return tuple(ip_network(part.strip()) for part in value.split(",") if part.strip())
    return value


def _host_names(names: tuple[str, ...]) -> tuple[str, ...]:
    if not all(_HOST_NAME(name) for name in names):
        raise ValueError("names hosts without scheme, port and path, such as api.example.com")
    return names


def _ports(value: object) -> object:
    try:
        return tuple(int(part) for part in value.split(",")) if isinstance(value, str) else value
    except ValueError:
        raise ValueError("names ports from 1 to 65535, comma separated") from None


def _is_readable(url: str) -> bool:
    """Return whether a URL can be taken apart: its brackets hold an address, and its port is one."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def _readable_url(url: str) -> str:
    if url and not (url.isprintable() and " " not in url and _is_readable(url)):
        raise ValueError("has a space, an unmatched bracket, or a port that is not from 1 to 65535")
    return url


def _in_small_letters(url: str) -> str:
    """Refuse capitals in scheme and host: issuer and origin are compared as text (RFC 8414 §3.3, RFC 6454 §5).

    They are not lowered here, because the issuer of a deployment would change without a word (RFC 3986 §6.2.2.1).
    """
    address = url.split("/")[:3]
    if "".join(address) != "".join(address).lower():
        raise ValueError("must have its scheme and host in small letters, as applications and browsers compare them")
    return url


def _base_url(url: str) -> str:
    return _in_small_letters(_readable_url(url))


def _site_url(url: str) -> str:
    if url and not (_SITE(url) and _is_readable(url)):
        raise ValueError("must have the form https://host:port")
    return _in_small_letters(url)


def _proxy_url(url: str) -> str:
    if url and not (_PROXY(url) and _is_readable(url)):
        raise ValueError("must have the form http://host:port")
    return url


def _mail_relay(url: str) -> str:
    if url and not (_RELAY(url) and _is_readable(url)):
        raise ValueError("must have the form smtps://user:password@host or smtp://host:port")
    return url


def _collector_url(url: str) -> str:
    if url and not (_COLLECTOR(url) and _is_readable(url)):
        raise ValueError("must have the form http://host:port/path or https://host/path, without credentials")
    if url and any(find_spec(name) is None for name in ("opentelemetry", "opentelemetry.sdk")):
        raise ValueError("needs the packages of requirements/otel.txt, the extra otel")
    return url


def _audit_destinations(destinations: tuple[str, ...]) -> tuple[str, ...]:
    if not all(is_destination(each) and _is_readable(each) for each in destinations):
        raise ValueError(
            "names stdout, syslog, syslog://host:port, tcp://host:port, unix:///path or file:///path, comma separated"
        )
    return destinations


def _field_name(name: str) -> str:
    if name and not _FIELD_NAME(name):
        raise ValueError("must be the name of a header field of its own, such as Client-Cert")
    return name.lower()


def _number(value: object) -> object:
    # A variable is text, and Pydantic does not convert text for a Literal of numbers.
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def _luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` (WCAG 2.2)."""
    parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _readable_on(grounds: tuple[str, ...], colour: str) -> str:
    if not _COLOUR(colour):
        raise ValueError("must be a colour such as #1f5f5b")
    for ground in grounds:
        darker, lighter = sorted((_luminance(colour), _luminance(ground)))
        contrast = (lighter + 0.05) / (darker + 0.05)
        if contrast < MIN_CONTRAST:
            raise ValueError(
                f"has a contrast of {contrast:.1f} with {ground}; text needs {MIN_CONTRAST} (WCAG 2.2, 1.4.3)"
            )
    return colour.lower()


AccentColour = Annotated[str, AfterValidator(partial(_readable_on, ("#fbfaf7", "#ffffff")))]
DarkAccentColour = Annotated[str, AfterValidator(partial(_readable_on, ("#1b2027", "#10211f")))]
"""A colour that is readable on dark backgrounds and under the text of buttons (`sign_in/browser/page.css`)."""

NamedPath = Annotated[Path, BeforeValidator(_path)]
OptionalPath = Annotated[Path | None, BeforeValidator(_path)]
LogoFile = Annotated[Path | None, BeforeValidator(_path), AfterValidator(_picture)]
Algorithm = Annotated[str, AfterValidator(_known_algorithm)]
Algorithms = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_separated), AfterValidator(_known_algorithms)]
PasswordProfile = Annotated[str, AfterValidator(_known_profile)]
StoreUrl = Annotated[str, BeforeValidator(_url_in_store_file), AfterValidator(partial(_known_scheme, STORE_SCHEMES))]
CounterUrl = Annotated[str, AfterValidator(partial(_known_scheme, COUNTER_SCHEMES))]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_networks)]
HostNames = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_separated), AfterValidator(_host_names)]
AuditCopies = Annotated[
    tuple[str, ...], NoDecode, BeforeValidator(_comma_separated), AfterValidator(_audit_destinations)
]
Ports = Annotated[tuple[Annotated[int, Field(ge=1, le=65_535)], ...], NoDecode, BeforeValidator(_ports)]
CollectorUrl = Annotated[str, AfterValidator(_collector_url)]
BaseUrl = Annotated[str, AfterValidator(_base_url)]
ReadableUrl = Annotated[str, AfterValidator(_readable_url)]
"""A URL, or a name in place of one; empty for none."""

SiteUrl = Annotated[str, AfterValidator(_site_url)]
ProxyUrl = Annotated[str, AfterValidator(_proxy_url)]
MailRelay = Annotated[str, AfterValidator(_mail_relay)]
HeaderName = Annotated[str, AfterValidator(_field_name)]
FromText = BeforeValidator(_number)
"""Parses a variable for a `Literal` of numbers."""
