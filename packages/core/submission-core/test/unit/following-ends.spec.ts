import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import type { OpenNonce, TransactionStatus } from '../../src/index.js';
import { FakeChain, FakeNodeDown } from '../../src/testing/index.js';
import { LOST, LaneBench } from '../support/lane.js';
import { BLOCK } from '../support/rows.js';
import { LANE, submission } from './world.js';

const ACCEPTED: TransactionStatus = {
  kind: 'accepted',
  execution: 'SUCCEEDED',
  revertReason: null,
  feeFri: 1n,
  block: BLOCK,
};
const UNKNOWN: TransactionStatus = { kind: 'unknown' };

let lane: LaneBench;
beforeEach(async () => {
  lane = await LaneBench.held();
});

const follow = (...requested: Parameters<LaneBench['follow']>): Promise<void> =>
  lane.follow(...requested);
const first = async (): Promise<OpenNonce | undefined> => (await lane.open())[0];

/** Makes every transaction of the account unreadable. */
function unreadable(): void {
  lane.account.deps.accountHistory.transaction = async () => {
    throw new FakeNodeDown('the block can not be read');
  };
}

/** Sends an attempt and then consumes its nonce with an unreadable transaction. */
async function consumedByOther(): Promise<void> {
  await lane.sent('a');
  lane.chain.drop(lane.chain.sent[0] ?? LANE);
  lane.chain.includeForeign(LANE);
  unreadable();
}

