import type { SkipReason } from '@sotto/facts';
import type { TaskControl, TaskGate } from '@sotto/keeper-core';
import { toFelt, type Felt } from '@sotto/kernel';
import {
  NodeBehind,
  RepeatedSubmissions,
  type Attempt,
  type AttemptRef,
  type BlockRef,
  type Ledger,
  type Snapshot,
  type Snapshots,
} from '@sotto/submission-core';
import { FakeBalances } from '@sotto/keeper-core/testing';
import { FakeCallSimulator, FakeLatestBlock } from '@sotto/submission-core/testing';
import { FakeSubmissions, InMemoryTopUpStore } from '../../src/testing/index.js';
import { MovingClock } from '@sotto/kernel/testing';
import { NOW_MS, policy } from './world.js';

export const TOKEN = toFelt('0x5712');
export const TREASURY = toFelt('0x7ea5');
export const RETRY = { baseMs: 60_000, maxFailures: 3 };
export const OPEN: TaskGate = { admit: async () => null };
export const CHAIN_ID = policy.chainId;

export const skippedFor = (reason: SkipReason): object => ({ outcome: 'skipped', reason });

/**
 * Node that serves snapshots of a chain. The newest snapshot may be older than the chain's newest
 * block.
 */
class LaggingSnapshots implements Snapshots {
  lag = 0;

  constructor(private readonly chain: FakeBalances) {}

  async latest(after: BlockRef | null): Promise<Snapshot> {
    const latest = this.chain.ago(this.lag);
    if (after !== null && latest.number < after.number)
      throw new NodeBehind({ retryAfterSeconds: 5 });
    return latest;
  }
}

/**
 * Treasury for tests: a chain with balances, a node, and a ledger that stores the block of each
 * outcome.
 */
export function aTreasuryWorld(tokens: readonly Felt[] = [TOKEN]) {
  const clock = new MovingClock(NOW_MS);
  const balances = new FakeBalances(tokens);
  const snapshots = new LaggingSnapshots(balances);
  const submissions = new FakeSubmissions(() => clock.nowMs());
  const inclusions = new Map<string, BlockRef>();
  const ledger: Pick<Ledger, 'lastAttempt' | 'inclusionOf'> = {
    lastAttempt: (key) => submissions.last(key),
    inclusionOf: async (ref: AttemptRef) => inclusions.get(`${ref.key}#${ref.attempt}`) ?? null,
  };
  const controlled: TaskControl[] = [];
  const ports = {
    balances,
    snapshots,
    submissions,
    ledger,
    topUps: new InMemoryTopUpStore(() => submissions.attempts),
    simulator: new FakeCallSimulator(),
    latestBlock: new FakeLatestBlock({ l2GasFri: 3n, l1GasFri: 5n, l1DataGasFri: 7n }),
    store: { controls: async (): Promise<readonly TaskControl[]> => controlled },
  };
  /** Executes the attempt successfully in the newest block of the chain. */
  const include = (id: string): void => {
    const attempt = submissions.attempts.find((each) => each.id === id);
    if (attempt === undefined) throw new Error('no attempt has this id');
    const { number, hash } = balances.latest;
    inclusions.set(`${attempt.key}#${attempt.attempt}`, { number, hash });
    submissions.execute(id, 'SUCCEEDED');
  };
  /** Returns the last submission as it was accepted. Throws if this submission has ended. */
  const lastAttempt = (): Attempt => {
    const attempt = submissions.attempts.at(-1);
    if (attempt === undefined) throw new Error('nothing was submitted');
    return attempt;
  };
  return { ports, clock, controlled, include, lastAttempt };
}

/** Adds the state that a single process has in memory, and that is lost when the process ends. */
export function ofOneProcess<
  Ports extends Pick<ReturnType<typeof aTreasuryWorld>['ports'], 'ledger'>,
>(ports: Ports) {
  return { ...ports, repeated: new RepeatedSubmissions(ports.ledger) };
}
