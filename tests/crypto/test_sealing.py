"""What lies in the store sealed opens under its own key and its own name, and under no other (D13, threats T13)."""

import pytest

from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, is_sealed_by, seal, sealing_first, unseal

KEK = KeyEncryptionKeys((b"k" * 32,))


def test_what_was_sealed_is_unsealed() -> None:
    assert unseal(KEK, "digest-key", seal(KEK, "digest-key", b"secret")) == b"secret"


def test_the_secret_does_not_show_through_and_no_two_seals_are_alike() -> None:
    first, second = (seal(KEK, "digest-key", b"secret") for _ in range(2))
    assert b"secret" not in first
    assert first != second


@pytest.mark.parametrize("name", ["refresh-key", "digest-key:other", ""])
def test_a_sealed_value_cannot_replace_another(name: str) -> None:
    with pytest.raises(Unsealable):
        unseal(KEK, name, seal(KEK, "digest-key", b"secret"))


def test_another_key_does_not_open_it() -> None:
    with pytest.raises(Unsealable):
        unseal(KeyEncryptionKeys((b"x" * 32,)), "digest-key", seal(KEK, "digest-key", b"secret"))


def test_no_byte_of_a_sealed_value_can_be_changed_or_cut() -> None:
    sealed = seal(KEK, "digest-key", b"secret")
    for place in range(len(sealed)):
        with pytest.raises(Unsealable):
            unseal(KEK, "digest-key", sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :])
        with pytest.raises(Unsealable):
            unseal(KEK, "digest-key", sealed[:place])


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_key_encryption_key_has_exactly_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        KeyEncryptionKeys((b"k" * length,))


def test_a_key_encryption_key_is_not_in_its_repr() -> None:
    assert "6b6b" not in repr(KEK)
    assert "kkk" not in repr(KEK)


def test_a_deployment_without_a_key_encryption_key_cannot_be_built() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        KeyEncryptionKeys(())


def test_an_older_key_still_opens_what_it_sealed_and_the_first_one_seals() -> None:
    """D13: a new key can be brought in while the service runs."""
    both = KeyEncryptionKeys((b"n" * 32, *KEK.keys))
    assert unseal(both, "digest-key", seal(KEK, "digest-key", b"secret")) == b"secret"
    newly = seal(both, "digest-key", b"secret")
    assert is_sealed_by(b"n" * 32, newly)
    assert not is_sealed_by(KEK.keys[0], newly)
    with pytest.raises(Unsealable):
        unseal(KEK, "digest-key", newly)


def test_the_key_that_sealed_a_value_goes_first_and_the_others_keep_their_order() -> None:
    """The file has keys from the oldest to the newest; the store says which of them seals."""
    oldest, middle, newest = (letter * 32 for letter in (b"a", b"b", b"c"))
    keks = KeyEncryptionKeys((oldest, middle, newest))
    for sealing, ordered in (
        (oldest, keks.keys),
        (middle, (middle, oldest, newest)),
        (newest, (newest, oldest, middle)),
    ):
        assert sealing_first(keks, seal(KeyEncryptionKeys((sealing,)), "digest-key", b"x")).keys == ordered
    assert sealing_first(keks, seal(KEK, "digest-key", b"x")) == keks
