"""Callers of several regions at once, who log in over and over and note what they were answered and when."""

import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import httpx

PAUSE_SECONDS = 0.1
TOKEN, INTROSPECTION = "/oauth2/v1/token", "/oauth2/v1/introspect"

UNFELT = 300
"""Tokens in a row, half a minute and more, after which a fault counts as not felt."""

NEAR_SECONDS = 10.0
"""The logins that are looked at after a fault: acknowledged so long before it, or after it."""


@dataclass
class Caller:
    """One caller at the node of one region: every login is a row that its answer promises to keep."""

    region: str
    url: str
    sandbox: dict[str, Any]
    answers: list[tuple[float, float, str, str]] = field(default_factory=list)
    """When each request began and ended (monotonic seconds), its status or the kind of failure, and the refresh token."""
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def application(self) -> dict[str, str]:
        return {"client_id": self.sandbox["client_id"], "client_secret": self.sandbox["client_secret"]}

    def live(self) -> None:
        person = {"username": self.sandbox["username"], "password": self.sandbox["password"]}
        with httpx.Client(base_url=self.url, trust_env=False, timeout=5) as client:
            while not self.over.wait(PAUSE_SECONDS):
                began, token = time.monotonic(), ""
                try:
                    answer = client.post(TOKEN, headers=self.application, json=person)
                    status = str(answer.status_code)
                    token = answer.json()["refresh_token"] if answer.status_code == 200 else ""
                except httpx.HTTPError as error:
                    status = type(error).__name__
                self.answers.append((began, time.monotonic(), status, token))

    def knows(self, tokens: Sequence[str]) -> list[bool]:
        """Return which of these refresh tokens the region knows; to ask changes nothing."""
        secret = (self.sandbox["client_id"], self.sandbox["client_secret"])
        with httpx.Client(base_url=self.url, trust_env=False, timeout=5, auth=secret) as client:
            answers = [client.post(INTROSPECTION, data={"token": token}) for token in tokens]
        return [answer.raise_for_status().json()["active"] for answer in answers]


class Callers:
    """One caller for each region, in threads of their own."""

    def __init__(self, callers: Sequence[Caller]) -> None:
        self._callers = {each.region: each for each in callers}
        self._threads = [threading.Thread(target=each.live, daemon=True) for each in callers]

    def __enter__(self) -> Self:
        for each in self._threads:
            each.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in self._callers.values():
            each.over.set()
        for thread in self._threads:
            thread.join()

    def told_since(self, began: float) -> dict[str, dict[str, int]]:
        """Return how often each region gave each answer to a request that began since an instant."""
        return {
            f"answers_{name}": dict(sorted(Counter(each[2] for each in caller.answers if each[0] >= began).items()))
            for name, caller in self._callers.items()
        }

    def recovery(self, region: str, began: float) -> float | None:
        """Return after how many seconds a region issued the first of three tokens in a row; None while it has not.

        Tokens before its first failure do not count: a fault takes a moment to be felt.
        """
        answers = [each for each in list(self._callers[region].answers) if each[0] >= began]
        failed = next((number for number, each in enumerate(answers) if each[2] != "200"), None)
        if failed is None:
            return 0.0 if len(answers) >= UNFELT else None
        for number in range(failed, len(answers) - 2):
            if {each[2] for each in answers[number : number + 3]} == {"200"}:
                return round(answers[number][1] - began, 2)
        return None

    def last_success(self, region: str, began: float) -> float:
        """Return how many seconds after an instant a region last issued a token; 0 if it issued none since."""
        found = [
            each[1] - began for each in list(self._callers[region].answers) if each[1] >= began and each[2] == "200"
        ]
        return round(max(found, default=0.0), 2)

    def lost(self, at: str, fault: float, until: float = float("inf")) -> list[float]:
        """Return by how many seconds before the fault each login was acknowledged that a region does not know after it.

        A negative number is a login that was acknowledged after the fault.
        """
        near = [
            (ended, token)
            for caller in self._callers.values()
            for _, ended, status, token in list(caller.answers)
            if status == "200" and fault - NEAR_SECONDS <= ended <= until
        ]
        known = self._callers[at].knows([token for _, token in near])
        return [round(fault - ended, 3) for (ended, _), found in zip(near, known, strict=True) if not found]
