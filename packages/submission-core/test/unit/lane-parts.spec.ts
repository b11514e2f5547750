import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { boundsFor, type Attempt, type LaneClaim } from '../../src/index.js';
import { Dispatcher } from '../../src/application/dispatcher.js';
import { gate } from '../support/gate.js';
import { LaneBench } from '../support/lane.js';
import { sent } from '../support/rows.js';
import { LANE } from './world.js';

const AT_0: LaneClaim = { lane: LANE, nonce: 0n, fence: 1n };
const REFUSED = { answer: { kind: 'refused', code: 'X', cause: 'call' }, arrives: false } as const;
const LOST = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false } as const;

let lane: LaneBench;
beforeEach(async () => {
  lane = await LaneBench.held();
});

/** Free nonces 0 and 1 below something alive at 2. */
async function withTwoHoles(): Promise<void> {
  const answered = gate();
  lane.chain.script({ ...REFUSED, after: answered.opened }, { ...REFUSED, after: answered.opened }, LOST);
  const head = await lane.head();
  for (const key of ['a', 'b', 'above']) await lane.worker.prepare(await lane.accepted(key), head);
  answered.open();
  await lane.sender.idle();
}
const kinds = async (): Promise<(string | undefined)[]> =>
  (await lane.open()).map(({ transactions }) => transactions.find(({ dead }) => !dead)?.kind);

function watched(work: Promise<void>): { readonly ended: Promise<void>; readonly isOver: () => boolean } {
  let over = false;
  const wait = async (): Promise<void> => {
    await work;
    over = true;
  };
  return { ended: wait(), isOver: () => over };
}

/** A dispatcher for the lane and others beside it, and what it reads of the ledger. */
async function aDispatcher(look: 'known' | 'unknown' = 'known', others: readonly LaneBench[] = []) {
  const { ledger, hints, worker, context } = lane;
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
  const head = look === 'known' ? await lane.chain.head(workers.map((one) => one.lane.address)) : null;
  const parts = { role: 'relay', workers, ledger, hints, logger: context.on.logger, ceilingL2PriceFri: 24_000_000_000n } as const;
  return { reads, dispatcher: new Dispatcher({ ...parts, head: () => head }) };
}

describe('what a lane offers', () => {
  it('is its room, and free nonces that something lives above', async () => {
    await withTwoHoles();
    expect(await lane.worker.offer(await lane.head())).toMatchObject({ room: 3, holes: 2, freeBelow: [0n, 1n] });
  });

  it('is no free nonce without anything alive above it, nor one that is held, or has a no-op', async () => {
    lane.chain.script(LOST, REFUSED);
    await lane.sent('below');
    await lane.sent('refused');
    expect(await lane.worker.offer(await lane.head())).toMatchObject({ room: 3, holes: 0 });
    const open = await lane.open();
    const [held, free] = open;
    if (held === undefined || free === undefined) throw new Error('two nonces are open');
    lane.ledger.openNonces = async () => [
      { ...held, transactions: held.transactions.map((row) => ({ ...row, dead: true })) },
      { ...free, transactions: [sent({ kind: 'noop', attempt: null })] },
      { ...held, row: { ...held.row, nonce: 2n }, transactions: [sent({ dead: true }), sent()] },
    ];
    expect(await lane.worker.offer(await lane.head())).toMatchObject({ room: 2, holes: 0 });
  });

  it('counts a hole though not everything above it lives', async () => {
    const answered = gate();
    lane.chain.script({ ...REFUSED, after: answered.opened }, LOST, { ...REFUSED, after: answered.opened });
    const head = await lane.head();
    for (const key of ['hole', 'alive', 'refused']) await lane.worker.prepare(await lane.accepted(key), head);
    answered.open();
    await lane.sender.idle();
    expect(await lane.worker.offer(head)).toMatchObject({ freeBelow: [0n] });
  });

  it('is no nonce that the chain has passed, and nothing but room where the head leaves the account out', async () => {
    await withTwoHoles();
    lane.chain.setNonce(LANE, 1n);
    expect(await lane.worker.offer(await lane.head())).toMatchObject({ freeBelow: [1n] });
    const head = { ...(await lane.head()), accounts: new Map() };
    expect(await lane.worker.offer(head)).toMatchObject({ freeBelow: [0n, 1n], balanceFri: 0n });
  });

  it('may be filled only as far as nobody took it', async () => {
    await withTwoHoles();
    const head = await lane.head();
    lane.worker.offered({ ...(await lane.worker.offer(head)), given: 1 }, head, false);
    await lane.worker.follow(await lane.open(), head, new Map());
    expect(await kinds()).toEqual([undefined, 'noop', 'call']);
  });
});

