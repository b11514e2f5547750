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

const follow = (...asked: Parameters<LaneBench['follow']>): Promise<void> => lane.follow(...asked);
const first = async (): Promise<OpenNonce | undefined> => (await lane.open())[0];

describe('nonces without a lease', () => {
  it('are neither followed nor noted', async () => {
    await lane.sent('a');
    await lane.lease.giveBack();
    lane.fresh();
    await follow(await first(), SEEN);
    expect(lane.ledger.events).toEqual([]);
  });
});

describe('nodes', () => {
  it('a claim names the node of its bytes, and another node is used after a silent one', async () => {
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

  it('are queried for the transactions that were sent to them', async () => {
    await lane.sent('a');
    const asked: (ReadonlyMap<Felt, string> | undefined)[] = [];
    const read = lane.chain.transactionStatuses.bind(lane.chain);
    lane.chain.transactionStatuses = async (hashes, sentTo?: ReadonlyMap<Felt, string>) => {
      asked.push(sentTo);
      return read(hashes);
    };
    await lane.look();
    expect(asked).toEqual([new Map([[lane.chain.sent[0], 'node-0']])]);
  });
});

describe('revalidation of an attempt', () => {
  it('runs before its first send and before its bytes are sent again, and only then', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    await follow(await first());
    expect(lane.asked).toBe(1);
    lane.clock.advance(10_000);
    await follow(await first());
    expect(lane.asked).toBe(2);
    expect(lane.ledger.events.at(-1)).toBe('claim');
  });

  it('is skipped for a no-op that no attempt holds, which is still sent again', async () => {
    await lane.withLoneNoop();
    lane.clock.advance(10_000);
    lane.fresh();
    await follow(await first());
    expect(lane.asked).toBe(0);
    expect(lane.ledger.events).toEqual(['claim']);
    expect(lane.changed).toEqual([]);
    expect(lane.reached).toEqual(['claimed', 'sent']);
  });

  it('is skipped for bytes of which no send was claimed yet', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    const nonce = await first();
    if (nonce === undefined) throw new Error('a nonce is open');
    const transactions = nonce.transactions.map((row) => ({ ...row, sendCount: 0 as const }));
    lane.fresh();
    await follow({ ...nonce, transactions });
    expect([lane.asked, lane.ledger.events]).toEqual([0, ['claim']]);
  });

  it('is skipped in a quarantine, where no call is sent again', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    lane.clock.advance(10_000);
    lane.fresh();
    await follow(await first(), UNKNOWN, { isQuarantined: true });
    expect(lane.asked).toBe(0);
    expect((await first())?.transactions.map(({ kind }) => kind)).toEqual(['call', 'noop']);
  });
});

describe('bytes that the node received before those of a lower nonce', () => {
  it('are sent again once the account has reached their nonce, and not at each poll', async () => {
    const early = { answer: { kind: 'unclear', code: NONCE_REFUSED }, arrives: false } as const;
    lane.chain.script(early);
    await lane.sent('a');
    lane.chain.script(early);
    lane.fresh();
    await follow(await first());
    expect([lane.ledger.events, lane.asked]).toEqual([['claim'], 1]);
    await follow(await first());
    await follow(await first());
    expect(lane.ledger.events).toEqual(['claim']);
    lane.clock.advance(10_000);
    await follow(await first());
    expect(lane.ledger.events).toEqual(['claim', 'claim']);
  });

  it('wait as all others do after any other unclear answer', async () => {
    lane.chain.script({ answer: { kind: 'unclear', code: 'UNEXPECTED_ERROR' }, arrives: false });
    await lane.sent('a');
    lane.fresh();
    await follow(await first());
    expect(lane.ledger.events).toEqual([]);
  });
});

