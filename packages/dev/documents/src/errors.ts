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
    '`docs` is the path of a page of the service that answered, with the contents of this document. Codes are stable; sentences are not. `Retry-After` is set if a later try can help and the time is known.',
    'A private swap that fails carries `"leafIndex": -1` as well.',
    'A transaction that reverted or whose outcome is not known yet is no error: it is answered 200 with its `execution_status`.',
    'A vault’s deployment is the exception, because its answer has no status for either: both are failures.',
    '',
    'The field `retry` of the body names the treatment of the request, for programs; `ERRORS` of `@sotto/facts` has it by code:',
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
    ...section('Dependencies of the service', {
      ...LEDGER_ERRORS,
      ...VERIFIER_ERRORS,
      ...NODE_ERRORS,
      ...SIGNER_ERRORS,
      ...AGGREGATOR_ERRORS,
      ...BRIDGE_PROTOCOL_ERRORS,
    }),
    ...section('Inside', INNER_ERRORS, [
      'No request is answered with these codes: they are in logs, metrics and exit messages. Metrics count them by their status.',
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
    '| Code | Status | Retry | Meaning | Remedy |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ];
}

/**
 * Renders the section of docs/reference/errors.md about conditions. The codes of conditions are in
 * no response; only the operator sees them.
 */
function renderConditions(): string[] {
  return [
    '## Conditions',
    '',
    'Codes of problems in readiness, the operator’s status, metrics and the audit. The [runbook](../runbook.md) explains the meaning of each code and what to do.',
    '',
    'The following reasons can block a withdrawal. They are in the verdict of the operator’s status, the checks of readiness and `sotto_withdrawal_blocked`. The check of accounts that rest adds the cause: `LANES_RESTING_WRONG_KEY`.',
    '',
    '| Code | Meaning |',
    '| ---- | ------- |',
    ...Object.entries(REASONS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    '',
    `- Reasons why an account accepts no work: ${list([...LANE_REASONS, 'NOT_IN_SETTINGS'])}, or the text of the operator who stopped it.`,
    `- Findings of the audit, the gravest first: ${list(FINDING_CODES)}.`,
    '',
  ];
}

const list = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ');

/**
 * Codes with which a submission ends as refused or expired, with their causes. The codes of
 * refusals by a node are not in this list.
 */
const END_CODES: readonly { readonly code: string; readonly meaning: string }[] = [
  { code: 'NOT_SENT_IN_TIME', meaning: 'No account had room for it within `QUEUE_TIMEOUT_MS`.' },
  {
    code: 'NO_USABLE_LANE',
    meaning:
      'No account that may sign it could send within `QUEUE_TIMEOUT_MS`: each account rests, is stopped, is being retired, or is missing from the settings.',
  },
  {
    code: 'UNDONE_BY_ROLLBACK',
    meaning:
      'Its outcome was undone with its block, either after the note had got another attempt, which is then the valid one, or once the outcome was final. The same request may be sent again. `reorged` contains the undone outcome.',
  },
  {
    code: 'DEADLINE_PASSED',
    meaning: 'It was not included within `SUBMISSION_DEADLINE_MS`, and a no-op consumed its nonce.',
  },
  {
    code: 'DEADLINE_BLOCK_PASSED',
    meaning:
      'It was not included up to the last block in which its proof is valid, or too few blocks were left to send it. If it was sent, another transaction consumed its nonce. Prove the request again at a newer block.',
  },
];

/** Renders the section of docs/reference/errors.md about the ends of submissions. */
function renderEnds(): string[] {
  return [
    '## Ends without a transaction',
    '',
    '`details.refusal` of `SUBMISSION_REFUSED` and `SUBMISSION_EXPIRED`, and `code` of `GET /api/relayer/submissions/{id}`, contain one of these codes,',
    '`NULLIFIER_SPENT` if another transaction has spent the note, or the name of the error with which the node refused the transaction,',
    'such as `VALIDATION_FAILURE`. Nothing of such a submission is or can be on chain.',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...END_CODES.map(({ code, meaning }) => `| \`${code}\` | ${meaning} |`),
    '',
  ];
}
