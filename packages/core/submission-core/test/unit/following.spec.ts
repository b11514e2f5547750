import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Felt } from '@sotto/kernel';
import { refOf } from '../../src/domain/rows.js';
import {
  NONCE_REFUSED,
  boundsFor,
  type OpenNonce,
  type TransactionStatus,
} from '../../src/index.js';
import { LOST, LaneBench } from '../support/lane.js';
import { BLOCK } from '../support/rows.js';
import { LANE, submission } from './world.js';

const SEEN: TransactionStatus = {
  kind: 'pre_confirmed',
  execution: 'SUCCEEDED',
  revertReason: null,
};
const ACCEPTED: TransactionStatus = {
  kind: 'accepted',
  execution: 'SUCCEEDED',
  revertReason: null,
  feeFri: 1n,
  block: BLOCK,
};
const UNKNOWN: TransactionStatus = { kind: 'unknown' };
const NOT_TAKEN = {
  answer: { kind: 'refused', code: 'X', cause: 'price' },
  arrives: false,
} as const;

let lane: LaneBench;
beforeEach(async () => {
  lane = await LaneBench.held();
});

const follow = (...requested: Parameters<LaneBench['follow']>): Promise<void> =>
  lane.follow(...requested);
const first = async (): Promise<OpenNonce | undefined> => (await lane.open())[0];

describe('nonces without a lease', () => {
  it('an instance without the lane’s lease sends and settles nothing', async () => {
    await lane.sent('a');
    await lane.lease.giveBack();
    lane.fresh();
    await follow(await first(), SEEN);
    expect(lane.ledger.events).toEqual([]);
  });
});

describe('nodes', () => {
  it('another node gets the next send if the first node did not respond', async () => {
    lane.chain.nodes = ['node-0', 'node-1'];
    lane.chain.script(LOST);
    const attempt = await lane.sent('a');
    expect(await lane.ledger.transactionsOf(attempt)).toMatchObject([{ claimNode: 'node-0' }]);
    lane.clock.advance(10_000);
    lane.chain.script(NOT_TAKEN);
    await follow(await first());
    await lane.sender.idle();
    expect(lane.chain.sentTo).toEqual(['node-0', 'node-1']);
    expect(await lane.ledger.transactionsOf(attempt)).toMatchObject([
      { claimNode: 'node-1', sendCount: 2, gone: null },
    ]);
    expect(lane.inVain).toBe(1);
  });

  it('queries the status of each transaction at the node to which it was sent', async () => {
    await lane.sent('a');
    const requested: (ReadonlyMap<Felt, string> | undefined)[] = [];
    const read = lane.chain.transactionStatuses.bind(lane.chain);
    lane.chain.transactionStatuses = async (hashes, sentTo?: ReadonlyMap<Felt, string>) => {
      requested.push(sentTo);
      return read(hashes);
    };
    await lane.poll();
    expect(requested).toEqual([new Map([[lane.chain.sent[0], 'node-0']])]);
  });
});

describe('revalidation of an attempt', () => {
  it('revalidates an attempt only before its first send, and before its bytes are sent again', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    await follow(await first());
    expect(lane.requested).toBe(1);
    lane.clock.advance(10_000);
    await follow(await first());
    expect(lane.requested).toBe(2);
    expect(lane.ledger.events.at(-1)).toBe('claim');
  });

  it('a no-op without an attempt is sent again without a revalidation', async () => {
    await lane.withLoneNoop();
    lane.clock.advance(10_000);
    lane.fresh();
    await follow(await first());
    expect(lane.requested).toBe(0);
    expect(lane.ledger.events).toEqual(['claim']);
    expect(lane.changed).toEqual([]);
    expect(lane.reached).toEqual(['claimed', 'sent']);
  });

  it('stored bytes of an attempt are sent for the first time without a revalidation', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    const nonce = await first();
    if (nonce === undefined) throw new Error('a nonce is open');
    const transactions = nonce.transactions.map((row) => ({ ...row, sendCount: 0 as const }));
    lane.fresh();
    await follow({ ...nonce, transactions });
    expect([lane.requested, lane.ledger.events]).toEqual([0, ['claim']]);
  });

  it('an attempt is not revalidated during a quarantine, because its call is not sent again', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    lane.clock.advance(10_000);
    lane.fresh();
    await follow(await first(), UNKNOWN, { isQuarantined: true });
    expect(lane.requested).toBe(0);
    expect((await first())?.transactions.map(({ kind }) => kind)).toEqual(['call', 'noop']);
  });
});

