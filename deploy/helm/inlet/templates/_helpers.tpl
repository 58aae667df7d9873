{{- define "inlet.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "inlet.selector" -}}
app.kubernetes.io/name: inlet
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "inlet.labels" -}}
{{ include "inlet.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "inlet.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ required "set image.digest, or image.tag of an image that you have built" .Values.image.tag }}
{{- end -}}
{{- end }}

{{- define "inlet.secret" -}}
{{ .Values.secret.existing | default (include "inlet.name" .) }}
{{- end }}

{{/* The pod of both kinds of store. */}}
{{- define "inlet.pod" -}}
metadata:
  labels:
    {{- include "inlet.labels" . | nindent 4 }}
  annotations:
    checksum/secret: {{ toJson .Values.secret | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  # A stopping server has up to 10 seconds for the requests in progress.
  terminationGracePeriodSeconds: 30
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: inlet
      image: {{ include "inlet.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      env:
        - name: INLET_HOST
          value: 0.0.0.0
        - name: INLET_PORT
          value: "8080"
        - name: INLET_OPERATOR_PORT
          value: "8081"
        {{- range $name, $value := .Values.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        - name: INLET_MANAGEMENT_TOKEN
          valueFrom:
            secretKeyRef:
              name: {{ include "inlet.secret" . }}
              key: managementToken
              optional: true
        {{- if .Values.settings.INLET_OIDC_ISSUER }}
        - name: INLET_OIDC_CLIENT_SECRET
          valueFrom:
            secretKeyRef:
              name: {{ include "inlet.secret" . }}
              key: oidcClientSecret
        {{- end }}
        {{- if eq .Values.store "postgres" }}
        - name: INLET_STORE
          valueFrom:
            secretKeyRef:
              name: {{ include "inlet.secret" . }}
              key: databaseUrl
        - name: INLET_SECRET
          valueFrom:
            secretKeyRef:
              name: {{ include "inlet.secret" . }}
              key: installationSecret
        {{- end }}
      ports:
        - name: ingestion
          containerPort: 8080
        - name: operators
          containerPort: 8081
      startupProbe:
        httpGet: { path: /health/live, port: operators }
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /health/live, port: operators }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /health/ready, port: operators }
        periodSeconds: 5
        timeoutSeconds: 3
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: 64Mi
    {{- if eq .Values.store "postgres" }}
    - name: data
      emptyDir:
        sizeLimit: 1Mi
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
