"""Why a file, a member or a document of an accounts product is not read."""


class UnreadableDocument(Exception):
    """It is refused. The message is a reason code to count by, such as `document.entities`; it holds no content."""