describe('a lane', () => {
  it('is busy while something is undecided on it, and not without it', async () => {
    expect(lane.worker.isBusy).toBe(false);
    await lane.sent('a');
    await lane.worker.offer(await lane.head());
    expect(lane.worker.isBusy).toBe(true);
    await lane.lease.giveBack();
    expect(lane.worker.isBusy).toBe(false);
  });

  it('forgets refusals of nonces that are open no more', async () => {
    lane.context.refusals.note(7n, LANE, { cause: 'price', code: 'X' });
    await lane.worker.follow([], await lane.head(), new Map());
    expect(lane.context.refusals.refusedForPrice(7n).size).toBe(0);
  });

  it('is given up for a stale fence alone', async () => {
    await lane.context.record({ type: 'claim', ...AT_0, hash: LANE, atMs: 0 });
    expect(lane.lease.fence).toBe(1n);
    await lane.context.record({ type: 'claim', ...AT_0, fence: 9n, hash: LANE, atMs: 0 });
    expect(lane.lease.fence).toBeNull();
  });

  it('is said to be lost once', () => {
    lane.fresh();
    lane.lease.lost();
    lane.lease.lost();
    expect(lane.said).toEqual([{ level: 'warn', fields: { lane: LANE, fence: '1' } }]);
  });

  it('waits with its end for the answers of its sends', async () => {
    const answered = gate();
    lane.chain.script({ ...LOST, after: answered.opened });
    await lane.worker.prepare(await lane.accepted('a'), await lane.head());
    const stopping = watched(lane.worker.stop());
    await new Promise((resolve) => setImmediate(resolve));
    expect([stopping.isOver(), lane.lease.fence]).toEqual([false, 1n]);
    answered.open();
    await stopping.ended;
    expect(lane.lease.fence).toBeNull();
  });
});

describe('an attempt that is prepared', () => {
  it('is told, held back no longer, and nothing is remembered of it', async () => {
    const attempt = await lane.accepted('a');
    let hashed = 0;
    const hashCall = lane.signer.hashCall.bind(lane.signer);
    lane.signer.hashCall = async (...call) => {
      hashed += 1;
      return hashCall(...call);
    };
    await lane.worker.prepare(attempt, await lane.head());
    expect(lane.changed).toContain(attempt.id);
    expect(lane.hints.isHeldBack(attempt)).toBe(false);
    await lane.hints.hashOf(attempt);
    expect(hashed).toBe(2);
  });

  it.each([
    ['the head leaves the account out', async () => undefined, true],
    ['the lane is gone', async () => lane.lease.giveBack(), false],
  ])('waits a little, without an error, when %s', async (_why, happens, leftOut) => {
    const attempt = await lane.accepted('a');
    await happens();
    const head = await lane.head();
    lane.fresh();
    await lane.worker.prepare(attempt, leftOut ? { ...head, accounts: new Map() } : head);
    expect(lane.hints.isHeldBack(attempt)).toBe(true);
    expect([lane.ledger.events, lane.errors()]).toEqual([[], []]);
  });

  it('and is no longer wanted ends there, and is neither signed nor held back', async () => {
    const attempt: Attempt = { ...(await lane.accepted('a')), readmit: true };
    lane.refusal = 'NULLIFIER_SPENT';
    lane.hints.markUnwanted(attempt, 'NULLIFIER_SPENT');
    lane.fresh();
    await lane.worker.prepare(attempt, await lane.head());
    expect(lane.ledger.events).toEqual(['end_waiting']);
    expect(lane.hints.isHeldBack(attempt)).toBe(false);
    expect(lane.hints.whyUnwanted(attempt)).toBeNull();
  });
});

