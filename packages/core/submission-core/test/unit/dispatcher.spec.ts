import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { boundsFor } from '../../src/index.js';
import { Dispatcher } from '../../src/application/engine/dispatcher.js';
import { gate, watched } from '../support/gate.js';
import { LaneBench, UNSHARED } from '../support/lane.js';
import { LANE } from './world.js';

/** Shares of a store with several instances. */
const SHARED = { ...UNSHARED, isShared: () => true };

let lane: LaneBench;
beforeEach(async () => {
  lane = await LaneBench.held();
});

/**
 * Creates a dispatcher for this lane and the lanes of `others`. Records the dispatcher's reads of
 * the ledger.
 */
async function aDispatcher(others: readonly LaneBench[] = [], shares = UNSHARED) {
  const { ledger, hints, worker, account, clock } = lane;
  const workers = [worker, ...others.map((other) => other.worker)];
  const reads: string[] = [];
  const openNonces = ledger.openNonces.bind(ledger);
  const waiting = ledger.waiting.bind(ledger);
  ledger.openNonces = async (of) => {
    reads.push('rows');
    return openNonces(of);
  };
  ledger.waiting = async (role, limit) => {
    reads.push('waiting');
    return waiting(role, limit);
  };
  const { logger } = account.deps;
  const parts = {
    role: 'relay',
    workers,
    ledger,
    hints,
    clock,
    logger,
    ceilingL2PriceFri: 24_000_000_000n,
    maxInFlightPerLane: 4,
    storeTime: lane.storeTime,
    instance: 'one',
    shares,
    passTimeoutMs: 8_000,
  } as const;
  return { reads, dispatcher: new Dispatcher(parts) };
}

