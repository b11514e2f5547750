import { bridgeFaults } from '@sotto/bridge-core';
import { curatorFaults } from '@sotto/curator-core';
import type { FaultEntry } from '@sotto/kernel';
import { relayerFaults } from '@sotto/relayer-core';
import { stakingFaults } from '@sotto/staking-core';
import { LedgerBehindChain, PreviousAttemptNotFinal, QueueFull } from '@sotto/submission-core';
import { BOUNDARY_FAULTS, STATUS_BY_KIND } from '../http/errors.js';
import { CONNECTION_ERRORS } from '@sotto/http-server';
import {
  AGGREGATOR_FAULTS,
  BRIDGE_FAULTS,
  NODE_FAULTS,
  STORE_FAULTS,
  VERIFIER_FAULTS,
} from '../http/port-faults.js';
import { LaneNotFound } from '../operations/control-lanes.js';
import { BridgeDisabled, DeploymentUndecided } from '../http/service-faults.js';
import { renderConditions } from './conditions.js';
import { renderEnds } from './ends.js';

const REQUEST_FAULTS: readonly FaultEntry[] = Object.values(BOUNDARY_FAULTS).flat();

/** docs/errors.md, from the catalogues that the OpenAPI document is made of as well. */
export function renderErrors(): string {
  return [
    '# Errors',
    '',
    '<!-- Generated from the fault catalogues; regenerate with `pnpm --filter @sotto/api run docs:write`. -->',
    '',
    'Every failure, on every route, has the body `{ "error": "for people", "code": "FOR_PROGRAMS", "requestId": "…", "details"?: { … } }`.',
    'Codes are stable; sentences are not. `Retry-After` is set where a later try can help and the time is known.',
    'A private swap that fails carries `"leafIndex": -1` as well.',
    'A transaction that reverted or whose outcome is not known yet is no error: it is answered 200 with its `execution_status`.',
    'A vault’s deployment is the exception, because its answer has no status for either: both are failures.',
    '',
    ...section('Requests', REQUEST_FAULTS),
    ...table('Connections', CONNECTION_ERRORS),
    ...section('Pools, fees, withdrawals, batches and swaps', [
      ...relayerFaults.filter(isNoRequestFault),
      QueueFull,
      LedgerBehindChain,
      PreviousAttemptNotFinal,
    ]),
    ...renderEnds(),
    ...section('Yields', stakingFaults),
    ...section('Vaults', [...curatorFaults, DeploymentUndecided]),
    ...section('Operator', [LaneNotFound]),
    ...section('Bridge', [BridgeDisabled, ...bridgeFaults]),
    ...section('What the service stands on', [
      ...STORE_FAULTS,
      ...VERIFIER_FAULTS,
      ...NODE_FAULTS,
      ...AGGREGATOR_FAULTS,
      ...BRIDGE_FAULTS,
    ]),
    ...renderConditions(),
  ].join('\n');
}

/** Too much to do may be noticed before a request is read, or after. */
const isNoRequestFault = ({ code }: FaultEntry): boolean =>
  !REQUEST_FAULTS.some((entry) => entry.code === code);

function section(title: string, entries: readonly FaultEntry[]): string[] {
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
  entries: readonly (Omit<FaultEntry, 'kind'> & { readonly status: number })[],
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
