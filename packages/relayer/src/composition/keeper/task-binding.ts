import { OpenedStore } from '@sotto/adapter-store';
import { Clock, type Felt } from '@sotto/kernel';
import {
  CallSimulator,
  LatestBlock,
  RepeatedSubmissions,
  Snapshots,
  Submissions,
} from '@sotto/submission-core';
import type { Settings } from '../../environment/settings.js';
import type { AppModule } from '../container.js';

export type KeeperModuleSettings = Pick<
  Settings,
  'engine' | 'network' | 'relay' | 'curator' | 'keeper' | 'lanes'
>;

/** What a module is given to bind with. */
export type Container = Parameters<ConstructorParameters<typeof AppModule>[0]>[0];

/** What every task needs to look, to try a call and to submit it. */
export const LOOKING = {
  snapshots: Snapshots,
  simulator: CallSimulator,
  latestBlock: LatestBlock,
  submissions: Submissions,
  repeated: RepeatedSubmissions,
  openedStore: OpenedStore,
  clock: Clock,
} as const;

/** A call of the keeper was made from prices and positions of now. */
export const SEND_WITHIN_MS = 60_000;

/** The curator's account, which the rules require for its tasks. */
export function curatorAddress({ curator }: KeeperModuleSettings): Felt {
  if (curator.account === null)
    throw new Error('the rules let a curator without an account through');
  return curator.account.address;
}
