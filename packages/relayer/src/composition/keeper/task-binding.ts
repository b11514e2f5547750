import { TaskStore } from '@sotto/keeper-core';
import { Clock, type Felt } from '@sotto/kernel';
import {
  CallSimulator,
  LatestBlock,
  RepeatedSubmissions,
  Snapshots,
  Submissions,
} from '@sotto/submission-core';
import type { Settings } from '../../environment/settings.js';

export type KeeperModuleSettings = Pick<
  Settings,
  'engine' | 'network' | 'relay' | 'curator' | 'keeper' | 'lanes'
>;

/** Services that every task needs to simulate and submit a call. */
export const TRYING = {
  simulator: CallSimulator,
  latestBlock: LatestBlock,
  submissions: Submissions,
  store: TaskStore,
  clock: Clock,
} as const;

/**
 * Services for tasks that also read several contracts in the same block, and whose calls belong to
 * a numbered series.
 */
export const LOOKING = {
  ...TRYING,
  snapshots: Snapshots,
  repeated: RepeatedSubmissions,
} as const;

/**
 * Time limit for sending a keeper's call, in ms. The limit is short because the call is based on
 * current prices and positions.
 */
export const SEND_WITHIN_MS = 60_000;

/**
 * Returns the address of the curator's account. The settings' rules require this account if a task
 * of the curator is enabled.
 */
export function curatorAddress({ curator }: KeeperModuleSettings): Felt {
  if (curator.account === null)
    throw new Error('the rules let a curator without an account through');
  return curator.account.address;
}
