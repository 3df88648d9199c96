"""The one form of URL that is called (threats E3)."""

from ipaddress import ip_network

import pytest

from credence.outgoing.target import CallRefused, OutgoingRules, Target, read_target

ANY_PORT = OutgoingRules(ports=tuple(range(1, 65_536)))

BAD = [
    "",
    "https://",
    "http://receiver.example/",
    "HTTP://receiver.example/",
    "file:///etc/passwd",
    "gopher://receiver.example/",
    "//receiver.example/",
    "https:/receiver.example/",
    "https:receiver.example",
    "https://user@receiver.example/",
    "https://user:password@receiver.example/",
    "https://receiver.example@10.0.0.1/",
    "https://receiver.example\\@10.0.0.1/",
    "https://receiver.example\\.evil.example/",
    "https://receiver.example/#fragment",
    "https://receiver.example#@10.0.0.1/",
    "https://receiver.example?@10.0.0.1/ ",
    "https://receiver.example:/",
    "https://receiver.example:0/",
    "https://receiver.example:0443/",
    "https://receiver.example:65536/",
    "https://receiver.example:99999/",
    "https://receiver.example:443:443/",
    "https://receiver.example:+443/",
    "https://receiver.example./",
    "https://.receiver.example/",
    "https://receiver..example/",
    "https://-receiver.example/",
    "https://receiver_.example/",
    f"https://{'a' * 64}.example/",
    "https://réceiver.example/",
    "https://receiver\N{IDEOGRAPHIC FULL STOP}example/",
    "https://\N{CIRCLED DIGIT ONE}27.0.0.1/",
    "https://receiver.example/\r\nHost: other.example",
    "https://receiver.example/\n",
    "https://receiver.example/a b",
    "https://receiver.example/\0",
    "https://receiver%2eexample/",
    "https://%31%32%37.0.0.1/",
    "https://2130706433/",
    "https://017700000001/",
    "https://0x7f000001/",
    "https://0x7F000001/",
    "https://0x/",
    "https://127.1/",
    "https://127.0.1/",
    "https://0177.0.0.1/",
    "https://0x7f.0.0.1/",
    "https://127.0.0.0x1/",
    "https://127.0.0.1./",
    "https://256.0.0.1/",
    "https://08.8.8.8/",
    "https://1.2.3.4.5/",
    "https://receiver.1/",
    "https://[::1/",
    "https://::1/",
    "https://[127.0.0.1]/",
    "https://[::1%25lo]/",
    "https://[fe80::1%eth0]/",
    "https://[v1.a]/",
    "https://receiver.example/" + "a" * 2_000,
    "http\u017f://receiver.example/",
    "https://\u212aelvin.example/",
    "https://receiver.example/\u0131?\u0130",
]


@pytest.mark.parametrize("url", BAD)
def test_any_other_form_of_a_url_is_refused(url: str) -> None:
    with pytest.raises(CallRefused, match="bad_url"):
        read_target(url, ANY_PORT)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "0.0.0.0",  # noqa: S104
        "[::1]",
        "[::]",
        "[::ffff:10.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "[64:ff9b::10.0.0.1]",
        "[2002:7f00:1::]",
        "[fd00::1]",
        "[fe80::1]",
    ],
)
def test_an_address_that_is_not_public_is_refused_in_the_url_already(host: str) -> None:
    with pytest.raises(CallRefused, match="address_not_public"):
        read_target(f"https://{host}/", ANY_PORT)


def test_a_url_is_read_into_host_port_and_path() -> None:
    rules = OutgoingRules(ports=(443, 8443))
    assert read_target("https://Receiver.EXAMPLE", rules) == Target("receiver.example", 443, "/")
    assert read_target("https://receiver.example:8443/a/b?c=%20&d", rules) == Target(
        "receiver.example", 8443, "/a/b?c=%20&d"
    )
    assert read_target("https://receiver.example?a", rules).path == "/?a"
    assert read_target("https://xn--rceiver-bya.example/", rules).host == "xn--rceiver-bya.example"
    assert read_target("https://[2606:4700::1111]/", rules).authority == "[2606:4700::1111]"
    assert read_target("https://receiver.example:8443/", rules).authority == "receiver.example:8443"
    assert read_target("https://10.1.2.3/", OutgoingRules((ip_network("10.1.0.0/16"),))).host == "10.1.2.3"


def test_only_the_operators_ports_are_called() -> None:
    with pytest.raises(CallRefused, match="port_not_allowed"):
        read_target("https://receiver.example:22/", OutgoingRules())
    assert read_target("https://receiver.example:443/", OutgoingRules()).port == 443


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("hooks.example.com", True),
        ("a.partners.example", True),
        ("b.a.partners.example", True),
        ("partners.example", False),
        ("evilpartners.example", False),
        ("x.hooks.example.com", False),
        ("hooks.example.com.evil.example", False),
    ],
)
def test_only_the_operators_hosts_are_called(host: str, allowed: bool) -> None:
    rules = OutgoingRules(hosts=("hooks.example.com", ".partners.example"))
    if allowed:
        assert read_target(f"https://{host}/", rules).host == host
    else:
        with pytest.raises(CallRefused, match="host_not_allowed"):
            read_target(f"https://{host}/", rules)
