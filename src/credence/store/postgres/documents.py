"""The statements that store applications and accounts: a document a row, with a version, and an entry in the change log."""

from credence.store.postgres.sign_out_notices import NOTICES_OF_ACCOUNT


def _saving(table: str, key: str, kind: str, parts: str = "") -> tuple[str, str]:
    """Return the statements that store a first version and a later one. The names are constants of this file.

    `parts` are further common table expressions of the later one, which may refer to the expression `saved`.
    """
    log = f"SELECT log_change('{kind}', %(name)s, %(until)s) FROM saved"  # noqa: S608
    insertion = (
        f"INSERT INTO {table} ({key}, version, document) VALUES (%(name)s, %(version)s, %(document)s) "  # noqa: S608
        "ON CONFLICT DO NOTHING RETURNING 1"
    )
    update = (
        f"UPDATE {table} SET version = %(version)s, document = %(document)s "  # noqa: S608
        f"WHERE {key} = %(name)s AND version = %(version)s - 1 RETURNING 1"
    )
    return f"WITH saved AS ({insertion}) {log}", f"WITH saved AS ({update}){parts} {log}"


SAVE_APPLICATION = _saving("applications", "client_id", "application")
SAVE_ACCOUNT = _saving("accounts", "username", "account", f", {NOTICES_OF_ACCOUNT}")
"""The statement that stores a first version, and the one for a later version; likewise for applications."""
