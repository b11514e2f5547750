import { LANE_REASONS } from '@sotto/adapter-observability';
import { REASONS } from '@sotto/facts';
import { FINDING_CODES } from '@sotto/submission-core';

/**
 * The section of docs/reference/errors.md: words that no request is answered with, only the
 * operator reads them.
 */
export function renderConditions(): string[] {
  return [
    '## Conditions',
    '',
    'What readiness, the operator’s status, metrics and the audit call what is wrong. The [runbook](../runbook.md) says what each means and what to do.',
    '',
    'What can stand in the way of a withdrawal, in the verdict of the operator’s status, the checks of readiness and `sotto_withdrawal_blocked`. The check of accounts that rest adds why: `LANES_RESTING_WRONG_KEY`.',
    '',
    '| Code | Meaning |',
    '| ---- | ------- |',
    ...Object.entries(REASONS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    '',
    `- Why an account takes nothing: ${list([...LANE_REASONS, 'NOT_IN_SETTINGS'])}, or the words of the operator who stopped it.`,
    `- What the audit finds, the gravest first: ${list(FINDING_CODES)}.`,
    '',
  ];
}

const list = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ');
