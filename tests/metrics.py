"""Reads what a running server tells Prometheus."""

import httpx
from prometheus_client.parser import text_string_to_metric_families


def text(port: int) -> str:
    reply = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False)
    assert reply.status_code == 200
    return reply.text


def figures(port: int) -> dict[str, float]:
    """Every sample by its name, with its labels as Prometheus writes them."""
    found = {}
    for family in text_string_to_metric_families(text(port)):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def figure(port: int, name: str) -> float | None:
    return figures(port).get(name)
