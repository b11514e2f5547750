import { LANE_REASONS } from '@sotto/adapter-observability';
import { VERIFIER_PROBLEMS, LEDGER_CODES, TELLING_LANE_STATES } from '@sotto/relayer-core';
import { FINDING_CODES } from '@sotto/submission-core';

/**
 * The section of docs/reference/errors.md: words that no request is answered with, only the
 * operator reads them.
 */
export function renderConditions(): string[] {
  const laneCodes = TELLING_LANE_STATES.map((state) => `LANES_${state.toUpperCase()}`);
  return [
    '## Conditions',
    '',
    'What readiness, the operator’s status, metrics and the audit call what is wrong. The [runbook](../runbook.md) says what each means and what to do.',
    '',
    `- How the ledger stands against its chain: ${list(Object.values(LEDGER_CODES))}; \`UP_TO_DATE\` where nothing is wrong.`,
    `- Why no account relays: ${list(laneCodes)}, \`LANES_NOT_LOOKED_AT\`. One that rests adds its reason: \`LANES_RESTING_WRONG_KEY\`.`,
    `- What is wrong with a verifier of the pools: ${list(VERIFIER_PROBLEMS)}; \`VERIFIERS_NOT_LOOKED_AT\` until the node has answered.`,
    `- Why an account takes nothing: ${list([...LANE_REASONS, 'NOT_IN_SETTINGS'])}, or the words of the operator who stopped it.`,
    `- What the audit finds, the gravest first: ${list(FINDING_CODES)}.`,
    '',
  ];
}

const list = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ');