describe('bytes that the node received before those of a lower nonce', () => {
  it('bytes that were sent too early are sent again once when the account reaches their nonce', async () => {
    const early = { answer: { kind: 'unclear', code: NONCE_REFUSED }, arrives: false } as const;
    lane.chain.script(early);
    await lane.sent('a');
    lane.chain.script(early);
    lane.fresh();
    await follow(await first());
    expect([lane.ledger.events, lane.requested]).toEqual([['claim'], 1]);
    await follow(await first());
    await follow(await first());
    expect(lane.ledger.events).toEqual(['claim']);
    lane.clock.advance(10_000);
    await follow(await first());
    expect(lane.ledger.events).toEqual(['claim', 'claim']);
  });

  it('bytes with an unclear response are sent again early only if they were sent too early', async () => {
    lane.chain.script({ answer: { kind: 'unclear', code: 'UNEXPECTED_ERROR' }, arrives: false });
    await lane.sent('a');
    lane.fresh();
    await follow(await first());
    expect(lane.ledger.events).toEqual([]);
  });
});

describe('nonces before the ledger is compared with its chain', () => {
  it('nothing is sent before the ledger is compared with its chain, but receipts settle nonces', async () => {
    lane.chain.script(LOST);
    const attempt = await lane.sent('a');
    lane.clock.advance(600_001);
    lane.fresh();
    await follow(await first(), UNKNOWN, { isJudged: false });
    expect([lane.ledger.events, lane.requested]).toEqual([[], 0]);
    await follow(await first(), ACCEPTED, { isJudged: false });
    expect(await lane.now(attempt)).toMatchObject({ state: 'succeeded' });
  });

  it('transactions in blocks settle nonces even before the ledger is compared with its chain', async () => {
    await lane.sent('a');
    lane.chain.drop(lane.chain.sent[0] ?? LANE);
    lane.chain.includeForeign(LANE);
    await follow(await first(), UNKNOWN, { isJudged: false });
    expect(await lane.open()).toEqual([]);
    expect(lane.alarms.foreign).toBe(1);
  });
});

describe('waiting callers', () => {
  it('waiting callers are not notified if another holder of the lane has prevented the send', async () => {
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

describe('gap fillers', () => {
  it('a nonce gap is filled with a no-op', async () => {
    await lane.withLoneNoop();
    expect(lane.reached).toContain('filled');
    expect((await first())?.transactions.filter(({ gone }) => gone === null)).toMatchObject([
      { kind: 'noop', bounds: { l2Gas: { maxAmount: 5_000_000n } } },
    ]);
  });

  it('a no-op for a nonce gap never has a price above the ceiling', async () => {
    await lane.withGaps(1);
    lane.chain.script(LOST);
    lane.chain.setGasPrices({ l2GasFri: 4n * 10n ** 11n });
    await follow(await first(), UNKNOWN, { liveAbove: true });
    expect((await first())?.transactions.at(-1)).toMatchObject({
      kind: 'noop',
      bounds: { l2Gas: { maxPriceFri: 10n ** 12n } },
    });
  });

  it('a replacement contains the fingerprint of the signed call, and a no-op contains none', async () => {
    lane.chain.script(LOST);
    const attempt = await lane.sent('a');
    const named: (string | null)[] = [];
    const apply = lane.ledger.apply.bind(lane.ledger);
    lane.ledger.apply = async (event) => {
      if (event.type === 'store') named.push(event.fingerprint);
      return apply(event);
    };
    lane.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    await follow(await first());
    lane.clock.advance(600_001);
    await follow(await first());
    expect(named).toEqual([attempt.fingerprint, null]);
  });

  it('a no-op that belongs to no attempt is replaced by another no-op if its price is too low', async () => {
    await lane.withLoneNoop();
    lane.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    await follow(await first());
    expect(lane.reached).toContain('replaced');
    const bounds = { l2Gas: { maxAmount: 5_000_000n, maxPriceFri: 90_000_000_000n } };
    expect((await first())?.transactions.at(-1)).toMatchObject({ kind: 'noop', bounds });
  });

  it('the replacement of a call must outbid only transactions that could land', async () => {
    const attempt = await lane.sent('a');
    const call = await lane.hints.hashOf(attempt);
    const bounds = boundsFor(attempt.limits, (await lane.head()).gasPrices);
    const dear = { ...bounds, l2Gas: { ...bounds.l2Gas, maxPriceFri: 300_000_000_000n } };
    const refused = await lane.signer.signCall(call, { account: LANE, nonce: 0n, bounds: dear });
    const claim = { lane: LANE, nonce: 0n, fence: 1n } as const;
    const limits = { ceilingL2PriceFri: 10n ** 12n, nonceLimit: 1n, node: 'node-0' };
    const carried = {
      attempt: refOf(attempt),
      fingerprint: attempt.fingerprint,
      transaction: refused,
    };
    await lane.ledger.apply({ type: 'store', ...claim, version: 1, ...carried, ...limits });
    lane.chain.script(NOT_TAKEN);
    lane.sender.send({ ...claim, submission: attempt.id }, 'node-0', refused.hash, refused.bytes);
    await lane.sender.idle();
    lane.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    await follow(await first());
    const replacement = (await first())?.transactions.at(-1);
    expect(replacement).toMatchObject({
      kind: 'call',
      bounds: { l2Gas: { maxAmount: 1_200_000_000n, maxPriceFri: 90_000_000_000n } },
    });
    const now = boundsFor(submission().limits, (await lane.head()).gasPrices);
    expect(replacement?.hash).toBe(
      (await lane.signer.signCall(call, { account: LANE, nonce: 0n, bounds: now })).hash,
    );
  });

  it('an attempt that is no longer wanted is cancelled with a no-op under its nonce', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    lane.clock.advance(600_001);
    await follow(await first());
    expect(lane.reached).toContain('cancelled');
    expect((await first())?.transactions.at(-1)).toMatchObject({ kind: 'noop' });
  });

  it('an unwanted attempt is cancelled during a quarantine with a no-op at the ceiling price', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    lane.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    await follow(await first(), UNKNOWN, { isQuarantined: true });
    expect(lane.reached).toContain('cancelled');
    expect((await first())?.transactions.at(-1)).toMatchObject({
      kind: 'noop',
      bounds: { l2Gas: { maxPriceFri: 10n ** 12n } },
    });
  });

  it('a lane without a key signs nothing, but sends its stored bytes again', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    lane.clock.advance(10_000);
    lane.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    lane.fresh();
    await follow(await first(), UNKNOWN, { canSign: false });
    expect(lane.ledger.events).toEqual([]);
    lane.chain.setGasPrices({ l2GasFri: 8_000_000_000n });
    await follow(await first(), UNKNOWN, { canSign: false });
    expect(lane.ledger.events).toEqual(['claim']);
  });

  it('bytes are neither stored nor sent if the row has changed since they were signed', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    const before = await first();
    lane.clock.advance(600_001);
    await follow(before);
    const sent = lane.chain.sent.length;
    lane.fresh();
    await follow(before);
    expect([lane.ledger.events, lane.reached, lane.chain.sent.length]).toEqual([
      ['store'],
      [],
      sent,
    ]);
  });
});

