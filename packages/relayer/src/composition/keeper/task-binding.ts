import { TaskBook } from '@sotto/keeper-core';
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

/** Needs of every task that simulates and submits a call. */
export const TRYING = {
  simulator: CallSimulator,
  latestBlock: LatestBlock,
  submissions: Submissions,
  book: TaskBook,
  clock: Clock,
} as const;

/** The same of a task that looks at contracts in one block, and whose calls have series. */
export const LOOKING = {
  ...TRYING,
  snapshots: Snapshots,
  repeated: RepeatedSubmissions,
} as const;

/** A call of the keeper was made from prices and positions of now. */
export const SEND_WITHIN_MS = 60_000;

/** The curator's account, which the rules require for its tasks. */
export function curatorAddress({ curator }: KeeperModuleSettings): Felt {
  if (curator.account === null)
    throw new Error('the rules let a curator without an account through');
  return curator.account.address;
}
