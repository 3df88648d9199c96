{{- define "credence.name" -}}
{{- if eq .Release.Name "credence" }}credence{{ else }}{{ .Release.Name | trunc 54 | trimSuffix "-" }}-credence{{ end }}
{{- end }}

{{- define "credence.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}