describe('result of a poll', () => {
  it('the PRE_CONFIRMED result of a transaction is stored again only if it has changed', async () => {
    await lane.sent('a');
    lane.fresh();
    const notes: TransactionStatus[] = [
      SEEN,
      SEEN,
      { ...SEEN, execution: 'REVERTED', revertReason: 'a' },
      { ...SEEN, execution: 'REVERTED', revertReason: 'b' },
      { ...SEEN, execution: 'REVERTED', revertReason: 'b' },
      { ...SEEN, execution: 'REVERTED' },
      { ...SEEN, execution: 'SUCCEEDED' },
    ];
    const written: number[] = [];
    for (const reportedStatus of notes) {
      await follow(await first(), reportedStatus);
      written.push(lane.ledger.events.length);
    }
    expect(written).toEqual([1, 1, 2, 3, 3, 4, 5]);
    expect((await first())?.transactions).toMatchObject([
      { seen: { execution: 'SUCCEEDED', revertReason: null } },
    ]);
  });

  it('the stored PRE_CONFIRMED result does not change if the transaction’s status can not be read', async () => {
    await lane.sent('a');
    await follow(await first(), SEEN);
    lane.fresh();
    for (const nothing of [null, { kind: 'unread' }] as const) await follow(await first(), nothing);
    expect(lane.ledger.events).not.toContain('observe');
    await follow(await first(), ACCEPTED);
    expect(lane.ledger.events).not.toContain('observe');
    expect(lane.ledger.events.at(-1)).toBe('settle');
  });

  it('resets the count of refusals of a call if a node reports the call as waiting or in a block', async () => {
    await lane.sent('a');
    for (const reportedStatus of [SEEN, { kind: 'waiting' } as const]) {
      lane.account.rejections.note(0n, LANE, { cause: 'price', code: 'X' });
      await follow(await first(), UNKNOWN);
      expect(lane.account.rejections.refusedForPrice(0n).size).toBe(1);
      await follow(await first(), reportedStatus);
      expect(lane.account.rejections.refusedForPrice(0n).size).toBe(0);
    }
  });

  it('creates no command if the head that was read does not contain the lane’s account', async () => {
    await lane.sent('a');
    const head = { ...(await lane.head()), accounts: new Map() };
    lane.fresh();
    await follow(await first(), { kind: 'waiting' }, { head });
    expect(lane.ledger.events).toEqual([]);
  });
});
