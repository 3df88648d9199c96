"""The Helm chart: rendered by Helm, held to the schemas of Kubernetes and to the base for Kustomize (issue 38, point 2)."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from credence import __version__
from tests.deploy.test_kubernetes import BASE, NEWEST, OLDEST, RESOURCES

CHART = BASE.parents[1] / "helm" / "credence"
HELM = "helm.sh/helm/v3/cmd/helm@v3.19.5"
EVERYTHING = (
    "--set=autoscaling.enabled=true",
    "--set=ingress.enabled=true",
    "--set=ingress.annotations.cert-manager\\.io/cluster-issuer=main",
    "--set=image.pullSecrets[0].name=registry",
    "--set=settings.CREDENCE_CALLS_OUT=true",
)

pytestmark = pytest.mark.when_changed("deploy/helm/**/*", "deploy/kubernetes/**/*", "tests/deploy/test_helm.py")

Manifest = dict[str, Any]


@pytest.fixture(scope="module")
def helm() -> str:
    """The Helm of this machine; in a long run it is built once, for some minutes, and kept in the user's cache."""
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "credence" / "bin"
    found = shutil.which("helm", path=f"{os.environ['PATH']}{os.pathsep}{kept}")
    if found is None and os.environ.get("CREDENCE_TEST_LONG") and shutil.which("go"):
        subprocess.run(["go", "install", HELM], env=os.environ | {"GOBIN": str(kept)}, check=True, capture_output=True)
        found = str(kept / "helm")
    if found is None:
        pytest.skip(f"helm is missing: GOBIN={kept} go install {HELM}")
    return found


def rendered(helm: str, *options: str, release: str = "credence") -> list[Manifest]:
    command = [helm, "template", release, str(CHART), "--namespace=credence", f"--kube-version={OLDEST}", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [each for each in yaml.safe_load_all(done.stdout) if each]


def refused(helm: str, *options: str) -> str:
    done = subprocess.run(
        [helm, "template", "credence", str(CHART), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    return done.stderr


def by_kind(manifests: list[Manifest]) -> dict[str, Manifest]:
    return {each["kind"]: each for each in manifests}


def without_release(value: Any) -> Any:
    """Return a manifest without what only a release of Helm has: the label of its name and the digest of its settings."""
    if isinstance(value, dict):
        left_out = ("app.kubernetes.io/instance", "checksum/settings")
        return {key: without_release(each) for key, each in value.items() if key not in left_out}
    return [without_release(each) for each in value] if isinstance(value, list) else value


def test_without_values_it_installs_what_the_base_does(helm: str) -> None:
    made = by_kind(rendered(helm, "--set=image.tag=latest"))
    base = {kind: dict(each) for kind, each in RESOURCES.items()}
    base["Deployment"]["spec"]["template"]["spec"]["containers"][0]["image"] = "credence:latest"
    assert {kind: without_release(each) for kind, each in made.items()} == base


@pytest.mark.parametrize("options", [(), EVERYTHING])
@pytest.mark.parametrize("version", [OLDEST, NEWEST])
def test_every_manifest_fits_the_schema_of_its_kind(helm: str, version: str, options: tuple[str, ...]) -> None:
    manifests = rendered(helm, *options)
    assert len(manifests) == (5 if not options else 7)
    for manifest in manifests:
        assert version.startswith(kubernetes_validate.validate(manifest, version, strict=True))


def test_an_autoscaler_decides_on_the_number_of_nodes_alone(helm: str) -> None:
    made = by_kind(rendered(helm, *EVERYTHING))
    assert "replicas" not in made["Deployment"]["spec"]
    scaled = made["HorizontalPodAutoscaler"]["spec"]
    assert scaled["scaleTargetRef"]["name"] == made["Deployment"]["metadata"]["name"]
    assert [each["resource"]["name"] for each in scaled["metrics"]] == ["cpu"]


def test_two_releases_in_one_namespace_share_no_name_and_select_their_own_nodes(helm: str) -> None:
    first, second = (rendered(helm, release=name) for name in ("credence", "uat"))
    names = [{(each["kind"], each["metadata"]["name"]) for each in release} for release in (first, second)]
    assert names[0] & names[1] == set()
    for release, instance in ((first, "credence"), (second, "uat")):
        made = by_kind(release)
        labels = made["Deployment"]["spec"]["template"]["metadata"]["labels"]
        assert labels["app.kubernetes.io/instance"] == instance
        assert made["Service"]["spec"]["selector"] == labels
        assert made["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels


def test_a_changed_setting_starts_a_rolling_update(helm: str) -> None:
    before, same, after = (
        by_kind(rendered(helm, f"--set=settings.CREDENCE_SUPPORT_EMAIL={name}@example.com"))["Deployment"]
        for name in ("ada", "ada", "grace")
    )
    assert before == same
    assert before["spec"]["template"] != after["spec"]["template"]


def test_a_digest_names_the_image_and_the_version_is_the_tag_otherwise(helm: str) -> None:
    def image(*options: str) -> str:
        (node,) = by_kind(rendered(helm, *options))["Deployment"]["spec"]["template"]["spec"]["containers"]
        return str(node["image"])

    digest = "sha256:" + "0" * 64
    assert image("--set=image.repository=r.example/c") == f"r.example/c:{__version__}"
    assert image("--set=image.repository=r.example/c", f"--set=image.digest={digest}") == f"r.example/c@{digest}"


@pytest.mark.parametrize(
    ("option", "named"),
    [
        ("--set=replica=2", "replica"),
        ("--set=settings.BASE_URL=x", "BASE_URL"),
        ("--set=image.digest=latest", "digest"),
        ("--set=networkPolicy.egressPorts={70000}", "egressPorts"),
    ],
)
def test_a_misspelt_or_impossible_value_is_refused_by_its_name(helm: str, option: str, named: str) -> None:
    assert named in refused(helm, option)


def test_helm_finds_no_fault_in_the_chart(helm: str) -> None:
    done = subprocess.run([helm, "lint", "--strict", "--quiet", CHART], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
