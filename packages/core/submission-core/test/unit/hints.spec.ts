import { beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, silentLogger, toFelt, type LogFields } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { AttemptCache } from '../../src/application/lane/attempt-cache.js';
import { LaneLease } from '../../src/application/lane/lane-lease.js';
import { RejectionCounters } from '../../src/application/lane/rejection-counters.js';
import { StoreTime } from '../../src/application/store-time.js';
import { StuckNonceMonitor } from '../../src/application/engine/stuck-nonce-monitor.js';
import type { Attempt } from '../../src/index.js';
import { FakeSigner, InMemoryLedger } from '../../src/testing/index.js';
import { gate } from '../support/gate.js';
import { attempt, freeRow, row, sent } from '../support/rows.js';
import { UNSHARED } from '../support/lane.js';
import { LANE } from './world.js';

const HASH = toFelt('0xaa');

function note(hints: RejectionCounters, cause: 'price' | 'funds' | 'call', code = 'X'): void {
  hints.note(5n, HASH, { cause, code });
}

/** Ledger that records the calls of its lease methods. */
class RequestedLedger extends InMemoryLedger {
  readonly requested: string[] = [];

  override async lease(...args: Parameters<InMemoryLedger['lease']>) {
    this.requested.push('lease');
    return super.lease(...args);
  }

  override async renew(...args: Parameters<InMemoryLedger['renew']>) {
    this.requested.push('renew');
    return super.renew(...args);
  }

  override async unlease(...args: Parameters<InMemoryLedger['unlease']>) {
    this.requested.push('unlease');
    return super.unlease(...args);
  }
}

function aLease() {
  const clock = new ManualClock(100_000);
  const ledger = new RequestedLedger({ clock });
  const alarms = { sharedInstanceIds: 0 };
  const ofProcess = (instance: string): LaneLease =>
    new LaneLease({ address: LANE, role: 'relay' }, ledger, clock, silentLogger, alarms, UNSHARED, {
      instance,
      leaseTtlMs: 15_000,
    });
  return { clock, ledger, requested: ledger.requested, lease: ofProcess('one'), ofProcess, alarms };
}

function aWatch() {
  const clock = new ManualClock(100_000);
  const logged: LogFields[] = [];
  const storeTime = new StoreTime(clock);
  storeTime.read(clock.nowMs());
  const watch = new StuckNonceMonitor(
    { storeTime, logger: { ...silentLogger, error: (fields) => void logged.push(fields) } },
    60_000,
  );
  return { clock, logged, watch };
}

