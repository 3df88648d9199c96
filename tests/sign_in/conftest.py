"""Each test here runs in `make test-long` over SQLite and PostgreSQL too, by two nodes in turn."""

from tests.nodes_in_turn import open_deployment as open_deployment
