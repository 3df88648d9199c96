"""The manifests for Kubernetes: held to its own schemas, to each other and to the server (issue 8 §7)."""

import copy
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from credence import paths
from credence.sandbox.certificates import ensure_certificates
from credence.server import GRACEFUL_STOP_SECONDS
from credence.settings import Settings
from tests.deploy.containerfile import read_stages
from tests.running import run_command

BASE = Path(__file__).parents[2] / "deploy" / "kubernetes" / "base"
OLDEST = "1.30"
"""The version that the base names as its least: it brought `sleep` to `preStop`."""

NEWEST = kubernetes_validate.latest_version()

Manifest = dict[str, Any]


def read(file: str) -> list[Manifest]:
    return list(yaml.safe_load_all((BASE / file).read_text(encoding="utf-8")))


KUSTOMIZATION = read("kustomization.yaml")[0]
RESOURCES = {each["kind"]: each for file in KUSTOMIZATION["resources"] for each in read(file)}
SECRETS = {each["metadata"]["name"]: each for each in read("secret.example.yaml")}
DEPLOYMENT = RESOURCES["Deployment"]["spec"]
POD = DEPLOYMENT["template"]["spec"]
NODE = POD["containers"][0]
PROBES = {"livenessProbe": paths.LIVE, "startupProbe": paths.LIVE, "readinessProbe": paths.READY}


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
def test_every_manifest_fits_the_schema_of_its_kind(version: str) -> None:
    """Strictly: a field that Kubernetes does not know is an error, and not passed over as the API server would."""
    for manifest in (*RESOURCES.values(), *SECRETS.values()):
        assert version.startswith(kubernetes_validate.validate(manifest, version, strict=True))


def test_the_schemas_notice_a_misspelt_field() -> None:
    wrong = copy.deepcopy(RESOURCES["Deployment"])
    wrong["spec"]["template"]["spec"]["containers"][0]["securityContext"]["readonlyRootFilesystem"] = True
    with pytest.raises(kubernetes_validate.ValidationError, match="readonlyRootFilesystem"):
        kubernetes_validate.validate(wrong, NEWEST, strict=True)


def test_the_base_holds_every_file_but_the_example() -> None:
    files = {file.name for file in BASE.iterdir()} - {"kustomization.yaml", "secret.example.yaml"}
    assert set(KUSTOMIZATION["resources"]) == files


