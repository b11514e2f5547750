import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { SubmissionNotifier } from '@sotto/submission-core';
import {
  InMemoryLedger,
  InMemorySubmissionRegister,
  LedgerDriver,
} from '@sotto/submission-core/testing';
import { FollowOperations, type OperatorEvent } from '../../src/index.js';
import { operations } from '../../src/testing/index.js';

const MAX_QUEUED = 5;
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const rest = async (events: AsyncGenerator<OperatorEvent>): Promise<string[]> => {
  const kinds: string[] = [];
  for await (const { kind } of events) kinds.push(kind);
  return kinds;
};

describe('the event stream of operators', () => {
  let clock: ManualClock;
  let driver: LedgerDriver;
  let changes: SubmissionNotifier;
  let follow: FollowOperations;
  let over: AbortController;

  beforeEach(() => {
    clock = new ManualClock();
    const ledger = new InMemoryLedger({ clock });
    driver = new LedgerDriver(ledger);
    changes = new SubmissionNotifier();
    over = new AbortController();
    follow = new FollowOperations(
      {
        register: new InMemorySubmissionRegister(ledger),
        operations: { execute: async () => ({ ...operations, lanes: [], pools: [] }) },
        changes,
        clock,
        logger: silentLogger,
      },
      {
        pools: [],
        answerAt: 'preconfirmed',
        maxStreams: 2,
        maxQueued: MAX_QUEUED,
        heartbeatMs: 15_000,
        rowsIntervalMs: 1_000,
        statusIntervalMs: 5_000,
      },
    );
  });
  afterEach(() => over.abort());

  /** Accepts this many submissions. Each submission causes one event. */
  const happen = async (from: number, count: number): Promise<void> => {
    for (let index = from; index < from + count; index += 1) await driver.accepted(`s${index}`);
    clock.advance(1_000);
    await settled();
  };
  const begun = async (signal = over.signal): Promise<AsyncGenerator<OperatorEvent>> => {
    const events = follow.execute(signal);
    expect((await events.next()).value).toEqual({ kind: 'resync' });
    return events;
  };

  it('queues a limited number of events for a paused reader of an event stream', async () => {
    const events = await begun();
    await happen(0, MAX_QUEUED);
    for (let index = 0; index < MAX_QUEUED; index += 1)
      expect((await events.next()).value).toMatchObject({ kind: 'submission' });
    expect(follow.open).toBe(1);
  });

  it('ends the event stream of a reader with too many unread events, and drops these events', async () => {
    const events = await begun();
    await happen(0, MAX_QUEUED + 1);
    expect(await rest(events)).toEqual([]);
    expect(follow.open).toBe(0);
  });

  it('other readers continue, and a new reader is accepted, after the stream of a slow reader has ended', async () => {
    const slow = await begun();
    const other = await begun();
    expect(() => follow.execute(over.signal)).toThrow(
      expect.objectContaining({ code: 'TOO_MANY_STREAMS', retryAfterSeconds: 15 }),
    );
    for (let index = 0; index <= MAX_QUEUED; index += 1) {
      await happen(index, 1);
      expect((await other.next()).value).toMatchObject({ kind: 'submission' });
    }
    expect(await rest(slow)).toEqual([]);
    expect(follow.open).toBe(1);
    await begun();
    expect(follow.open).toBe(2);
  });

  it('polling stops when the last event stream has ended', async () => {
    const gone = new AbortController();
    follow.execute(gone.signal);
    const events = await begun(gone.signal);
    expect(follow.open).toBe(2);
    gone.abort();
    expect(follow.open).toBe(0);
    expect(await rest(events)).toEqual([]);
    await settled();
    expect(clock.sleeping).toBe(0);
    follow.execute(gone.signal);
    expect(follow.open).toBe(0);
  });

  it('sends a heartbeat to a reader that gets no event for 15 seconds', async () => {
    const events = await begun();
    const next = events.next();
    await settled();
    clock.advance(15_000);
    expect((await next).value).toEqual({ kind: 'heartbeat' });
  });
});
