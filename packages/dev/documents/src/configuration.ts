import { variableRows, type Variables } from '@sotto/settings';

const HEAD = ['| Variable | Default | Meaning |', '|---|---|---|'];

/**
 * Renders docs/reference/configuration.md from the environment variables of the service.
 * @param options names of the options of `createRelayer`, by the names of the corresponding
 *   environment variables
 */
export function renderConfiguration(
  variables: Variables,
  options: ReadonlyMap<string, string>,
): string {
  return [
    '# Configuration',
    '',
    '<!-- Generated from packages/relayer/src/environment/variables.ts; regenerate with `pnpm --filter @sotto/api run docs:write`. -->',
    '',
    'The service reads its settings from environment variables, once, at the start. If anything is wrong with them it prints every problem and exits.',
    'An empty variable counts as absent. A variable with a `_FILE` twin is a secret: the twin names a file that holds its value; give one of the two.',
    'A name that is not a setting causes a warning with the nearest name, at the start and in `sotto check-config`. This applies to each name of an environment file, and to each other name that resembles a setting’s or begins with the first word of one. A name that does not resemble a setting’s may be a part of a secret: its warning contains only the number of the line.',
    '',
    'A former name is read for one more release, with a warning. A setting that is a constant now is ignored with a warning where its value is the constant, and otherwise refused; remove it.',
    '',
    '## Settings of a deployment',
    '',
    'Settings that an operator decides. All other settings have a default that fits.',
    '',
    ...HEAD,
    ...variableRows(variables, { isEssential: true }),
    '',
    '## All other settings',
    '',
    ...HEAD,
    ...variableRows(variables, { isEssential: false }),
    '',
    '## Former names',
    '',
    ...Object.entries(variables).flatMap(([name, { former }]) =>
      former === null ? [] : [`- \`${former.name}\`: a single value; use \`${name}\``],
    ),
    '',
    '## Files and traces',
    '',
    'Traces are switched on by the standard variables of OpenTelemetry, such as `OTEL_EXPORTER_OTLP_ENDPOINT`, and off by `OTEL_SDK_DISABLED=true`.',
    '',
    'The deployment on a network is not described here but in a file: see [network profiles](network-profiles.md).',
    '',
    '## Options of `createRelayer`',
    '',
    'A program with [a relayer inside](../../packages/relayer) reads no environment. Each of its options has meaning, default and bounds of a variable. Profile and verification key are the values themselves, lists and records too; secrets are text, and amounts `bigint`. `node.url` names a single node in the place of `node.urls`.',
    '',
    '| Option | Variable |',
    '|---|---|',
    ...[...options].map(([name, option]) => `| \`${option}\` | \`${name}\` |`),
    '',
  ].join('\n');
}