def test_kustomize_builds_it() -> None:
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is missing: python -m tests.provision")
    done = subprocess.run(["kubectl", "kustomize", BASE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {each["kind"] for each in yaml.safe_load_all(done.stdout)} == set(RESOURCES)


def built(folder: Path) -> list[Manifest]:
    """Return what kustomize makes of the overlay for an ingress, with secrets of this test."""
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is missing: python -m tests.provision")
    done = subprocess.run(
        ["kubectl", "kustomize", folder / "overlays" / "ingress"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    folder = shutil.copytree(BASE.parent, tmp_path / "kubernetes")
    secrets = folder / "overlays" / "ingress" / "secrets"
    secrets.mkdir()
    for name in ("key-encryption-key", "store", "tls.crt", "tls.key"):
        (secrets / name).write_text(f"invented {name}\n")
    return folder


def test_the_overlay_fits_the_schemas_and_its_ingress_leads_to_the_nodes(overlay: Path) -> None:
    manifests = built(overlay)
    for manifest in manifests:
        for version in (OLDEST, NEWEST):
            assert version.startswith(kubernetes_validate.validate(manifest, version, strict=True))
    by_kind = {each["kind"]: each for each in manifests}
    assert {each["metadata"]["namespace"] for each in manifests} == {"credence"}
    (rule,) = by_kind["Ingress"]["spec"]["rules"]
    service = rule["http"]["paths"][0]["backend"]["service"]
    assert service["name"] == by_kind["Service"]["metadata"]["name"]
    assert service["port"]["name"] in {port["name"] for port in by_kind["Service"]["spec"]["ports"]}
    assert by_kind["ConfigMap"]["data"]["CREDENCE_BASE_URL"] == f"https://{rule['host']}"
    assert by_kind["ConfigMap"]["data"]["CREDENCE_ENVIRONMENT"] == "production"


def test_a_changed_secret_starts_a_rolling_update(overlay: Path) -> None:
    def template() -> Manifest:
        (deployment,) = (each for each in built(overlay) if each["kind"] == "Deployment")
        return dict(deployment["spec"]["template"])

    before = template()
    assert template() == before
    (overlay / "overlays" / "ingress" / "secrets" / "store").write_text("another address\n")
    assert template() != before


def test_the_metrics_are_reached_by_what_monitors_and_by_nothing_else() -> None:
    ports = {port["name"]: port["containerPort"] for port in NODE["ports"]}
    assert str(ports["metrics"]) == RESOURCES["ConfigMap"]["data"]["CREDENCE_METRICS_PORT"]
    rules = RESOURCES["NetworkPolicy"]["spec"]["ingress"]
    allowed = [rule["from"] for rule in rules for port in rule["ports"] if port["port"] == "metrics"]
    assert allowed == [[{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}]]
    assert "metrics" not in {port["name"] for port in RESOURCES["Service"]["spec"]["ports"]}


def test_the_pod_keeps_to_the_restricted_standard() -> None:
    """Kubernetes, Pod Security Standards, profile "restricted"; and nothing may be written but the volumes."""
    pod, node = POD["securityContext"], NODE["securityContext"]
    assert (pod["runAsNonRoot"], pod["seccompProfile"]) == (True, {"type": "RuntimeDefault"})
    assert node == {
        "allowPrivilegeEscalation": False,
        "privileged": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {"hostNetwork", "hostPID", "hostIPC"} & set(POD) == set()
    assert {kind for volume in POD["volumes"] for kind in set(volume) - {"name"}} <= {"emptyDir", "secret"}
    assert POD["automountServiceAccountToken"] is False


def test_user_and_data_folder_are_those_of_the_image() -> None:
    image = read_stages()[-1]
    context = POD["securityContext"]
    assert image.of("USER") == [f"{context['runAsUser']}:{context['runAsGroup']}"]
    assert context["fsGroup"] == context["runAsGroup"]
    assert image.of("VOLUME")[0] in {mount["mountPath"] for mount in NODE["volumeMounts"]}
    assert image.of("EXPOSE") == [str(NODE["ports"][0]["containerPort"])]


def test_a_service_of_our_name_sets_no_setting() -> None:
    """Kubernetes would set CREDENCE_PORT to `tcp://...`, and the server would not start."""
    assert RESOURCES["Service"]["metadata"]["name"] == "credence"
    assert POD["enableServiceLinks"] is False
    done = run_command("config", "check", CREDENCE_PORT="tcp://10.0.0.1:443")
    assert (done.returncode, "CREDENCE_PORT" in done.stderr) == (2, True)


@pytest.mark.parametrize("probe", PROBES)
def test_each_probe_asks_its_path_by_https(probe: str) -> None:
    """threats F9: liveness and the first start without the store, readiness with it."""
    assert NODE[probe]["httpGet"] == {"path": PROBES[probe], "port": "https", "scheme": "HTTPS"}


def test_a_database_that_is_away_restarts_no_node() -> None:
    """The readiness probe waits longer than the 2 s the store is given, the others do not ask the store at all."""
    assert NODE["readinessProbe"]["timeoutSeconds"] > 2
    assert {path for probe, path in PROBES.items() if probe != "readinessProbe"} == {paths.LIVE}


def test_stopping_takes_less_than_kubernetes_waits() -> None:
    assert (
        POD["terminationGracePeriodSeconds"] > NODE["lifecycle"]["preStop"]["sleep"]["seconds"] + GRACEFUL_STOP_SECONDS
    )


def test_a_node_that_goes_is_forgotten_before_it_stops() -> None:
    """Two failed probes are noticed within the pause, should removal from the Service be late."""
    readiness = NODE["readinessProbe"]
    assert (
        NODE["lifecycle"]["preStop"]["sleep"]["seconds"] >= readiness["periodSeconds"] * readiness["failureThreshold"]
    )


def test_a_roll_takes_no_node_away_before_another_is_ready() -> None:
    assert DEPLOYMENT["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert RESOURCES["PodDisruptionBudget"]["spec"]["maxUnavailable"] < DEPLOYMENT["replicas"]


def test_everything_that_selects_nodes_selects_these() -> None:
    labels = DEPLOYMENT["template"]["metadata"]["labels"]
    selectors = [
        DEPLOYMENT["selector"]["matchLabels"],
        RESOURCES["Service"]["spec"]["selector"],
        RESOURCES["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        RESOURCES["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
        *(each["labelSelector"]["matchLabels"] for each in POD["topologySpreadConstraints"]),
    ]
    assert [selector for selector in selectors if selector != labels] == []


def test_every_port_that_is_named_is_the_node_s() -> None:
    named = {port["name"] for port in NODE["ports"]}
    assert RESOURCES["Service"]["spec"]["ports"][0]["targetPort"] in named
    assert RESOURCES["NetworkPolicy"]["spec"]["ingress"][0]["ports"][0]["port"] in named


def test_every_volume_is_mounted_and_every_mount_has_one() -> None:
    assert {each["name"] for each in NODE["volumeMounts"]} == {each["name"] for each in POD["volumes"]}


def test_every_secret_that_is_asked_for_is_in_the_example_without_a_value() -> None:
    asked = {(each["name"], each["key"]) for each in secret_variables()}
    for volume in (each["secret"] for each in POD["volumes"] if "secret" in each):
        asked |= {(volume["secretName"], item["key"]) for item in volume.get("items", [])}
    asked |= {("credence-tls", "tls.crt"), ("credence-tls", "tls.key")}
    shown = {(name, key): value for name, each in SECRETS.items() for key, value in each["stringData"].items()}
    assert shown == dict.fromkeys(asked, "")


def test_every_variable_is_a_setting_and_no_secret_is_written_out() -> None:
    settings = {f"CREDENCE_{name.upper()}": field for name, field in Settings.model_fields.items()}
    written = variables()
    assert set(written) - set(settings) == set()
    assert [name for name in written if not settings[name].repr] == []
    assert {each["name"] for each in NODE["env"]} - set(settings) == set()


def test_the_configuration_is_fit_for_production(tmp_path: Path) -> None:
    """D18: what production must not run with is not in it."""
    chain, key = ensure_certificates(tmp_path / "tls", "127.0.0.1")
    (tmp_path / "key").write_text("0f1e2d3c4b5a69788796a5b4c3d2e1f0" * 2)
    (tmp_path / "store").write_text("postgresql://credence:canary@db-1,db-2/credence?target_session_attrs=read-write\n")
    for secret in ("key", "store"):
        (tmp_path / secret).chmod(0o600)
    files = {
        "CREDENCE_TLS_CERTIFICATE": str(chain),
        "CREDENCE_TLS_KEY": str(key),
        "CREDENCE_KEY_ENCRYPTION_KEY_FILE": str(tmp_path / "key"),
        "CREDENCE_STORE_FILE": str(tmp_path / "store"),
    }
    assert set(files) <= set(variables())
    chosen = variables() | files | {"CREDENCE_PASSWORD_PROFILE": "standard"}
    done = run_command("config", "check", "--settings-only", **chosen)  # there is no database
    said = [line for line in done.stderr.splitlines() if "built without optimisations" not in line]  # of this Python
    assert (done.returncode, said) == (0, [])
    assert "safe for production" in done.stdout


def test_the_audit_trail_of_a_pod_is_in_its_output_and_fits_its_volume() -> None:
    """The container runs the server as its first process, whose output the cluster collects (test_container.py)."""
    assert variables()["CREDENCE_AUDIT_COPIES"] == "file:///proc/1/fd/1"
    assert "shareProcessNamespace" not in POD
    assert {"command", "args", "tty"} & set(NODE) == set()
    files = int(variables()["CREDENCE_AUDIT_FILES"]) + Settings.model_fields["refusal_files"].default
    trail = files * Settings.model_fields["audit_file_megabytes"].default * 1_000_000
    (limit,) = (each["emptyDir"]["sizeLimit"] for each in POD["volumes"] if each["name"] == "data")
    # Credit data at the full register, and the same again while a new data set is written (docs/operating.md).
    assert int(limit.removesuffix("Gi")) * 2**30 > trail + 2 * 2_400_000_000


def test_every_file_that_a_variable_names_is_in_a_mount() -> None:
    mounts = tuple(each["mountPath"] + "/" for each in NODE["volumeMounts"])
    named = [value for value in variables().values() if re.match(r"/etc/", value)]
    assert len(named) == 4
    assert [value for value in named if not value.startswith(mounts)] == []


def variables() -> dict[str, str]:
    """What a node is started with, but for what comes from a Secret."""
    own = {each["name"]: each["value"] for each in NODE["env"] if "value" in each}
    return {**RESOURCES["ConfigMap"]["data"], **own}


def secret_variables() -> list[dict[str, Any]]:
    return [each["valueFrom"]["secretKeyRef"] for each in NODE["env"] if "secretKeyRef" in each.get("valueFrom", {})]
