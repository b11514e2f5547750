import { beforeEach, describe, expect, it } from '@jest/globals';
import { boundsFor, type ChainHead, type OpenNonce, type TransactionSighting } from '../../src/index.js';
import { followNonce } from '../../src/application/follow-nonce.js';
import { LaneBench } from '../support/lane.js';
import { LANE, submission } from './world.js';

const SEEN: TransactionSighting = { kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null };
const ACCEPTED: TransactionSighting = { kind: 'accepted', execution: 'SUCCEEDED', revertReason: null, feeFri: 1n, blockNumber: 1 };
const UNKNOWN: TransactionSighting = { kind: 'unknown' };
const LOST = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false } as const;
const NOT_TAKEN = { answer: { kind: 'refused', code: 'X', cause: 'price' }, arrives: false } as const;

let lane: LaneBench;
beforeEach(async () => {
  lane = await LaneBench.held();
});

/** One look at one nonce: every transaction is seen as given, or not looked at. */
async function follow(
  nonce: OpenNonce | undefined,
  sighting: TransactionSighting | null = UNKNOWN,
  head?: ChainHead,
  liveAbove = false,
): Promise<void> {
  if (nonce === undefined) throw new Error('no nonce is open');
  const sightings = new Map(sighting === null ? [] : nonce.transactions.map(({ hash }) => [hash, sighting]));
  await followNonce(lane.context, lane.sender, nonce, { head: head ?? (await lane.head()), sightings, liveAbove, workWaits: false });
  await lane.sender.idle();
}
const first = async (): Promise<OpenNonce | undefined> => (await lane.open())[0];

/** Nonce 0 free, something alive at 1: the first look fills it. */
async function withLoneNoop(): Promise<void> {
  lane.chain.script({ answer: { kind: 'refused', code: 'X', cause: 'call' }, arrives: false });
  await lane.sent('refused');
  await lane.ledger.record({
    type: 'prepare',
    lane: LANE,
    nonce: 1n,
    fence: 1n,
    attempt: await lane.accepted('above'),
    transaction: await lane.signer.signNoop({ account: LANE, nonce: 1n, bounds: lane.context.noopBounds(await lane.head()) }),
    claim: true,
    atMs: 0,
  });
  lane.chain.script(LOST);
  await follow(await first(), UNKNOWN, undefined, true);
}

describe('without the lane', () => {
  it('nothing is done for its nonces, nor noted', async () => {
    await lane.sent('a');
    await lane.lease.giveBack();
    lane.fresh();
    await follow(await first(), SEEN);
    expect(lane.ledger.events).toEqual([]);
  });
});

describe('whether an attempt is still wanted', () => {
  it('is asked before its bytes are sent again, and then only', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    await follow(await first());
    expect(lane.asked).toBe(0);
    lane.clock.advance(10_000);
    await follow(await first());
    expect(lane.asked).toBe(1);
    expect(lane.ledger.events.at(-1)).toBe('claim');
  });

  it('is not asked of a no-op that nobody holds, which is sent again all the same', async () => {
    await withLoneNoop();
    lane.clock.advance(10_000);
    lane.fresh();
    await follow(await first());
    expect(lane.asked).toBe(0);
    expect(lane.ledger.events).toEqual(['claim']);
    expect(lane.changed).toEqual([]);
    expect(lane.reached).toEqual(['claimed', 'sent']);
  });

  it('is not asked before a first send', async () => {
    const attempt = await lane.accepted('a');
    const bounds = boundsFor(attempt.limits, (await lane.head()).gasPrices);
    const transaction = await lane.signer.signCall(await lane.hints.hashOf(attempt), { account: LANE, nonce: 0n, bounds });
    await lane.ledger.record({ type: 'prepare', lane: LANE, nonce: 0n, fence: 1n, attempt, transaction, claim: false, atMs: 0 });
    await follow(await first());
    expect(lane.asked).toBe(0);
    expect(lane.chain.sent).toEqual([transaction.hash]);
    expect(lane.changed).toEqual([attempt.id]);
  });
});

describe('callers who wait', () => {
  it('are told of a send, and not of one that another holder of the lane made impossible', async () => {
    lane.chain.script(LOST);
    const attempt = await lane.sent('a');
    lane.clock.advance(10_000);
    lane.fresh();
    await follow(await first());
    expect(lane.changed).toEqual([attempt.id]);
    await lane.ledger.unlease(LANE, 'one', 1n);
    await lane.ledger.lease(LANE, 'two', 15_000);
    lane.clock.advance(10_000);
    lane.fresh();
    await follow(await first());
    expect([lane.ledger.events, lane.changed]).toEqual([['claim'], []]);
  });
});