describe('Dispatcher', () => {
  it('the dispatcher reads a lane’s rows only if they are unknown', async () => {
    const { dispatcher, reads } = await aDispatcher();
    await dispatcher.request();
    expect(reads).toEqual(['waiting']);
    lane.account.nonces.drop();
    await dispatcher.request({ polled: true });
    expect(reads).toEqual(['waiting', 'rows', 'waiting']);
  });

  it('assigns waiting attempts one after another without further reads', async () => {
    const waiting = [await lane.accepted('x'), await lane.accepted('y'), await lane.accepted('z')];
    const { dispatcher, reads } = await aDispatcher();
    await dispatcher.request();
    await dispatcher.stop();
    const given = await Promise.all(waiting.map(async (attempt) => lane.now(attempt)));
    expect(given).toMatchObject([{ nonce: 0n }, { nonce: 1n }, { nonce: 2n }]);
    expect(reads).toEqual(['waiting']);
  });

  it('an attempt that this instance accepted is added to a known queue without a read', async () => {
    const { dispatcher, reads } = await aDispatcher();
    await dispatcher.request();
    const attempt = await lane.accepted('brought');
    dispatcher.bring(attempt);
    await dispatcher.request({ isKnown: true });
    await dispatcher.stop();
    expect(await lane.now(attempt)).toMatchObject({ state: 'broadcast' });
    expect(reads).toEqual(['waiting']);
    const fresh = await aDispatcher();
    const other = await lane.accepted('not read yet');
    fresh.dispatcher.bring(other);
    await fresh.dispatcher.request({ isKnown: true });
    await fresh.dispatcher.stop();
    expect(await lane.now(other)).toMatchObject({ state: 'broadcast' });
    expect(fresh.reads).toContain('waiting');
  });

  it('reads no queue while every lane is full', async () => {
    lane = await LaneBench.held({ maxInFlightPerLane: 1 });
    await lane.sent('a');
    await lane.accepted('b');
    const { dispatcher, reads } = await aDispatcher();
    await dispatcher.request();
    expect(reads).toEqual([]);
  });

  it('assigns nothing and logs no error before the first poll of the chain', async () => {
    lane = new LaneBench();
    await lane.lease.hold();
    await lane.accepted('a');
    lane.fresh();
    const { dispatcher, reads } = await aDispatcher();
    await dispatcher.request({ polled: true });
    expect([reads, lane.errors()]).toEqual([[], []]);
  });

  it('assigns an attempt whose price equals the ceiling', async () => {
    const attempt = await lane.accepted('a');
    const { dispatcher } = await aDispatcher();
    expect(boundsFor(attempt.limits, (await lane.head()).gasPrices).l2Gas.maxPriceFri).toBe(
      24_000_000_000n,
    );
    await dispatcher.request();
    await dispatcher.stop();
    expect(await lane.now(attempt)).toMatchObject({ state: 'broadcast' });
    expect(lane.worker.status()).toMatchObject({ state: 'ready', reason: null });
  });

  it('fills all nonce gaps of a lane before it uses free slots of another lane', async () => {
    await lane.withGaps(2);
    const roomy = await LaneBench.held({}, toFelt('0x2a4e'), lane);
    const waiting = [await lane.accepted('x'), await lane.accepted('y')];
    const { dispatcher } = await aDispatcher([roomy]);
    await dispatcher.request();
    await dispatcher.stop();
    const given = await Promise.all(waiting.map(async (attempt) => lane.now(attempt)));
    expect(given).toMatchObject([
      { lane: LANE, nonce: 0n },
      { lane: LANE, nonce: 1n },
    ]);
  });

  it('an assignment reduces the free slots of its own lane only', async () => {
    lane = await LaneBench.held({ maxInFlightPerLane: 1 });
    const other = await LaneBench.held({ maxInFlightPerLane: 1 }, toFelt('0x2a4e'), lane);
    const waiting = [await lane.accepted('x'), await lane.accepted('y')];
    const { dispatcher } = await aDispatcher([other]);
    await dispatcher.request();
    await dispatcher.stop();
    const given = await Promise.all(waiting.map(async (attempt) => lane.now(attempt)));
    expect(given).toMatchObject([{ lane: LANE }, { lane: '0x2a4e' }]);
  });

  it('the dispatcher stops only after all assigned attempts are prepared', async () => {
    const slow = gate();
    const signCall = lane.signer.signCall.bind(lane.signer);
    lane.signer.signCall = async (...request) => {
      await slow.opened;
      return signCall(...request);
    };
    const given = await lane.accepted('given');
    const { dispatcher } = await aDispatcher();
    await dispatcher.request();
    const stopping = watched(dispatcher.stop());
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopping.isOver()).toBe(false);
    slow.open();
    await stopping.ended;
    expect(await lane.now(given)).toMatchObject({ state: 'broadcast' });
    const late = await lane.accepted('late');
    await dispatcher.request();
    await dispatcher.stop();
    expect(await lane.now(late)).toMatchObject({ state: 'accepted' });
  });

  it('abandons a dispatch if the read of a lane’s rows never ends, and starts the next dispatch', async () => {
    const attempt = await lane.accepted('a');
    const { dispatcher } = await aDispatcher();
    const openNonces = lane.ledger.openNonces.bind(lane.ledger);
    lane.ledger.openNonces = async () => new Promise(() => undefined);
    const pass = dispatcher.request();
    await new Promise((resolve) => setImmediate(resolve));
    lane.clock.advance(8_000);
    await pass;
    lane.ledger.openNonces = openNonces;
    await dispatcher.request();
    await dispatcher.stop();
    expect(await lane.now(attempt)).toMatchObject({ state: 'broadcast' });
  });

  it('an attempt that one lane’s account rejected is sent on another lane', async () => {
    const other = await LaneBench.held({}, toFelt('0x2a4e'), lane);
    lane.cause = 'account';
    lane.chain.refuse(LANE, 'VALIDATION_FAILURE');
    const attempt = await lane.sent('a');
    lane.chain.refuse(LANE, null);
    lane.clock.advance(2_000);
    const { dispatcher } = await aDispatcher([other]);
    await dispatcher.request();
    await dispatcher.stop();
    expect(await lane.now(attempt)).toMatchObject({ state: 'broadcast', lane: '0x2a4e' });
  });

  it('an attempt avoids the lane that rejected it only while another lane is usable', async () => {
    const other = await LaneBench.held({}, toFelt('0x2a4e'), lane);
    lane.cause = 'account';
    lane.chain.refuse(LANE, 'VALIDATION_FAILURE');
    const attempt = await lane.sent('a');
    expect(attempt).toMatchObject({ state: 'accepted', avoidLane: LANE });
    lane.chain.refuse(LANE, null);
    lane.clock.advance(2_000);
    lane.chain.accountProblem(toFelt('0x2a4e'), 'NOT_DEPLOYED');
    await other.worker.diagnose(true);
    const { dispatcher } = await aDispatcher([other]);
    await dispatcher.request();
    await dispatcher.stop();
    expect(await lane.now(attempt)).toMatchObject({ state: 'broadcast', lane: LANE });
  });

  it('attempts that ended elsewhere occupy no room of this instance', async () => {
    const { dispatcher } = await aDispatcher();
    const brought = await Promise.all(['w', 'x', 'y', 'z'].map((key) => lane.accepted(key)));
    expect(brought.map((attempt) => dispatcher.bring(attempt))).toEqual([true, true, true, true]);
    expect(dispatcher.hasRoom).toBe(false);
    lane.clock.advance(2_000);
    expect(dispatcher.hasRoom).toBe(true);
  });

  it('a pass that was abandoned during its reservation assigns nothing later', async () => {
    const attempt = await lane.accepted('a');
    const { dispatcher } = await aDispatcher([], SHARED);
    const late = gate();
    const reserve = lane.ledger.reserve.bind(lane.ledger);
    lane.ledger.reserve = async (...request) => {
      await late.opened;
      return reserve(...request);
    };
    lane.clock.advance(3_000);
    await lane.worker.poll();
    const abandoned = dispatcher.request();
    await new Promise((resolve) => setImmediate(resolve));
    lane.clock.advance(8_000);
    await abandoned;
    lane.ledger.reserve = reserve;
    const slow = gate();
    let signatures = 0;
    const signCall = lane.signer.signCall.bind(lane.signer);
    lane.signer.signCall = async (...request) => {
      signatures += 1;
      await slow.opened;
      return signCall(...request);
    };
    await dispatcher.request();
    late.open();
    await new Promise((resolve) => setImmediate(resolve));
    slow.open();
    await dispatcher.stop();
    expect(await lane.now(attempt)).toMatchObject({ state: 'broadcast' });
    expect([signatures, lane.errors()]).toEqual([1, []]);
  });

  it('an attempt that another instance has just accepted is assigned once it is offered or old', async () => {
    const offered = await lane.accepted('a');
    const young = await lane.accepted('b');
    const { dispatcher } = await aDispatcher([], SHARED);
    await dispatcher.request();
    await dispatcher.stop();
    const states = async () =>
      Promise.all([offered, young].map(async (attempt) => (await lane.now(attempt)).state));
    expect(await states()).toEqual(['accepted', 'accepted']);
    const next = (await aDispatcher([], SHARED)).dispatcher;
    next.offer(offered.id);
    await next.request();
    await next.stop();
    expect(await states()).toEqual(['broadcast', 'accepted']);
    lane.clock.advance(3_000);
    const last = (await aDispatcher([], SHARED)).dispatcher;
    await last.request();
    await last.stop();
    expect(await states()).toEqual(['broadcast', 'broadcast']);
  });

  it('the slot of an attempt that another instance has reserved goes to the next attempt', async () => {
    lane = await LaneBench.held({ maxInFlightPerLane: 1 });
    const reserved = await lane.accepted('a');
    const next = await lane.accepted('b');
    await lane.ledger.reserve([reserved.id], 'two', 10_000);
    lane.clock.advance(3_000);
    const { dispatcher } = await aDispatcher([], SHARED);
    await dispatcher.request();
    await dispatcher.stop();
    expect(await lane.now(reserved)).toMatchObject({ state: 'accepted' });
    expect(await lane.now(next)).toMatchObject({ state: 'broadcast' });
  });
});
