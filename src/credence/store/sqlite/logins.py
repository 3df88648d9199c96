"""What the families of an application come to, in SQLite. Asked by commands alone: it reads the whole table."""

SELECTION = """
SELECT families.client_id,
       sum(families.ended_at IS NULL AND families.expires_at > ?
           AND families.created_at >= CAST(applications.document AS TEXT) ->> 'not_before'
           AND families.created_at >= CAST(accounts.document AS TEXT) ->> 'not_before'),
       max(families.created_at)
FROM families JOIN applications USING (client_id) JOIN accounts USING (username)
GROUP BY families.client_id ORDER BY families.client_id
"""
"""Given an instant: one row for each application, with the fields of `FamilyStatistics`."""