describe('the answer to a send', () => {
  it('that is a refusal is recorded once, and told to who waits', async () => {
    const answered = gate();
    lane.chain.script({ ...REFUSED, after: answered.opened });
    const attempt = await lane.accepted('a');
    await lane.worker.prepare(attempt, await lane.head());
    lane.fresh();
    answered.open();
    await lane.sender.idle();
    expect(lane.ledger.events).toEqual(['refusal']);
    expect(lane.reached).toEqual(['sent', 'refused']);
    expect([lane.changed, lane.inVain]).toEqual([[attempt.id], 0]);
  });

  it('that refuses a no-op which nobody holds is nobody’s news', async () => {
    await withTwoHoles();
    const head = await lane.head();
    lane.worker.offered({ ...(await lane.worker.offer(head)), given: 1 }, head, false);
    lane.chain.script(REFUSED);
    lane.fresh();
    await lane.worker.follow(await lane.open(), head, new Map());
    await lane.sender.idle();
    expect(lane.ledger.events).toContain('refusal');
    expect([lane.changed, lane.errors()]).toEqual([[], []]);
  });

  it('that never comes is an error of the log, with its cause', async () => {
    const broken = new TypeError('no such thing');
    lane.chain.send = async () => Promise.reject(broken);
    await lane.sent('a');
    expect(lane.errors()).toMatchObject([{ fields: { error: broken } }]);
    lane.chain.send = async () => Promise.reject('a text');
    await lane.sent('b');
    expect(lane.errors()[1]?.fields['error']).toBeInstanceOf(Error);
  });

  it('is not asked for when the bytes are gone', async () => {
    await lane.sent('a');
    const [hash = LANE] = lane.chain.sent;
    lane.ledger.signedBytes = async () => null;
    let asked = 0;
    lane.chain.send = async () => {
      asked += 1;
      return LOST.answer;
    };
    lane.fresh();
    await lane.sender.claimAndSend(AT_0, hash);
    await lane.sender.idle();
    expect(asked).toBe(0);
    expect(lane.errors()).toMatchObject([{ fields: { transactionHash: hash } }]);
  });
});

describe('who gives work to lanes', () => {
  it('reads nothing while nobody waits, unless the chain was looked at', async () => {
    const { dispatcher, reads } = await aDispatcher();
    await dispatcher.request();
    expect(reads).toEqual([]);
    await dispatcher.request({ looked: true });
    expect(reads).toEqual(['rows', 'waiting']);
    await dispatcher.request();
    expect(reads).toEqual(['rows', 'waiting']);
  });

  it('reads no queue while every lane is full', async () => {
    lane = await LaneBench.held({ maxInFlightPerLane: 1 });
    await lane.sent('a');
    await lane.accepted('b');
    const { dispatcher, reads } = await aDispatcher();
    await dispatcher.request();
    expect(reads).toEqual(['rows']);
  });

  it('does nothing, and fails at nothing, without a look at the chain', async () => {
    await lane.accepted('a');
    const { dispatcher, reads } = await aDispatcher('unknown');
    await dispatcher.request({ looked: true });
    expect([reads, lane.errors()]).toEqual([[], []]);
  });

  it('gives what costs exactly the ceiling, and calls a lane ready that can pay', async () => {
    const attempt = await lane.accepted('a');
    const { dispatcher } = await aDispatcher();
    expect(boundsFor(attempt.limits, (await lane.head()).gasPrices).l2Gas.maxPriceFri).toBe(24_000_000_000n);
    await dispatcher.request();
    await dispatcher.stop();
    expect(await lane.now(attempt)).toMatchObject({ state: 'broadcast' });
    expect(lane.worker.state).toBe('ready');
  });

  it('gives all holes of a lane before any room of another', async () => {
    await withTwoHoles();
    const roomy = await LaneBench.held({}, toFelt('0x2a4e'), lane);
    const waiting = [await lane.accepted('x'), await lane.accepted('y')];
    const { dispatcher } = await aDispatcher('known', [roomy]);
    await dispatcher.request();
    await dispatcher.stop();
    const given = await Promise.all(waiting.map(async (attempt) => lane.now(attempt)));
    expect(given).toMatchObject([
      { lane: LANE, nonce: 0n },
      { lane: LANE, nonce: 1n },
    ]);
  });

  it('takes from the offer of the lane that is chosen, and from no other', async () => {
    lane = await LaneBench.held({ maxInFlightPerLane: 1 });
    const other = await LaneBench.held({ maxInFlightPerLane: 1 }, toFelt('0x2a4e'), lane);
    const waiting = [await lane.accepted('x'), await lane.accepted('y')];
    const { dispatcher } = await aDispatcher('known', [other]);
    await dispatcher.request();
    await dispatcher.stop();
    const given = await Promise.all(waiting.map(async (attempt) => lane.now(attempt)));
    expect(given).toMatchObject([{ lane: LANE }, { lane: '0x2a4e' }]);
  });

  it('ends only when what was given is prepared, and gives nothing afterwards', async () => {
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
});
