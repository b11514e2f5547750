import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { Housekeeping } from '../../src/application/engine/housekeeping.js';
import type { LaneStatus } from '../../src/application/lane/lane-status.js';
import type { BlocksLeft } from '../../src/domain/deadline-block.js';
import type { Attempt } from '../../src/index.js';
import { StoreTime } from '../../src/application/store-time.js';
import { LedgerDriver } from '../../src/testing/index.js';
import { LaneBench } from '../support/lane.js';

describe('Housekeeping', () => {
  let lane: LaneBench;
  let lanes: readonly LaneStatus[];
  let left: BlocksLeft;
  let housekeeping: Housekeeping;
  /** Number of times that the queue was read. */
  let reads: number;
  let forgotten: string[];

  beforeEach(async () => {
    lane = await LaneBench.held({ queueTimeoutMs: 10_000 });
    lanes = [lane.worker.status()];
    left = 'enough';
    reads = 0;
    forgotten = [];
    const { ledger, hints, storeTime } = lane;
    const waiting = ledger.waiting.bind(ledger);
    ledger.waiting = async (role, limit) => {
      if (role === 'relay') reads += 1;
      return waiting(role, limit);
    };
    const forget = hints.forget.bind(hints);
    hints.forget = (attempt) => {
      forgotten.push(attempt.id);
      forget(attempt);
    };
    housekeeping = new Housekeeping({
      deps: lane.account.deps,
      settings: lane.account.settings,
      hints,
      storeTime,
      lanes: () => lanes,
      blocksLeft: () => left,
    });
  });

  /** Expires attempts after a time in ms. */
  const expireAfter = async (ms: number): Promise<void> => {
    lane.clock.advance(ms);
    await housekeeping.expire();
  };
  const states = (...found: readonly LaneStatus['state'][]): void => {
    lanes = found.map((state) => ({ ...lane.worker.status(), state }));
  };
  const outcome = async (attempt: Attempt) => {
    const { state, rejectionCode } = await lane.now(attempt);
    return [state, rejectionCode];
  };

  it('reads the queue at most once per second', async () => {
    await lane.accepted('a');
    await expireAfter(0);
    await expireAfter(999);
    expect(reads).toBe(1);
    await expireAfter(1);
    expect(reads).toBe(2);
  });

  it('an attempt that still waits keeps the housekeeping busy until it expires', async () => {
    const attempt = await lane.accepted('a');
    await expireAfter(9_999);
    expect(await outcome(attempt)).toEqual(['accepted', null]);
    expect(housekeeping.waits).toBe(true);
    await expireAfter(1_000);
    expect(await outcome(attempt)).toEqual(['expired', 'NOT_SENT_IN_TIME']);
    expect(housekeeping.waits).toBe(false);
    await lane.accepted('b');
    await expireAfter(1_000);
    expect(housekeeping.waits).toBe(true);
  });

  it('notifies and forgets only the attempts that it has ended', async () => {
    const [first, second] = [await lane.accepted('a'), await lane.accepted('b')];
    const apply = lane.ledger.apply.bind(lane.ledger);
    lane.ledger.apply = async (event) => {
      // Another instance has just ended the first attempt.
      if (event.type === 'end_waiting' && event.attempt.key === first.key) await apply(event);
      return apply(event);
    };
    lane.fresh();
    await expireAfter(10_000);
    expect([await outcome(first), await outcome(second)]).toEqual([
      ['expired', 'NOT_SENT_IN_TIME'],
      ['expired', 'NOT_SENT_IN_TIME'],
    ]);
    expect([lane.changed, forgotten]).toEqual([[second.id], [second.id]]);
  });

  it.each<[readonly LaneStatus['state'][], string]>([
    [['resting', 'paused', 'retiring'], 'NO_USABLE_LANE'],
    [['resting', 'ready'], 'NOT_SENT_IN_TIME'],
    [['full'], 'NOT_SENT_IN_TIME'],
    [[], 'NO_USABLE_LANE'],
  ])('an attempt that expires while its lanes are %j gets the code %s', async (found, code) => {
    states(...found);
    const attempt = await lane.accepted('a');
    await expireAfter(10_000);
    expect(await outcome(attempt)).toEqual(['expired', code]);
  });

  it('lanes of other roles do not change the code of an expired attempt', async () => {
    states('resting');
    const other = { ...lane.worker.status(), address: toFelt('0xc1'), role: 'curator' } as const;
    lanes = [...lanes, { ...other, state: 'ready' }];
    const attempt = await lane.accepted('a');
    await expireAfter(10_000);
    expect(await outcome(attempt)).toEqual(['expired', 'NO_USABLE_LANE']);
  });

  it.each<[BlocksLeft, readonly [string, string | null]]>([
    ['few', ['accepted', null]],
    ['none', ['expired', 'DEADLINE_BLOCK_PASSED']],
  ])('an attempt that was never signed, with %s blocks left, is %j', async (blocks, expected) => {
    const attempt = await lane.accepted('a');
    left = blocks;
    await expireAfter(0);
    expect(await outcome(attempt)).toEqual(expected);
  });

  it('an attempt that gets a newer call after the queue was read does not expire', async () => {
    const attempt = await lane.accepted('a');
    const { ledger } = lane;
    const waiting = ledger.waiting.bind(ledger);
    ledger.waiting = async (role, limit) => {
      const rows = await waiting(role, limit);
      await new LedgerDriver(ledger).renew(attempt, 'newer', {
        effect: attempt.effect,
        fingerprint: 'newer',
      });
      return rows;
    };
    left = 'none';
    await expireAfter(0);
    expect(await outcome(attempt)).toEqual(['accepted', null]);
  });

  it('the height ends no attempt whose call was signed before', async () => {
    const { ledger } = lane;
    const waiting = ledger.waiting.bind(ledger);
    await lane.accepted('a');
    ledger.waiting = async (role, limit) =>
      (await waiting(role, limit)).map((row) => ({ ...row, readmit: true }));
    left = 'none';
    lane.fresh();
    await expireAfter(0);
    expect(ledger.events).toEqual([]);
    expect(housekeeping.waits).toBe(true);
  });

  it('ends nothing before the time of the store was read', async () => {
    const unread = new Housekeeping({
      deps: lane.account.deps,
      settings: lane.account.settings,
      hints: lane.hints,
      storeTime: new StoreTime(lane.clock),
      lanes: () => lanes,
      blocksLeft: () => 'none',
    });
    const attempt = await lane.accepted('a');
    await unread.expire();
    expect(await outcome(attempt)).toEqual(['accepted', null]);
  });

  it('an attempt expires at its deadline if it comes before the end of the queue’s timeout', async () => {
    const attempt = await lane.accepted('a');
    const { ledger } = lane;
    const waiting = ledger.waiting.bind(ledger);
    ledger.waiting = async (role, limit) =>
      (await waiting(role, limit)).map((row) => ({ ...row, deadlineMs: row.acceptedAtMs + 5_000 }));
    await expireAfter(4_999);
    expect(await outcome(attempt)).toEqual(['accepted', null]);
    await expireAfter(1_000);
    expect(await outcome(attempt)).toEqual(['expired', 'NOT_SENT_IN_TIME']);
  });

  it('reaches the failpoint of a redaction only if something was redacted', async () => {
    const { ledger } = lane;
    let redacted = 0;
    ledger.redact = async () => redacted;
    housekeeping.wipe();
    await housekeeping.stop();
    expect(lane.reached).not.toContain('wiped');
    redacted = 1;
    lane.clock.advance(3_600_000);
    housekeeping.wipe();
    await housekeeping.stop();
    expect(lane.reached).toContain('wiped');
  });
});