describe('AttemptCache', () => {
  let clock: ManualClock;
  let hints: AttemptCache;
  let storeTime: StoreTime;
  let calldata: Felts | null;
  let reads: number;
  beforeEach(() => {
    clock = new ManualClock(100_000);
    calldata = Felts.of([1n]);
    reads = 0;
    const ledger = new InMemoryLedger({ clock });
    ledger.calldata = async () => {
      reads += 1;
      return calldata;
    };
    storeTime = new StoreTime(clock);
    storeTime.read(clock.nowMs());
    hints = new AttemptCache({ ledger, signer: new FakeSigner(), clock, storeTime });
  });

  it('an attempt’s call is hashed again only after a failure, a removal from the cache or a back-off', async () => {
    await hints.hashOf(attempt);
    await hints.hashOf(attempt);
    expect(reads).toBe(1);
    hints.forget(attempt);
    calldata = null;
    await expect(hints.hashOf(attempt)).rejects.toThrow('calldata of a live attempt is missing');
    calldata = Felts.of([1n]);
    await hints.hashOf(attempt);
    expect(reads).toBe(3);
    hints.backOff(attempt.id);
    await hints.hashOf(attempt);
    expect(reads).toBe(4);
  });

  it('an attempt’s call is hashed again if a newer call has replaced it', async () => {
    await hints.hashOf(attempt);
    const newer = { ...attempt, fingerprint: 'newer' };
    await hints.hashOf(newer);
    await hints.hashOf(newer);
    expect(reads).toBe(2);
  });

  it('a call that was just accepted is in the cache, so that its calldata is not read', async () => {
    const own = Felts.of([7n]);
    hints.bring(attempt, own);
    expect((await hints.hashOf(attempt)).calldata).toBe(own);
    expect(reads).toBe(0);
    hints.backOff(attempt.id);
    await hints.hashOf(attempt);
    expect(reads).toBe(1);
    const newer = { ...attempt, id: 'another', fingerprint: 'newer' };
    hints.bring({ ...newer, fingerprint: 'older' }, own);
    expect((await hints.hashOf(newer)).calldata).toBe(calldata);
    expect(reads).toBe(2);
  });

  it('only the calls of the most recently accepted attempts are cached', async () => {
    for (let index = 0; index <= 64; index += 1) hints.bring(named(index), Felts.of([2n]));
    await hints.hashOf(named(64));
    expect(reads).toBe(0);
    await hints.hashOf(named(0));
    expect(reads).toBe(1);
  });

  it('a cached call is not used after its removal from the cache', async () => {
    hints.bring(named(0), Felts.of([2n]));
    hints.forgetCall(named(0).id);
    await hints.hashOf(named(0));
    expect(reads).toBe(1);
    hints.forgetCall(named(0).id);
    hints.bring(named(1), Felts.of([2n]));
    await hints.hashOf(named(2));
    hints.forgetCalls();
    for (const index of [0, 1, 2]) await hints.hashOf(named(index));
    expect(reads).toBe(5);
  });

  it('an attempt is backed off for two seconds', () => {
    expect(hints.isBackedOff(attempt)).toBe(false);
    hints.backOff(attempt.id);
    clock.advance(1_999);
    expect(hints.isBackedOff(attempt)).toBe(true);
    clock.advance(1);
    expect(hints.isBackedOff(attempt)).toBe(false);
    hints.backOff(attempt.id);
    hints.forget(attempt);
    expect(hints.isBackedOff(attempt)).toBe(false);
  });

  it('the removal of ended back-offs does not remove running back-offs', () => {
    hints.backOff('long ago');
    clock.advance(1_500);
    for (let index = 0; index < 1_500; index += 1) hints.backOff(`attempt ${index}`);
    clock.advance(500);
    hints.backOff('last');
    expect(hints.isBackedOff({ ...attempt, id: 'attempt 0' })).toBe(true);
    expect(hints.isBackedOff({ ...attempt, id: 'attempt 1499' })).toBe(true);
  });

  it('an attempt is no longer wanted after its deadline', () => {
    const { deadlineMs } = attempt;
    clock.advance(deadlineMs - clock.nowMs());
    expect(hints.cancellationReason(attempt)).toBeNull();
    clock.advance(1);
    expect(hints.cancellationReason(attempt)).toBe('DEADLINE_PASSED');
    hints.markUnwanted(attempt, 'NULLIFIER_SPENT');
    expect(hints.cancellationReason(attempt)).toBe('NULLIFIER_SPENT');
    hints.forget(attempt);
    expect(hints.cancellationReason(attempt)).toBe('DEADLINE_PASSED');
  });
});

describe('RejectionCounters', () => {
  it('reports the last code after a call was refused three times in a row', () => {
    const hints = new RejectionCounters();
    note(hints, 'price', 'PRICE');
    note(hints, 'funds', 'FUNDS');
    note(hints, 'call', 'FIRST');
    note(hints, 'call', 'SECOND');
    expect(hints.refusedTooOften(5n)).toBeNull();
    note(hints, 'call', 'THIRD');
    note(hints, 'price', 'PRICE');
    expect(hints.refusedTooOften(5n)).toBe('THIRD');
    expect(hints.refusedTooOften(6n)).toBeNull();
  });

  it('reports only transactions that were refused because of their price', () => {
    const hints = new RejectionCounters();
    note(hints, 'call');
    note(hints, 'funds');
    expect([...hints.refusedForPrice(5n)]).toEqual([]);
    note(hints, 'price');
    expect([...hints.refusedForPrice(5n)]).toEqual([HASH]);
    expect([...hints.refusedForPrice(6n)]).toEqual([]);
  });

  it('drops the refusals of nonces that are no longer open', () => {
    const hints = new RejectionCounters();
    note(hints, 'price');
    hints.keepOnly(new Set([5n]));
    expect(hints.refusedForPrice(5n).size).toBe(1);
    hints.keepOnly(new Set([6n]));
    expect(hints.refusedForPrice(5n).size).toBe(0);
    note(hints, 'price');
    hints.forget(5n);
    expect(hints.refusedForPrice(5n).size).toBe(0);
  });
});

