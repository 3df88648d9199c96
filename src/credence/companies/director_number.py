"""The number by which the wire names an officer (report schema §1, `DirectorNumber`)."""

import base64
import hashlib

LENGTH = 17


def director_number(officer_id: str) -> str:
    """Return `D` and sixteen letters and digits: the same for one officer at every company and after every load.

    The register's own identifier tells small letters from capitals, which clients and paths do not keep.
    """
    return "D" + base64.b32encode(hashlib.sha256(officer_id.encode()).digest()[:10]).decode()