describe('fillers', () => {
  it('a hole is filled with a no-op', async () => {
    await withLoneNoop();
    expect(lane.reached).toContain('filled');
    expect((await first())?.transactions.filter(({ dead }) => !dead)).toMatchObject([
      { kind: 'noop', bounds: { l2Gas: { maxAmount: 5_000_000n } } },
    ]);
  });

  it('a lone no-op is replaced by a no-op', async () => {
    await withLoneNoop();
    lane.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    await follow(await first());
    expect(lane.reached).toContain('replaced');
    const bounds = { l2Gas: { maxAmount: 5_000_000n, maxPriceFri: 90_000_000_000n } };
    expect((await first())?.transactions.at(-1)).toMatchObject({ kind: 'noop', bounds });
  });

  it('a call is replaced by the same call at the new price, which outbids only what could still land', async () => {
    const attempt = await lane.sent('a');
    const call = await lane.hints.hashOf(attempt);
    const dearer = async (maxPriceFri: bigint) => {
      const bounds = boundsFor(attempt.limits, (await lane.head()).gasPrices);
      return lane.signer.signCall(call, { account: LANE, nonce: 0n, bounds: { ...bounds, l2Gas: { ...bounds.l2Gas, maxPriceFri } } });
    };
    const dead = await dearer(300_000_000_000n);
    const ceilingL2PriceFri = 10n ** 12n;
    await lane.ledger.record({ type: 'replace', lane: LANE, nonce: 0n, fence: 1n, transaction: dead, ceilingL2PriceFri });
    lane.chain.script(NOT_TAKEN);
    await lane.sender.claimAndSend({ lane: LANE, nonce: 0n, fence: 1n }, dead.hash);
    await lane.sender.idle();
    lane.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    await follow(await first());
    const replacement = (await first())?.transactions.at(-1);
    expect(replacement).toMatchObject({ kind: 'call', bounds: { l2Gas: { maxAmount: 1_200_000_000n, maxPriceFri: 90_000_000_000n } } });
    const bounds = boundsFor(submission().limits, (await lane.head()).gasPrices);
    expect(replacement?.hash).toBe((await lane.signer.signCall(call, { account: LANE, nonce: 0n, bounds })).hash);
  });

  it('an unwanted attempt is cancelled with a no-op', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    lane.clock.advance(600_001);
    await follow(await first());
    expect(lane.reached).toContain('cancelled');
    expect((await first())?.transactions.at(-1)).toMatchObject({ kind: 'noop' });
  });
});

describe('the end of a nonce', () => {
  it('is logged with what is public of it, and nothing is remembered of its attempt', async () => {
    const attempt = await lane.sent('a');
    const [hash] = lane.chain.sent;
    lane.hints.markUnwanted(attempt, 'NULLIFIER_SPENT');
    lane.fresh();
    await follow(await first(), ACCEPTED);
    expect(await lane.now(attempt)).toMatchObject({ state: 'succeeded' });
    expect(lane.said).toEqual([{ level: 'info', fields: { lane: LANE, nonce: '0', transactionHash: hash, execution: 'SUCCEEDED' } }]);
    expect(lane.hints.whyUnwanted(attempt)).toBeNull();
  });

  it('by a stranger names the transaction', async () => {
    await lane.sent('a');
    lane.chain.drop(lane.chain.sent[0] ?? LANE);
    const hash = lane.chain.includeStranger(LANE);
    lane.fresh();
    await follow(await first());
    expect(lane.said).toStrictEqual([{ level: 'info', fields: { lane: LANE, nonce: '0', transactionHash: hash, execution: 'SUCCEEDED' } }]);
  });

  it('is found for a no-op that nobody holds', async () => {
    await withLoneNoop();
    await follow(await first(), ACCEPTED);
    expect((await lane.open()).map(({ row }) => row.nonce)).toEqual([1n]);
  });

  it('by ours is found through the block where the first look did not show it', async () => {
    const attempt = await lane.sent('a');
    lane.chain.includeAll();
    const sightings = lane.chain.sightings.bind(lane.chain);
    lane.chain.sightings = async () => [];
    await follow(await first());
    expect(await lane.now(attempt)).toMatchObject({ state: 'broadcast' });
    lane.chain.sightings = sightings;
    await follow(await first());
    expect(await lane.now(attempt)).toMatchObject({ state: 'succeeded' });
  });
});

describe('what a look shows', () => {
  it('is noted once, and again when it has changed', async () => {
    await lane.sent('a');
    lane.fresh();
    const notes: TransactionSighting[] = [
      SEEN,
      SEEN,
      { ...SEEN, execution: 'REVERTED', revertReason: 'a' },
      { ...SEEN, execution: 'REVERTED', revertReason: 'b' },
      { ...SEEN, execution: 'REVERTED', revertReason: 'b' },
      { ...SEEN, execution: 'REVERTED' },
      { ...SEEN, execution: 'SUCCEEDED' },
    ];
    const written: number[] = [];
    for (const sighting of notes) {
      await follow(await first(), sighting);
      written.push(lane.ledger.events.length);
    }
    expect(written).toEqual([1, 1, 2, 3, 3, 4, 5]);
    expect((await first())?.transactions).toMatchObject([{ seen: { execution: 'SUCCEEDED', revertReason: null } }]);
  });

  it('is left as it was where nobody has looked, and at its end', async () => {
    await lane.sent('a');
    await follow(await first(), SEEN);
    lane.fresh();
    await follow(await first(), null);
    expect(lane.ledger.events).not.toContain('observe');
    await follow(await first(), ACCEPTED);
    expect(lane.ledger.events).not.toContain('observe');
    expect(lane.ledger.events.at(-1)).toBe('settle');
  });

  it('ends the run of refusals of a call that the node has, even in a block', async () => {
    await lane.sent('a');
    for (const sighting of [SEEN, { kind: 'waiting' } as const]) {
      lane.context.refusals.note(0n, LANE, { cause: 'price', code: 'X' });
      await follow(await first(), UNKNOWN);
      expect(lane.context.refusals.refusedForPrice(0n).size).toBe(1);
      await follow(await first(), sighting);
      expect(lane.context.refusals.refusedForPrice(0n).size).toBe(0);
    }
  });

  it('concludes nothing where the head leaves the account out', async () => {
    await lane.sent('a');
    const head = { ...(await lane.head()), accounts: new Map() };
    lane.fresh();
    await follow(await first(), { kind: 'waiting' }, head);
    expect(lane.ledger.events).toEqual([]);
  });
});
