"""Makes the Helm chart of `deploy/helm/credence` from the files for Kustomize in `deploy/kubernetes`: `make docs`.

Each template is the text of a file of the base with the replacements below, so both install the same. A text that is to be
replaced and is not in its file is an error: whoever changes the base sees what the chart makes of it.
"""

import re
from pathlib import Path

from credence import __version__

CHART = "deploy/helm/credence"
_NAME = '{{ include "credence.name" . }}'
_INSTANCE = "app.kubernetes.io/instance: {{ .Release.Name }}"

Replacements = tuple[tuple[str, str], ...]

_DEPLOYMENT: Replacements = (
    (
        "  replicas: 3\n",
        "  {{- if not .Values.autoscaling.enabled }}\n  replicas: {{ .Values.replicas }}\n  {{- end }}\n",
    ),
    (
        '        prometheus.io/port: "9464"\n',
        (
            '        prometheus.io/port: "{{ .Values.settings.CREDENCE_METRICS_PORT }}"\n'
            "        # A changed setting starts a rolling update.\n"
            "        checksum/settings: {{ .Values.settings | toYaml | sha256sum }}\n"
        ),
    ),
    ("          image: credence\n", '          image: {{ include "credence.image" . }}\n'),
    ("          imagePullPolicy: IfNotPresent\n", "          imagePullPolicy: {{ .Values.image.pullPolicy }}\n"),
    (
        "    spec:\n      automountServiceAccountToken",
        (
            "    spec:\n      {{- with .Values.image.pullSecrets }}\n      imagePullSecrets:\n"
            "        {{- toYaml . | nindent 8 }}\n      {{- end }}\n      automountServiceAccountToken"
        ),
    ),
    ("containerPort: 9464\n", "containerPort: {{ .Values.settings.CREDENCE_METRICS_PORT }}\n"),
    ("                name: credence\n          env:", f"                name: {_NAME}\n          env:"),
    (
        "                  name: credence\n                  key: counters-url",
        "                  name: {{ .Values.secret }}\n                  key: counters-url",
    ),
    ("            secretName: credence\n", "            secretName: {{ .Values.secret }}\n"),
    ("            secretName: credence-tls\n", "            secretName: {{ .Values.certificate.secret }}\n"),
    (
        "              cpu: 500m\n              memory: 384Mi\n",
        "              {{- toYaml .Values.resources.requests | nindent 14 }}\n",
    ),
    ("              memory: 1Gi\n", "              {{- toYaml .Values.resources.limits | nindent 14 }}\n"),
    ("            sizeLimit: 8Gi\n", "            sizeLimit: {{ .Values.dataSize }}\n"),
)
_NETWORK_POLICY: Replacements = (
    (
        "              kubernetes.io/metadata.name: ingress  # the namespace of yours\n",
        "              kubernetes.io/metadata.name: {{ .Values.networkPolicy.ingressNamespace }}\n",
    ),
    (
        "              kubernetes.io/metadata.name: monitoring  # the namespace of yours\n",
        "              kubernetes.io/metadata.name: {{ .Values.networkPolicy.monitoringNamespace }}\n",
    ),
    (
        (
            "        - port: 5432  # PostgreSQL; name its address where you can\n          protocol: TCP\n"
            "        - port: 6379  # the counters\n          protocol: TCP\n"
        ),
        (
            "        # PostgreSQL, the counters and what else the settings name\n"
            "        {{- range .Values.networkPolicy.egressPorts }}\n"
            "        - port: {{ . }}\n          protocol: TCP\n        {{- end }}\n"
        ),
    ),
)
_INGRESS: Replacements = (
    (
        "proxy-ssl-name: api.example.com\n",
        "proxy-ssl-name: {{ .Values.ingress.host }}\n",
    ),
    ("  ingressClassName: nginx\n", "  ingressClassName: {{ .Values.ingress.className }}\n"),
    ("    - hosts: [api.example.com]\n", "    - hosts: [{{ .Values.ingress.host }}]\n"),
    (
        "      secretName: api-example-com  # the certificate that callers see, such as from cert-manager\n",
        "      secretName: {{ .Values.ingress.secret }}\n",
    ),
    ("    - host: api.example.com\n", "    - host: {{ .Values.ingress.host }}\n"),
    ("                name: credence\n", f"                name: {_NAME}\n"),
    (
        "    nginx.ingress.kubernetes.io/proxy-body-size: 32k\n",
        (
            "    nginx.ingress.kubernetes.io/proxy-body-size: 32k\n    {{- with .Values.ingress.annotations }}\n"
            "    {{- toYaml . | nindent 4 }}\n    {{- end }}\n"
        ),
    ),
)
_FILES: dict[str, tuple[str, str, Replacements]] = {
    "deployment.yaml": ("base/deployment.yaml", "", _DEPLOYMENT),
    "service.yaml": ("base/service.yaml", "", ()),
    "poddisruptionbudget.yaml": (
        "base/poddisruptionbudget.yaml",
        ".Values.disruptionBudget.enabled",
        (("  maxUnavailable: 1\n", "  maxUnavailable: {{ .Values.disruptionBudget.maxUnavailable }}\n"),),
    ),
    "networkpolicy.yaml": ("base/networkpolicy.yaml", ".Values.networkPolicy.enabled", _NETWORK_POLICY),
    "ingress.yaml": ("overlays/ingress/ingress.yaml", ".Values.ingress.enabled", _INGRESS),
}
"""Template -> its file in `deploy/kubernetes`, the value on which it depends, and what is replaced."""


def render(root: Path) -> dict[str, str]:
    """Return the files of the chart that are made, by their paths; raise LookupError if a replacement finds nothing."""
    kubernetes = root / "deploy" / "kubernetes"
    made = {
        f"{CHART}/templates/{name}": _template(kubernetes / source, condition, replacements)
        for name, (source, condition, replacements) in _FILES.items()
    }
    values = (root / CHART / "values.template.yaml").read_text(encoding="utf-8")
    settings = (kubernetes / "base" / "configmap.yaml").read_text(encoding="utf-8").split("\ndata:\n")[1]
    made[f"{CHART}/values.yaml"] = values.replace("  {{ settings }}\n", settings)
    about = (root / CHART / "Chart.template.yaml").read_text(encoding="utf-8")
    made[f"{CHART}/Chart.yaml"] = about.replace("{{ version }}", __version__)
    return made


def _template(source: Path, condition: str, replacements: Replacements) -> str:
    text = source.read_text(encoding="utf-8")
    for old, new in replacements:
        if text.count(old) != 1:
            raise LookupError(f"{source.name}: found {text.count(old)} times, not once: {old!r}")
        text = text.replace(old, new)
    text = text.replace("metadata:\n  name: credence\n", f"metadata:\n  name: {_NAME}\n")
    text = re.sub(r"(?m)^( +)(app\.kubernetes\.io/name: credence)$", rf"\1\2\n\1{_INSTANCE}", text)
    made = f"{{{{- /* Made from deploy/kubernetes/{source.parent.name}/{source.name} by `make docs`. */ -}}}}\n{text}"
    return f"{{{{- if {condition} }}}}\n{made}{{{{- end }}}}\n" if condition else made
