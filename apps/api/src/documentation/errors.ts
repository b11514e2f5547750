import { bridgeErrors } from '@sotto/bridge-core';
import { curatorErrors } from '@sotto/curator-core';
import type { ErrorEntry } from '@sotto/kernel';
import { relayerErrors, LaneNotFound } from '@sotto/relayer-core';
import { stakingErrors } from '@sotto/staking-core';
import { LedgerBehindChain, PreviousAttemptNotFinal, QueueFull } from '@sotto/submission-core';
import { BOUNDARY_ERRORS, STATUS_BY_KIND } from '../http/errors.js';
import { CONNECTION_ERRORS } from '../http/refuse-connection.js';
import {
  AGGREGATOR_ERRORS,
  BRIDGE_ERRORS,
  NODE_ERRORS,
  STORE_ERRORS,
  VERIFIER_ERRORS,
} from '../http/port-errors.js';
import { BridgeDisabled, DeploymentUndecided } from '../http/service-errors.js';
import { renderConditions } from './conditions.js';
import { renderEnds } from './ends.js';

const REQUEST_ERRORS: readonly ErrorEntry[] = Object.values(BOUNDARY_ERRORS).flat();

/** docs/reference/errors.md, from the catalogues that the OpenAPI document is made of as well. */
export function renderErrors(): string {
  return [
    '# Errors',
    '',
    '<!-- Generated from the error catalogues; regenerate with `pnpm --filter @sotto/api run docs:write`. -->',
    '',
    'Every failure, on every route, has the body `{ "error": "for people", "code": "FOR_PROGRAMS", "requestId": "…", "details"?: { … } }`.',
    'Codes are stable; sentences are not. `Retry-After` is set where a later try can help and the time is known.',
    'A private swap that fails carries `"leafIndex": -1` as well.',
    'A transaction that reverted or whose outcome is not known yet is no error: it is answered 200 with its `execution_status`.',
    'A vault’s deployment is the exception, because its answer has no status for either: both are failures.',
    '',
    ...section('Requests', REQUEST_ERRORS),
    ...table('Connections', CONNECTION_ERRORS),
    ...section('Pools, fees, withdrawals, batches and swaps', [
      ...relayerErrors.filter(isNotRequestError),
      QueueFull,
      LedgerBehindChain,
      PreviousAttemptNotFinal,
    ]),
    ...renderEnds(),
    ...section('Yields', stakingErrors),
    ...section('Vaults', [...curatorErrors, DeploymentUndecided]),
    ...section('Operator', [LaneNotFound]),
    ...section('Bridge', [BridgeDisabled, ...bridgeErrors]),
    ...section('What the service stands on', [
      ...STORE_ERRORS,
      ...VERIFIER_ERRORS,
      ...NODE_ERRORS,
      ...AGGREGATOR_ERRORS,
      ...BRIDGE_ERRORS,
    ]),
    ...renderConditions(),
  ].join('\n');
}

/** Too much to do may be noticed before a request is read, or after. */
const isNotRequestError = ({ code }: ErrorEntry): boolean =>
  !REQUEST_ERRORS.some((entry) => entry.code === code);

function section(title: string, entries: readonly ErrorEntry[]): string[] {
  return table(
    title,
    entries.map(({ code, kind, meaning, remedy }) => ({
      code,
      meaning,
      remedy,
      status: STATUS_BY_KIND[kind],
    })),
  );
}

function table(
  title: string,
  entries: readonly (Omit<ErrorEntry, 'kind'> & { readonly status: number })[],
): string[] {
  const rows = entries.map(
    ({ code, status, meaning, remedy }) => `| \`${code}\` | ${status} | ${meaning} | ${remedy} |`,
  );
  return [
    `## ${title}`,
    '',
    '| Code | Status | Meaning | What to do |',
    '|---|---|---|---|',
    ...rows,
    '',
  ];
}
