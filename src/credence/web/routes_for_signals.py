"""The rows of the route table for shared signals (SSF 1.0); `routes.py` has the others."""

from functools import partial

from credence import paths
from credence.api.reference.operations import signals as operations
from credence.api.tokens import signals
from credence.oauth.parameters.scopes import SIGNALS
from credence.web.routing.route import READ, AllowedOrigins, Protection, Route

_configuration = partial(
    Route, READ, protection=Protection.PUBLIC, endpoint=signals.read_configuration, origins=AllowedOrigins.ALL
)
_resource = partial(Route, protection=Protection.BEARER, scope=SIGNALS, problems=True)

SHARED_SIGNALS = (
    _configuration(path=paths.SIGNAL_CONFIGURATION, operation=operations.CONFIGURATION),
    _configuration(path=f"{paths.SIGNAL_CONFIGURATION}/{{path}}", operation=operations.CONFIGURATION_WITH_PATH),
    *(
        _resource(methods, path, endpoint=endpoint, operation=operation)
        for methods, path, endpoint, operation in (
            (READ, paths.SIGNAL_STREAMS, signals.read_streams, operations.READ_STREAMS),
            (("POST",), paths.SIGNAL_STREAMS, signals.make_stream, operations.MAKE_STREAM),
            (("PATCH",), paths.SIGNAL_STREAMS, signals.change_stream, operations.CHANGE_STREAM),
            (("PUT",), paths.SIGNAL_STREAMS, signals.replace_stream, operations.REPLACE_STREAM),
            (("DELETE",), paths.SIGNAL_STREAMS, signals.delete_stream, operations.DELETE_STREAM),
            (READ, paths.SIGNAL_STATUS, signals.read_status, operations.READ_STATUS),
            (("POST",), paths.SIGNAL_STATUS, signals.change_status, operations.CHANGE_STATUS),
            (("POST",), paths.SIGNAL_SUBJECTS_ADD, signals.add_subject, operations.ADD_SUBJECT),
            (("POST",), paths.SIGNAL_SUBJECTS_REMOVE, signals.remove_subject, operations.REMOVE_SUBJECT),
            (("POST",), paths.SIGNAL_VERIFICATION, signals.verify, operations.VERIFY),
            (("POST",), f"{paths.SIGNAL_POLL}/{{stream}}", signals.poll, operations.POLL),
        )
    ),
)
