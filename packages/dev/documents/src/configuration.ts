import { variableRows, type Variables } from '@sotto/settings';

/** docs/reference/configuration.md, from the variables that the configuration is read from. */
export function renderConfiguration(variables: Variables): string {
  return [
    '# Configuration',
    '',
    '<!-- Generated from packages/relayer/src/environment/variables.ts; regenerate with `pnpm --filter @sotto/api run docs:write`. -->',
    '',
    'The service reads its settings from environment variables, once, at the start. If anything is wrong with them it prints every problem and exits.',
    'An empty variable counts as absent. A variable with a `_FILE` twin is a secret: the twin names a file that holds its value; give one of the two.',
    '',
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...variableRows(variables),
    '',
    'Traces are switched on by the standard variables of OpenTelemetry, such as `OTEL_EXPORTER_OTLP_ENDPOINT`, and off by `OTEL_SDK_DISABLED=true`.',
    '',
    'What is deployed on a network is not set here but in a file: see [network profiles](network-profiles.md).',
    '',
  ].join('\n');
}