describe('settlement of a nonce', () => {
  it('logs a settlement with its public data', async () => {
    const attempt = await lane.sent('a');
    const [hash] = lane.chain.sent;
    lane.hints.markUnwanted(attempt, 'NULLIFIER_SPENT');
    lane.fresh();
    await follow(await first(), ACCEPTED);
    expect(await lane.now(attempt)).toMatchObject({ state: 'succeeded' });
    expect(lane.said).toEqual([
      {
        level: 'info',
        fields: {
          submission: attempt.id,
          lane: LANE,
          nonce: '0',
          transactionHash: hash,
          execution: 'SUCCEEDED',
        },
      },
    ]);
    expect(lane.hints.cancellationReason(attempt)).toBeNull();
  });

  it('logs an error with the hash of a foreign transaction, and raises an alarm', async () => {
    await lane.sent('a');
    lane.chain.drop(lane.chain.sent[0] ?? LANE);
    const hash = lane.chain.includeForeign(LANE);
    lane.fresh();
    await follow(await first());
    expect(lane.errors()).toStrictEqual([
      { level: 'error', fields: { lane: LANE, nonce: '0', transactionHash: hash } },
    ]);
    expect(lane.alarms).toEqual({
      foreign: 1,
      reopened: 0,
      reopenedFinal: 0,
      disprovedRefusals: 0,
      sharedInstanceIds: 0,
    });
    expect((await lane.ledger.state()).lanes).toMatchObject([{ pausedFor: null }]);
  });

  it('pauses the lane after a foreign transaction if the settings require it', async () => {
    lane = await LaneBench.held({ pauseOnForeign: true });
    await lane.sent('a');
    lane.chain.drop(lane.chain.sent[0] ?? LANE);
    lane.chain.includeForeign(LANE);
    await follow(await first());
    expect((await lane.ledger.state()).lanes).toMatchObject([
      { quarantine: null, pausedFor: 'FOREIGN_TRANSACTION' },
    ]);
  });

  it('raises no alarm for a foreign transaction during a quarantine, because a lost ledger may have sent it', async () => {
    lane = await LaneBench.held({ pauseOnForeign: true });
    await lane.sent('a');
    lane.chain.drop(lane.chain.sent[0] ?? LANE);
    lane.chain.includeForeign(LANE);
    lane.fresh();
    await follow(await first(), UNKNOWN, { isQuarantined: true });
    expect([lane.alarms.foreign, lane.errors()]).toEqual([0, []]);
    expect((await lane.ledger.state()).lanes).toMatchObject([{ pausedFor: null }]);
  });

  it('raises an alarm if a transaction that a node had refused consumes the nonce', async () => {
    lane.chain.script({ answer: { kind: 'refused', code: 'X', cause: 'call' }, arrives: true });
    const attempt = await lane.sent('a');
    expect(attempt).toMatchObject({ state: 'refused' });
    const [hash = LANE] = lane.chain.sent;
    lane.chain.includeAll();
    lane.fresh();
    await follow(await first(), UNKNOWN);
    expect(await lane.now(attempt)).toMatchObject({ state: 'succeeded' });
    expect(lane.errors()).toMatchObject([{ fields: { transactionHash: hash } }]);
    expect(lane.alarms).toMatchObject({ foreign: 0, disprovedRefusals: 1 });
  });

  it('an attempt that loses its nonce ends in the same poll only if it is no longer wanted', async () => {
    const attempt = await lane.sent('a');
    lane.chain.drop(lane.chain.sent[0] ?? LANE);
    lane.chain.includeForeign(LANE);
    lane.hints.markUnwanted(attempt, 'NULLIFIER_SPENT');
    await follow(await first(), UNKNOWN);
    expect(await lane.now(attempt)).toMatchObject({
      state: 'refused',
      rejectionCode: 'NULLIFIER_SPENT',
    });
    const wanted = await lane.sent('b');
    lane.chain.drop(lane.chain.sent.at(-1) ?? LANE);
    lane.chain.includeForeign(LANE);
    await follow(await first(), UNKNOWN);
    expect(await lane.now(wanted)).toMatchObject({ state: 'accepted', rejectionCode: null });
  });

  it('an unknown no-op that consumed a nonce puts the lane into quarantine', async () => {
    lane = await LaneBench.held({ pauseOnForeign: true });
    await lane.sent('a');
    lane.chain.drop(lane.chain.sent[0] ?? LANE);
    lane.chain.includeForeign(LANE, { calls: [] });
    await follow(await first());
    expect((await lane.ledger.state()).lanes).toMatchObject([
      { pausedFor: null, quarantine: { cause: 'behind' } },
    ]);
  });

  it.each([
    ['carried a call of ours', true, false],
    ['can not be read', false, true],
  ])(
    'an unknown transaction that consumed a nonce puts the lane into quarantine if %s',
    async (_what, isOurs, isUnreadable) => {
      lane = await LaneBench.held({ pauseOnForeign: true });
      await lane.sent('a');
      lane.chain.drop(lane.chain.sent[0] ?? LANE);
      const call = { target: submission().target, calldata: submission().calldata };
      const hash = lane.chain.includeForeign(LANE, { calls: [call] });
      lane.isOurs = isOurs;
      lane.account.deps.accountHistory.transaction = async (...requested) => {
        if (isUnreadable) throw new FakeNodeDown('the block can not be read');
        return FakeChain.prototype.transaction.apply(lane.chain, requested);
      };
      lane.fresh();
      await follow(await first());
      expect((await lane.ledger.state()).lanes).toMatchObject([
        { pausedFor: null, quarantine: { cause: 'behind', until: 9n, isAged: false } },
      ]);
      expect(lane.errors()).toMatchObject([{ fields: { transactionHash: hash } }]);
      // No third party has the key. The log states that a copy of the ledger was restored.
      expect(lane.alarms).toMatchObject({ foreign: 0 });
      // An outcome is adopted only if the transaction is readable.
      expect((await lane.ledger.lastAttempt('of another ledger'))?.transactionHash ?? null).toBe(
        isOurs ? hash : null,
      );
    },
  );

  it('rejects a settlement if the nonce’s rows have changed since the poll read them', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    const before = await first();
    lane.clock.advance(600_001);
    await follow(before);
    lane.fresh();
    await follow(before, ACCEPTED);
    expect([lane.ledger.events, lane.reached]).toEqual([['settle'], ['settling']]);
    expect(await first()).toBeDefined();
  });

  it('settling a nonce writes the attempt’s outcome, even if the attempt was no longer wanted', async () => {
    const attempt = await lane.sent('a');
    lane.hints.markUnwanted(attempt, 'NULLIFIER_SPENT');
    lane.fresh();
    await follow(await first(), ACCEPTED);
    expect(lane.ledger.events).toEqual(['settle']);
  });

  it('reads no transaction status while the transaction that consumed the nonce is not found', async () => {
    await lane.sent('a');
    lane.chain.setNonce(LANE, 1n);
    const requested: (readonly Felt[])[] = [];
    lane.chain.transactionStatuses = async (hashes) => {
      requested.push(hashes);
      return [];
    };
    lane.fresh();
    await follow(await first());
    expect([requested, lane.ledger.events]).toEqual([[], []]);
  });

  it('a transaction of this ledger is recognized only by the rows of its own nonce', async () => {
    await lane.sent('a');
    const attempt = await lane.sent('b');
    lane.chain.includeAll();
    await follow((await lane.open())[1], UNKNOWN);
    expect(await lane.now(attempt)).toMatchObject({ state: 'succeeded' });
    expect([lane.alarms.foreign, lane.errors()]).toEqual([0, []]);
  });

  it('does not write a settlement again that an earlier poll has written', async () => {
    await lane.sent('a');
    const before = await first();
    lane.chain.includeAll();
    await follow(before);
    expect(await lane.open()).toEqual([]);
    lane.fresh();
    await follow(before);
    expect([lane.ledger.events, lane.errors()]).toEqual([[], []]);
  });

  it('a settlement by a foreign transaction is rejected if the nonce’s rows have changed since the poll', async () => {
    lane.chain.script(LOST);
    await lane.sent('a');
    const before = await first();
    lane.clock.advance(600_001);
    await follow(before);
    lane.chain.includeForeign(LANE);
    unreadable();
    lane.fresh();
    await follow(before);
    expect(lane.ledger.events).toEqual([]);
    expect((await lane.ledger.state()).lanes).toMatchObject([{ quarantine: null }]);
  });

  it('M9: a foreign transaction quarantines only nonces up to its own nonce', async () => {
    await consumedByOther();
    const open = await first();
    lane.chain.jump(LANE, 60_000_000n);
    await follow(open);
    expect((await lane.ledger.state()).lanes).toMatchObject([
      { quarantine: { cause: 'behind', until: 9n } },
    ]);
  });

  it('a foreign transaction settles a nonce without an error if the ledger is known to be behind its chain', async () => {
    await consumedByOther();
    const quarantine = { type: 'quarantine', lane: LANE, fence: 1n, until: 8n } as const;
    await lane.ledger.apply({ ...quarantine, isAged: false });
    lane.fresh();
    await follow(await first());
    expect([lane.ledger.events, lane.errors()]).toEqual([['quarantine', 'settle'], []]);
  });

  it('a foreign transaction does not settle a nonce if the lane’s quarantine can not be written', async () => {
    await consumedByOther();
    await lane.ledger.unlease(LANE, 'one', 1n);
    await lane.ledger.lease(LANE, 'two', 15_000);
    lane.fresh();
    await follow(await first());
    expect([lane.ledger.events, lane.reached]).toEqual([['quarantine'], []]);
  });

  it.each([
    ['of a fork', { number: 1, hash: toFelt('0xf0') }],
    ['above the first head', { number: 9, hash: toFelt('0xf9') }],
  ])('does not settle a nonce if its transaction was found in a block %s', async (_what, block) => {
    await lane.sent('a');
    lane.chain.includeForeign(LANE);
    const hash = await lane.chain.consumerOf(LANE, 0n);
    const open = await first();
    lane.chain.show(hash ?? LANE, { ...ACCEPTED, block });
    lane.fresh();
    await follow(open);
    expect(lane.ledger.events).toEqual([]);
    lane.chain.show(hash ?? LANE, null);
    await follow(open);
    expect(lane.ledger.events).toContain('settle');
  });

  it('a no-op that belongs to no attempt can settle a nonce', async () => {
    await lane.withLoneNoop();
    await follow(await first(), ACCEPTED);
    expect((await lane.open()).map(({ row }) => row.nonce)).toEqual([1n]);
  });

  it('a nonce is settled in the next poll if the status of its transaction was missing in the first poll', async () => {
    const attempt = await lane.sent('a');
    lane.chain.includeAll();
    const sightings = lane.chain.transactionStatuses.bind(lane.chain);
    lane.chain.transactionStatuses = async () => [];
    await follow(await first());
    expect(await lane.now(attempt)).toMatchObject({ state: 'broadcast' });
    lane.chain.transactionStatuses = sightings;
    await follow(await first());
    expect(await lane.now(attempt)).toMatchObject({ state: 'succeeded' });
  });
});
