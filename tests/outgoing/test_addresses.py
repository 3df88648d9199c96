"""Which addresses the client may connect to (threats E3)."""

from ipaddress import ip_address, ip_network

import pytest

from credence.outgoing.addresses import is_public, may_connect

SPECIAL = """
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.255.255.254 169.254.169.254
    169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255
    198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:8.8.8.8
    ::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::808:808 100::1 2001::1
    2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 3fff::1 5f00::1 fc00::1
    fd00:ec2::254 fe80::1 fe80::1%eth0 2606:4700::1%1 fec0::1 ff02::1
"""

PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
    172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 198.17.255.255 198.20.0.0 223.255.255.255 2001:200::1
    2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450::1 64:ff9b::8.8.8.8
"""


@pytest.mark.parametrize("address", SPECIAL.split())
def test_a_special_address_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC.split())
def test_an_address_just_outside_of_the_special_ones_is_public(address: str) -> None:
    assert is_public(ip_address(address))


def test_a_network_of_the_operator_admits_its_own_addresses_and_no_other() -> None:
    networks = (ip_network("10.1.0.0/16"), ip_network("fd00::/8"))
    assert may_connect(ip_address("10.1.255.255"), networks)
    assert may_connect(ip_address("fd12::1"), networks)
    assert not may_connect(ip_address("10.2.0.0"), networks)
    assert not may_connect(ip_address("::ffff:10.1.0.1"), networks)
