import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Caller } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { SubmissionNotifier, type SubmissionAnswer } from '@sotto/submission-core';
import { InMemoryInstanceBus, InMemoryLedger, LedgerDriver } from '@sotto/submission-core/testing';
import {
  FollowSubmission,
  SubmissionNotFound,
  type DepositOutcome,
  type SubmissionView,
  type SubmissionWait,
} from '../../src/index.js';

const REREAD_MS = 5_000;
const WAIT_MS = 20_000;
const LIMITS = { inAll: 8, perClient: 3 };
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const callerIn = (network: number, host: number): Caller => ({
  name: `10.0.${network}.${host}`,
  networks: [`10.0.${network}.0/24`],
});
const honest = callerIn(9, 1);

/** True if the promise has settled after the pending tasks have run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const mark = (): void => void (settled = true);
  promise.then(mark, mark);
  await turns();
  return settled;
}

const answerOf = async (events: AsyncGenerator<SubmissionView>) =>
  (await events.next()).value?.answer;

describe('FollowSubmission', () => {
  let clock: ManualClock;
  let elsewhere: SubmissionNotifier;
  let changes: SubmissionNotifier;
  let answers: Map<string, SubmissionAnswer>;
  let deposit: DepositOutcome | null;
  let isDown: boolean;
  let reads: number;
  let over: AbortController;
  let follow: FollowSubmission;
  let pending: Extract<SubmissionAnswer, { kind: 'pending' }>;
  let preconfirmed: Extract<SubmissionAnswer, { kind: 'executed' }>;

  beforeEach(async () => {
    clock = new ManualClock();
    const bus = new InMemoryInstanceBus();
    changes = new SubmissionNotifier(bus.instance());
    elsewhere = new SubmissionNotifier(bus.instance());
    answers = new Map();
    deposit = null;
    isDown = false;
    reads = 0;
    over = new AbortController();
    const attempt = await new LedgerDriver(new InMemoryLedger({ clock })).accepted('s');
    pending = { kind: 'pending', attempt, transactionHash: null };
    preconfirmed = {
      kind: 'executed',
      attempt,
      transactionHash: toFelt('0x5d'),
      execution: 'SUCCEEDED',
      revertReason: null,
      finality: 'PRE_CONFIRMED',
    };
    answers.set('s', pending);
    follow = new FollowSubmission(
      {
        getSubmission: {
          execute: async (id) => {
            reads += 1;
            if (isDown) throw new Error('the store is unavailable');
            const answer = answers.get(id);
            if (answer === undefined) throw new SubmissionNotFound();
            return answer;
          },
        },
        swapOutcomes: { describe: async () => null },
        depositOutcomes: { describe: async () => deposit },
        changes,
        clock,
      },
      { limits: LIMITS, rereadMs: REREAD_MS, maxStreamMs: 600_000 },
    );
  });
  afterEach(async () => {
    over.abort();
    await turns();
    // No timer, share or watch remains after a test.
    expect([clock.sleeping, follow.counts().waiting]).toEqual([0, 0]);
  });

  const wait = (wanted: Partial<SubmissionWait> = {}): Promise<SubmissionView> =>
    follow.wait({
      id: 's',
      caller: honest,
      until: 'preconfirmed',
      waitMs: WAIT_MS,
      signal: over.signal,
      ...wanted,
    });
  /** Starts a wait, which is then in progress. */
  const begun = async (wanted: Partial<SubmissionWait> = {}) => {
    const ended = wait(wanted);
    expect(await isSettled(ended)).toBe(false);
    return { ended };
  };
  const change = (answer: SubmissionAnswer): void => void answers.set('s', answer);
  const accepted = (): SubmissionAnswer => ({ ...preconfirmed, finality: 'ACCEPTED_ON_L2' });

  it('returns a known outcome at once, without a share', async () => {
    change(preconfirmed);
    expect((await wait()).answer).toBe(preconfirmed);
    expect(reads).toBe(1);
  });

  it('returns an outcome in the turn of its notification', async () => {
    const { ended } = await begun();
    change(preconfirmed);
    changes.changed('s');
    expect((await ended).answer).toBe(preconfirmed);
  });

  it('keeps waiting while a change does not reach the wanted progress', async () => {
    const { ended } = await begun({ until: 'accepted' });
    change(preconfirmed);
    changes.changed('s');
    expect(await isSettled(ended)).toBe(false);
    change(accepted());
    changes.moved('s');
    expect((await ended).answer).toEqual(accepted());
  });

  it('returns a refused submission for any wanted progress', async () => {
    const { ended } = await begun({ until: 'accepted' });
    const { attempt } = pending;
    const refused = { kind: 'rejected', attempt, state: 'refused', code: 'X' } as const;
    change(refused);
    changes.changed('s');
    expect((await ended).answer).toBe(refused);
  });

  it('waits for the leaf of a deposit, which the chain shows after the execution', async () => {
    deposit = { leafIndex: null, batch: null };
    change(preconfirmed);
    const { ended } = await begun();
    deposit = { leafIndex: 12, batch: null };
    clock.advance(REREAD_MS);
    expect((await ended).deposit).toEqual(deposit);
  });

  it('finds a change within the reread interval if its notification is lost', async () => {
    const { ended } = await begun();
    change(preconfirmed);
    clock.advance(REREAD_MS - 1);
    expect(await isSettled(ended)).toBe(false);
    clock.advance(1);
    expect((await ended).answer).toBe(preconfirmed);
  });

  it('hears a change that another instance reports', async () => {
    const { ended } = await begun();
    change(preconfirmed);
    elsewhere.moved('s');
    expect((await ended).answer).toBe(preconfirmed);
  });

  it('reads again after a change that happened during a read', async () => {
    let finish = (): void => undefined;
    const { ended } = await begun();
    const slow = answers.get.bind(answers);
    answers.get = (id) => {
      const stale = slow(id);
      // The change is written and reported while the read of the previous state is running.
      answers.get = slow;
      change(preconfirmed);
      finish();
      return stale;
    };
    finish = () => changes.changed('s');
    changes.changed('s');
    expect((await ended).answer).toBe(preconfirmed);
  });

  it('returns the last known state when the time is over', async () => {
    const { ended } = await begun();
    clock.advance(WAIT_MS);
    expect((await ended).answer).toBe(pending);
  });

  it('returns the last known state when the caller disconnects or the service stops', async () => {
    const { ended } = await begun();
    over.abort();
    expect((await ended).answer).toBe(pending);
    expect(await wait()).toMatchObject({ answer: pending });
  });

  it('rejects an unknown submission at once, without a share', async () => {
    await expect(wait({ id: 'unknown' })).rejects.toThrow(SubmissionNotFound);
  });

  it('fails with the error of a read while the caller waits', async () => {
    const { ended } = await begun();
    isDown = true;
    changes.changed('s');
    await expect(ended).rejects.toThrow('unavailable');
  });

  it('reads once for two callers that wait for one submission, and wakes both', async () => {
    const first = await begun();
    const second = await begun({ caller: callerIn(8, 1) });
    reads = 0;
    change(preconfirmed);
    changes.changed('s');
    expect([(await first.ended).answer, (await second.ended).answer]).toEqual([
      preconfirmed,
      preconfirmed,
    ]);
    expect(reads).toBe(1);
  });

  it('keeps waiting for one caller after another caller of the same submission has left', async () => {
    const gone = new AbortController();
    const left = await begun({ signal: gone.signal });
    const stays = await begun({ caller: callerIn(8, 1) });
    gone.abort();
    await left.ended;
    change(preconfirmed);
    changes.changed('s');
    expect((await stays.ended).answer).toBe(preconfirmed);
  });

  it('does not read a submission for which no caller waits', async () => {
    const { ended } = await begun();
    over.abort();
    await ended;
    reads = 0;
    changes.changed('s');
    clock.advance(REREAD_MS);
    await turns();
    expect(reads).toBe(0);
  });

  it('answers the next request of a caller with its maximum of waits at once', async () => {
    for (let index = 0; index < LIMITS.perClient; index += 1) await begun();
    expect((await wait()).answer).toBe(pending);
    expect(follow.counts()).toEqual({ waiting: LIMITS.perClient, refused: 1 });
  });

  it('leaves half of all waits to other networks', async () => {
    const crowd = Array.from({ length: 50 }, (_, host) => wait({ caller: callerIn(1, host) }));
    await turns();
    expect(follow.counts()).toEqual({ waiting: LIMITS.inAll / 2, refused: 46 });
    await begun();
    over.abort();
    await Promise.all(crowd);
  });

  it('frees the share of a wait that has ended', async () => {
    const gone = new AbortController();
    for (let index = 0; index < LIMITS.perClient; index += 1) await begun({ signal: gone.signal });
    gone.abort();
    await turns();
    await begun();
    expect(follow.counts()).toEqual({ waiting: 1, refused: 0 });
  });

  const stream = () => follow.stream({ id: 's', caller: honest, signal: over.signal });

  describe('a stream', () => {
    it('yields the present state and each change, and ends with the accepted outcome', async () => {
      const events = stream();
      expect(await answerOf(events)).toBe(pending);
      await turns();
      expect(await answerOf(events)).toBe(pending);
      change(preconfirmed);
      changes.changed('s');
      expect(await answerOf(events)).toBe(preconfirmed);
      change(accepted());
      changes.changed('s');
      expect(await answerOf(events)).toEqual(accepted());
      expect(await events.next()).toEqual({ done: true, value: undefined });
    });

    it('keeps only the newest state for a slow reader', async () => {
      const events = stream();
      await answerOf(events);
      for (let index = 0; index < 1_000; index += 1) {
        changes.changed('s');
        if (index === 500) change(preconfirmed);
      }
      change(accepted());
      changes.changed('s');
      await turns();
      expect(await answerOf(events)).toEqual(accepted());
      expect((await events.next()).done).toBe(true);
    });

    it('ends after the present state if the caller has its maximum of waits', async () => {
      for (let index = 0; index < LIMITS.perClient; index += 1) await begun();
      const events = stream();
      expect(await answerOf(events)).toBe(pending);
      expect((await events.next()).done).toBe(true);
    });

    it('ends at its maximum duration and frees its share', async () => {
      const events = stream();
      await answerOf(events);
      await turns();
      await answerOf(events);
      expect(follow.counts().waiting).toBe(1);
      clock.advance(600_000);
      for await (const _ of events) if (follow.counts().waiting === 0) break;
      expect(follow.counts().waiting).toBe(0);
    });

    it('frees its share when its reader leaves', async () => {
      const events = stream();
      await answerOf(events);
      await events.return(undefined);
      expect(follow.counts().waiting).toBe(0);
    });
  });
});
