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
} from '@sotto/facts';
import { renderConditions } from './conditions.js';
import { renderEnds } from './ends.js';

/** docs/reference/errors.md, from the catalogue that the OpenAPI document is made of as well. */
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