describe('nonces before the ledger is compared with its chain', () => {
  it('are not sent, and receipts still settle them', async () => {
    lane.chain.script(LOST);
    const attempt = await lane.sent('a');
    lane.clock.advance(600_001);
    lane.fresh();
    await follow(await first(), UNKNOWN, { isJudged: false });
    expect([lane.ledger.events, lane.asked]).toEqual([[], 0]);
    await follow(await first(), ACCEPTED, { isJudged: false });
    expect(await lane.now(attempt)).toMatchObject({ state: 'succeeded' });
  });

  it('are settled even if the consumer has to be searched', async () => {
    await lane.sent('a');
    lane.chain.drop(lane.chain.sent[0] ?? LANE);
    lane.chain.includeForeign(LANE);
    await follow(await first(), UNKNOWN, { isJudged: false });
    expect(await lane.open()).toEqual([]);
    expect(lane.alarms.foreign).toBe(1);
  });
});

describe('waiting callers', () => {
  it('are notified of a send, and not if another holder of the lane made it impossible', async () => {
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

  it('a nonce gap is filled at no more than the ceiling, at any price of the chain', async () => {
    await lane.withGaps(1);
    lane.chain.script(LOST);
    lane.chain.setGasPrices({ l2GasFri: 4n * 10n ** 11n });
    await follow(await first(), UNKNOWN, { liveAbove: true });
    expect((await first())?.transactions.at(-1)).toMatchObject({
      kind: 'noop',
      bounds: { l2Gas: { maxPriceFri: 10n ** 12n } },
    });
  });

  it('a replacement names the call that was signed, and a no-op names none', async () => {
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

  it('a lone no-op is replaced by a no-op', async () => {
    await lane.withLoneNoop();
    lane.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    await follow(await first());
    expect(lane.reached).toContain('replaced');
    const bounds = { l2Gas: { maxAmount: 5_000_000n, maxPriceFri: 90_000_000_000n } };
    expect((await first())?.transactions.at(-1)).toMatchObject({ kind: 'noop', bounds });
  });

  it('a call is replaced by the same call at the new price, which outbids only transactions that could land', async () => {
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

  it('an unwanted attempt is cancelled with a no-op', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    lane.clock.advance(600_001);
    await follow(await first());
    expect(lane.reached).toContain('cancelled');
    expect((await first())?.transactions.at(-1)).toMatchObject({ kind: 'noop' });
  });

  it('a no-op against an attempt in a quarantine is at the ceiling, and a call is never replaced', async () => {
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

  it('nothing is signed for a lane whose key is not held here, and stored bytes are sent again', async () => {
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

  it('bytes that were signed for rows of an older version are neither stored nor sent', async () => {
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
  it('is noted once, and again when it has changed', async () => {
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
    for (const sighting of notes) {
      await follow(await first(), sighting);
      written.push(lane.ledger.events.length);
    }
    expect(written).toEqual([1, 1, 2, 3, 3, 4, 5]);
    expect((await first())?.transactions).toMatchObject([
      { seen: { execution: 'SUCCEEDED', revertReason: null } },
    ]);
  });

  it('leaves the note unchanged without a status, with an unreadable one, and at the settlement', async () => {
    await lane.sent('a');
    await follow(await first(), SEEN);
    lane.fresh();
    for (const nothing of [null, { kind: 'unread' }] as const) await follow(await first(), nothing);
    expect(lane.ledger.events).not.toContain('observe');
    await follow(await first(), ACCEPTED);
    expect(lane.ledger.events).not.toContain('observe');
    expect(lane.ledger.events.at(-1)).toBe('settle');
  });

  it('resets the count of refusals of a call that the node has, even in a block', async () => {
    await lane.sent('a');
    for (const sighting of [SEEN, { kind: 'waiting' } as const]) {
      lane.account.refusals.note(0n, LANE, { cause: 'price', code: 'X' });
      await follow(await first(), UNKNOWN);
      expect(lane.account.refusals.refusedForPrice(0n).size).toBe(1);
      await follow(await first(), sighting);
      expect(lane.account.refusals.refusedForPrice(0n).size).toBe(0);
    }
  });

  it('leads to no command if the head leaves the account out', async () => {
    await lane.sent('a');
    const head = { ...(await lane.head()), accounts: new Map() };
    lane.fresh();
    await follow(await first(), { kind: 'waiting' }, { head });
    expect(lane.ledger.events).toEqual([]);
  });
});
