import {
  AGGREGATOR_ERRORS,
  BRIDGE_ERRORS,
  BRIDGE_PROTOCOL_ERRORS,
  CONNECTION_ERRORS,
  CURATOR_ERRORS,
  DEPOSIT_ERRORS,
  INNER_ERRORS,
  KEEPER_ERRORS,
  LEDGER_ERRORS,
  NODE_ERRORS,
  SIGNER_ERRORS,
  OPERATOR_ERRORS,
  RELAYER_ERRORS,
  REQUEST_ERRORS,
  RETRIES,
  STAKING_ERRORS,
  STATUS_BY_KIND,
  SUBMISSION_ERRORS,
  VERIFIER_ERRORS,
  type ErrorEntry,
  REASONS,
} from '@sotto/facts';
import { LANE_REASONS } from '@sotto/adapter-observability';
import { FINDING_CODES } from '@sotto/submission-core';

/**
 * Renders docs/reference/errors.md from the error catalogue, from which the OpenAPI document is
 * also made.
 */
export function renderErrors(): string {
  return [
    '# Errors',
    '',
    '<!-- Generated from the catalogue of errors (packages/interface/facts); regenerate with `pnpm --filter @sotto/api run docs:write`. -->',
    '',
    'Every failure, on every route, has the body `{ "error": "for people", "code": "FOR_PROGRAMS", "retry": "same", "requestId": "…", "details"?: { … }, "docs"?: "/docs/errors#FOR_PROGRAMS" }`.',
    '`docs` leads to a page of the service that answered, with what stands here. Codes are stable; sentences are not. `Retry-After` is set where a later try can help and the time is known.',
    'A private swap that fails carries `"leafIndex": -1` as well.',
    'A transaction that reverted or whose outcome is not known yet is no error: it is answered 200 with its `execution_status`.',
    'A vault’s deployment is the exception, because its answer has no status for either: both are failures.',
    '',
    'What to do with the request, for programs; it stands in `retry` of the body, and `ERRORS` of `@sotto/facts` has it by code:',
    '',
    '| Retry | Meaning |',
    '|---|---|',
    ...Object.entries(RETRIES).map(([retry, meaning]) => `| \`${retry}\` | ${meaning} |`),
    '',
    ...section('Requests', REQUEST_ERRORS),
    ...section('Connections', CONNECTION_ERRORS),
    ...section('Pools, fees, withdrawals, batches and swaps', {
      ...RELAYER_ERRORS,
      ...DEPOSIT_ERRORS,
      ...SUBMISSION_ERRORS,
    }),
    ...renderEnds(),
    ...section('Yields', STAKING_ERRORS),
    ...section('Vaults', CURATOR_ERRORS),
    ...section('Keeper', KEEPER_ERRORS),
    ...section('Operator', OPERATOR_ERRORS),
    ...section('Bridge', BRIDGE_ERRORS),
    ...section('What the service stands on', {
      ...LEDGER_ERRORS,
      ...VERIFIER_ERRORS,
      ...NODE_ERRORS,
      ...SIGNER_ERRORS,
      ...AGGREGATOR_ERRORS,
      ...BRIDGE_PROTOCOL_ERRORS,
    }),
    ...section('Inside', INNER_ERRORS, [
      'No request is answered with these: they stand in logs, metrics and exit messages. The status is what metrics count them by.',
      '',
    ]),
    ...renderConditions(),
  ].join('\n');
}

function section(
  title: string,
  entries: Readonly<Record<string, ErrorEntry>>,
  introduction: readonly string[] = [],
): string[] {
  const rows = Object.entries(entries).map(
    ([code, { kind, meaning, remedy, retry }]) =>
      `| \`${code}\` | ${STATUS_BY_KIND[kind]} | \`${retry}\` | ${meaning} | ${remedy} |`,
  );
  return [
    `## ${title}`,
    '',
    ...introduction,
    '| Code | Status | Retry | Meaning | What to do |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ];
}

/**
 * Renders the section about conditions of docs/reference/errors.md. No response contains these
 * codes; only the operator sees them.
 */
function renderConditions(): string[] {
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

/**
 * Codes with which a submission ends as refused or expired, with their causes. Codes of a node's
 * refusal are not included.
 */
const END_CODES: readonly { readonly code: string; readonly meaning: string }[] = [
  { code: 'NOT_SENT_IN_TIME', meaning: 'No account had room for it within `QUEUE_TIMEOUT_MS`.' },
  {
    code: 'NO_USABLE_LANE',
    meaning:
      'No account that may sign it could send within `QUEUE_TIMEOUT_MS`: each rests, is stopped, is being given up, or is in no settings.',
  },
  {
    code: 'UNDONE_BY_ROLLBACK',
    meaning:
      'Its outcome was undone with its block, after the note had got another attempt, which counts then, or once it was final: the same may be requested again. `reorged` shows what it was.',
  },
  {
    code: 'DEADLINE_PASSED',
    meaning:
      'It was not included within `SUBMISSION_DEADLINE_MS`, and its nonce was taken by a no-op.',
  },
];

/** Renders the section of docs/reference/errors.md about the ends of submissions. */
function renderEnds(): string[] {
  return [
    '## Ends without a transaction',
    '',
    'What stands in `details.refusal` of `SUBMISSION_REFUSED` and `SUBMISSION_EXPIRED`, and in `code` of `GET /api/relayer/submissions/{id}`: one of these,',
    '`NULLIFIER_SPENT` where the note was spent meanwhile by another transaction, or the name of the error with which the node refused the transaction,',
    'such as `VALIDATION_FAILURE`. Nothing of such a submission is or can be on chain.',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...END_CODES.map(({ code, meaning }) => `| \`${code}\` | ${meaning} |`),
    '',
  ];
}