describe('LaneLease', () => {
  it('a lease is renewed only after a third of its duration', async () => {
    const { clock, lease, requested } = aLease();
    expect(await lease.hold()).toBe(1n);
    clock.advance(4_999);
    expect(await lease.hold()).toBe(1n);
    expect(requested).toEqual(['lease']);
    clock.advance(1);
    expect(await lease.hold()).toBe(1n);
    expect(requested).toEqual(['lease', 'renew']);
    clock.advance(4_999);
    await lease.hold();
    expect(requested).toEqual(['lease', 'renew']);
  });

  it('a lane that another instance had leased is leased again under a new fence', async () => {
    const { clock, lease, ledger } = aLease();
    await lease.hold();
    await ledger.unlease(LANE, 'one', 1n);
    await ledger.lease(LANE, 'two', 15_000);
    clock.advance(5_000);
    expect(await lease.hold()).toBeNull();
    expect(lease.fence).toBeNull();
    await ledger.unlease(LANE, 'two', 2n);
    expect(await lease.hold()).toBe(3n);
  });

  it('a lease is measured from its own start, even if the response for an older lease arrives late', async () => {
    const { clock, lease, ledger, requested } = aLease();
    await lease.hold();
    const answered = gate();
    const renew = ledger.renew.bind(ledger);
    ledger.renew = async (...hold) => {
      const isHeld = await renew(...hold);
      await answered.opened;
      return isHeld;
    };
    clock.advance(5_000);
    const prolonged = lease.hold();
    await new Promise((resolve) => setImmediate(resolve));
    lease.lost(1n);
    clock.advance(1_000);
    expect(await lease.hold()).toBe(2n);
    answered.open();
    expect(await prolonged).toBe(2n);
    clock.advance(4_999);
    expect(await lease.hold()).toBe(2n);
    expect(requested).toEqual(['lease', 'renew', 'lease']);
  });

  it('releases a lane’s lease only once, and only if the instance holds this lease', async () => {
    const { lease, requested } = aLease();
    await lease.giveBack();
    expect(requested).toEqual([]);
    await lease.hold();
    await lease.giveBack();
    await lease.giveBack();
    expect(requested).toEqual(['lease', 'unlease']);
    expect(lease.fence).toBeNull();
  });
});

describe('StuckNonceMonitor', () => {
  const facts = { sightings: new Map(), passedByChain: false, unwanted: null };
  const unowned = { nonce: { row: freeRow, owner: null, transactions: [] }, ...facts };
  it('a nonce whose rows contain no time counts as undecided from the first poll', () => {
    const { clock, watch } = aWatch();
    watch.poll([unowned]);
    clock.advance(59_999);
    watch.poll([unowned]);
    expect(watch.stuck).toEqual([]);
    clock.advance(1);
    watch.poll([unowned]);
    expect(watch.stuck).toMatchObject([{ nonce: 5n, attempt: null, forMs: 60_000 }]);
  });

  it('logs each stuck nonce once, and again after the nonce was settled and reopened', () => {
    const { clock, watch, logged } = aWatch();
    const held = {
      nonce: { row, owner: { ...attempt, acceptedAtMs: 100_000 }, transactions: [sent()] },
      ...facts,
    };
    watch.poll([unowned, held]);
    clock.advance(60_000);
    watch.poll([held]);
    watch.poll([held]);
    expect(logged).toMatchObject([{ submission: 'id', nonce: '5' }]);
    watch.poll([]);
    watch.poll([held]);
    expect(logged).toHaveLength(2);
  });

  it('logs a stuck nonce that belongs to no attempt with null as its submission', () => {
    const { clock, watch, logged } = aWatch();
    watch.poll([unowned]);
    clock.advance(60_000);
    watch.poll([unowned]);
    expect(logged).toMatchObject([{ submission: null }]);
  });
});

describe('two processes with one INSTANCE_ID', () => {
  it('reports two processes with one INSTANCE_ID if one process replaces the other process’s lease too early', async () => {
    const { clock, lease, ofProcess, alarms } = aLease();
    const twin = ofProcess('one');
    await lease.hold();
    await twin.hold();
    clock.advance(5_000);
    await lease.hold();
    expect(alarms.sharedInstanceIds).toBe(1);
    clock.advance(5_000);
    await twin.hold();
    expect(alarms.sharedInstanceIds).toBe(2);
  });

  it('reports two processes with one INSTANCE_ID if a write is rejected for a replaced lease', async () => {
    const { lease, ofProcess, alarms } = aLease();
    const fence = await lease.hold();
    await ofProcess('one').hold();
    lease.lost(fence ?? -1n);
    await lease.hold();
    expect(alarms.sharedInstanceIds).toBe(1);
  });

  it('reports no shared INSTANCE_ID for another instance, an expired lease, or a process that ended', async () => {
    const { clock, lease, ofProcess, alarms } = aLease();
    const other = ofProcess('two');
    await lease.hold();
    clock.advance(16_000);
    await other.hold();
    expect(await lease.hold()).toBeNull();
    clock.advance(16_000);
    await lease.hold();
    // A restarted process with the same instance name leases the lane at once.
    const restarted = ofProcess('one');
    await restarted.hold();
    clock.advance(5_000);
    await restarted.hold();
    expect(alarms.sharedInstanceIds).toBe(0);
  });
});

const named = (index: number): Attempt => ({ ...attempt, id: `attempt ${index}` });
