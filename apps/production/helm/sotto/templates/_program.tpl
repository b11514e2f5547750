{{- define "sotto.pod" -}}
{{- $root := .root -}}
automountServiceAccountToken: false
# Variables of other Services would look like misspelt settings.
enableServiceLinks: false
# Longer than SHUTDOWN_DRAIN_MS and SHUTDOWN_GRACE_MS together.
terminationGracePeriodSeconds: 30
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
containers:
  - name: {{ .name }}
    image: {{ printf "%s:%s" $root.Values.image.repository $root.Values.image.tag | quote }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    # By the entry point of the image, which allows no core dump.
    args: [node, {{ printf "node_modules/@sotto/%s/dist/main.js" .name | quote }}]
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    ports:
      - { name: http, containerPort: 3000 }
      - { name: metrics, containerPort: 9464 }
    env:
      - name: INSTANCE_ID
        valueFrom: { fieldRef: { fieldPath: metadata.name } }
      - { name: NETWORK_PROFILE, value: /etc/sotto/network.json }
      {{- range $variable, $key := $root.Values.secret.keys }}
      - { name: {{ $variable }}, value: {{ printf "/run/secrets/sotto/%s" $key | quote }} }
      {{- end }}
      {{- if $root.Values.signer.enabled }}
      - { name: SIGNER_URL, value: {{ printf "https://%s-signer:8443" $root.Release.Name | quote }} }
      - { name: SIGNER_CLIENT_CERT_FILE, value: /run/secrets/signer/client.crt }
      - { name: SIGNER_CLIENT_KEY_FILE, value: /run/secrets/signer/client.key }
      - { name: SIGNER_CA_FILE, value: /run/secrets/signer/ca.crt }
      {{- end }}
      {{- range $variable, $value := merge (dict) .settings $root.Values.settings }}
      - { name: {{ $variable }}, value: {{ $value | quote }} }
      {{- end }}
    startupProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 3
    readinessProbe:
      httpGet: { path: {{ .readiness | quote }}, port: http }
      periodSeconds: 5
      timeoutSeconds: 5
    resources: {{- toYaml $root.Values.resources | nindent 6 }}
    volumeMounts:
      - { name: profile, mountPath: /etc/sotto, readOnly: true }
      - { name: secrets, mountPath: /run/secrets/sotto, readOnly: true }
      {{- if $root.Values.signer.enabled }}
      - { name: signer, mountPath: /run/secrets/signer, readOnly: true }
      {{- end }}
      - { name: tmp, mountPath: /tmp }
volumes:
  - name: profile
    configMap: { name: {{ $root.Values.profile }} }
  - name: secrets
    secret: { secretName: {{ $root.Values.secret.name }}, defaultMode: 0440 }
  {{- if $root.Values.signer.enabled }}
  - name: signer
    secret: { secretName: {{ $root.Values.signer.clientSecret }}, defaultMode: 0440 }
  {{- end }}
  - name: tmp
    emptyDir: {}
{{- end -}}

{{- define "sotto.labels" -}}
app.kubernetes.io/name: sotto
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
