import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { AUDIT_PAUSE, DEFAULT_AUDIT_SETTINGS, type Auditor } from '../../src/audit/auditor.js';
import { FakeNodeDown } from '../../src/testing/fake-chain.js';
import { AuditedWorld, LANE, OTHER_LANE, SETTINGS } from './audited-world.js';

/** Records the block ranges of all following reads, in order. */
function readsOf({ chain }: AuditedWorld): readonly (readonly [number, number])[] {
  const reads: (readonly [number, number])[] = [];
  const honest = chain.transactions.bind(chain);
  chain.transactions = async (accounts, from, to) => {
    reads.push([from, to]);
    return honest(accounts, from, to);
  };
  return reads;
}

const SECOND_READ_MS = SETTINGS.confirmAfterMs;

describe('the auditor', () => {
  let world: AuditedWorld;
  beforeEach(async () => {
    world = await AuditedWorld.start();
  });

  /**
   * Runs a round after a delay that is long enough for second reads and for reads of ended
   * attempts.
   */
  async function later(auditor: Auditor, ms: number = SECOND_READ_MS): Promise<void> {
    world.clock.advance(ms);
    await auditor.round();
  }

  const errors = () => world.logged.filter(({ level }) => level === 'error');
  const warnings = () =>
    world.logged.filter(({ level }) => level === 'warn').map(({ message }) => message);

  it('the auditor reads a correct history completely and has no findings', async () => {
    await world.pay('a');
    await world.pay('b', { execution: 'REVERTED', lane: OTHER_LANE });
    const auditor = world.auditor();
    await auditor.round();
    await later(auditor);
    await later(auditor);
    expect(auditor.status()).toMatchObject({
      firstBlock: 0,
      lastBlock: 2,
      behindBlocks: 0,
      isAtLastEnd: true,
      problem: null,
    });
    expect(auditor.status()).toMatchObject({ contradictions: 0, suspects: 0, unrepeated: 0 });
    expect(auditor.findings()).toEqual([]);
    expect(world.logged).toEqual([]);
  });

  it('pauses a lane only if a second read confirms the contradiction between chain and ledger', async () => {
    const { attempt, transaction } = await world.pay('a');
    world.corrupt(attempt, { state: 'reverted' });
    const auditor = world.auditor();
    await auditor.round();
    await later(auditor, SECOND_READ_MS - 1);
    expect(await world.pausedFor(LANE)).toBeNull();
    expect(auditor.status()).toMatchObject({ contradictions: 0, suspects: 1 });

    await later(auditor, 1);
    expect(await world.pausedFor(LANE)).toBe(AUDIT_PAUSE);
    expect(await world.pausedFor(OTHER_LANE)).toBeNull();
    expect(auditor.status()).toMatchObject({
      contradictions: 1,
      suspects: 0,
      findings: { OUTCOME_DIFFERS: 1, FOREIGN: 0 },
    });
    const fields = {
      code: 'OUTCOME_DIFFERS',
      lane: LANE,
      nonce: '0',
      transactionHash: transaction.hash,
      block: 1,
      submission: attempt.id,
    };
    expect(errors()).toEqual([
      {
        level: 'error',
        fields,
        message: 'ledger and chain contradict each other: the lane is stopped',
      },
    ]);

    await later(auditor);
    await later(auditor);
    expect(errors()).toHaveLength(1);
  });

  it('does not change the pause reason of a lane that is already paused', async () => {
    const { attempt } = await world.pay('a');
    world.corrupt(attempt, { state: 'reverted' });
    await world.ledger.pauseLane(LANE, 'by hand');
    const auditor = world.auditor();
    await auditor.round();
    await later(auditor);
    expect(auditor.status()).toMatchObject({ contradictions: 1 });
    expect(await world.pausedFor(LANE)).toBe('by hand');
  });

  it('only warns if the second read does not confirm the contradiction between chain and ledger', async () => {
    const { attempt } = await world.pay('a');
    world.corrupt(attempt, { state: 'reverted' });
    const auditor = world.auditor();
    await auditor.round();
    world.corrupt(attempt, { state: 'succeeded' });
    await later(auditor);
    expect(await world.pausedFor(LANE)).toBeNull();
    expect(auditor.status()).toMatchObject({ contradictions: 0, suspects: 0, unrepeated: 1 });
    expect(warnings()).toEqual([
      'a contradiction between ledger and chain was not repeated by a second read',
    ]);
    expect(errors()).toEqual([]);
  });

  it('the lane is not paused while the transaction of the finding can not be read again', async () => {
    const { attempt } = await world.pay('a');
    world.corrupt(attempt, { state: 'reverted' });
    const auditor = world.auditor();
    await auditor.round();
    world.chain.unreadable(1);
    await later(auditor);
    await later(auditor);
    expect(await world.pausedFor(LANE)).toBeNull();
    expect(
      warnings().filter((message) => message === 'a finding of the audit could not be read again'),
    ).toHaveLength(1);
    world.chain.unreadable(1, false);
    await later(auditor);
    expect(await world.pausedFor(LANE)).toBe(AUDIT_PAUSE);
  });

  it('the transaction of a finding is read again even if the transaction of another finding can not be read', async () => {
    const a = await world.pay('a');
    const b = await world.pay('b', { lane: OTHER_LANE });
    for (const { attempt } of [a, b]) world.corrupt(attempt, { state: 'reverted' });
    const auditor = world.auditor();
    await auditor.round();
    world.chain.unreadable(1);
    await later(auditor);
    expect([await world.pausedFor(LANE), await world.pausedFor(OTHER_LANE)]).toEqual([
      null,
      AUDIT_PAUSE,
    ]);
  });

  it('reports no finding while the node is unavailable, and later continues with the next block', async () => {
    await world.pay('a');
    const auditor = world.auditor();
    await auditor.round();
    await world.pay('b');
    world.chain.failReads();
    await later(auditor);
    await later(auditor);
    expect(auditor.status()).toMatchObject({
      lastBlock: 1,
      contradictions: 0,
      suspects: 0,
      problem: 'NODE_UNAVAILABLE',
    });
    expect(warnings()).toEqual(['the audit could not read: nothing is concluded']);
    world.chain.failReads(null);
    await later(auditor);
    expect(auditor.status()).toMatchObject({ lastBlock: 2, suspects: 0, problem: null });
    expect(errors()).toEqual([]);
  });

  it('reports no finding when a rollback of the chain happens between two reads', async () => {
    const { attempt } = await world.pay('a');
    world.corrupt(attempt, { state: 'reverted' });
    const auditor = world.auditor();
    await auditor.round();
    world.chain.rollback(0, 'waiting');
    world.chain.mine(2);
    world.corrupt(attempt, { state: 'succeeded' });
    await world.on().reopen(0n);
    await later(auditor);
    expect(await world.pausedFor(LANE)).toBeNull();
    expect(auditor.status()).toMatchObject({ contradictions: 0, suspects: 0, unrepeated: 1 });
  });

  it('reports no finding when a rollback of the chain happens during one read', async () => {
    await world.pay('a');
    const auditor = world.auditor();
    const honest = world.chain.transactions.bind(world.chain);
    world.chain.transactions = async (...range) => {
      const read = await honest(...range);
      world.chain.rollback(0);
      world.chain.mine(1);
      world.chain.transactions = honest;
      const others = read.sent.map((one) => ({
        ...one,
        nonce: 9n,
        consumer: { ...one.consumer, hash: toFelt('0x9') },
      }));
      return { ...read, sent: [...read.sent, ...others] };
    };
    await auditor.round();
    expect(auditor.status()).toMatchObject({
      lastBlock: null,
      suspects: 0,
      problem: 'AUDIT_UNREADABLE',
    });
  });

  it('reads again from the last batch of blocks that is still on chain after a rollback', async () => {
    await world.pay('a');
    world.chain.mine(4);
    const auditor = world.auditor({ batchBlocks: 2 });
    await auditor.round();
    expect(auditor.status()).toMatchObject({ lastBlock: 5 });
    world.chain.rollback(3);
    const foreign = world.chain.includeForeign(LANE, { calls: [] });
    world.chain.mine(3);
    const reads = readsOf(world);
    await auditor.round();
    expect(reads.map(([from]) => from)).toEqual([4, 6]);
    expect(auditor.status()).toMatchObject({ lastBlock: 7, suspects: 1 });
    expect(warnings()).toEqual(['the chain was rolled back: the audit reads it again']);
    await later(auditor, SETTINGS.settleWithinMs);
    expect(auditor.findings()).toMatchObject([
      { code: 'NOT_IN_LEDGER', transactionHash: foreign, block: 4 },
    ]);
  });

  it('the auditor waits for a node that is behind the blocks that were already audited', async () => {
    world.chain.mine(4);
    const auditor = world.auditor();
    await auditor.round();
    world.chain.rollback(2);
    await auditor.round();
    expect(auditor.status()).toMatchObject({ lastBlock: 4, problem: null });
  });

  it('pauses a lane if the ledger does not record the lane’s transaction within the allowed time', async () => {
    world.chain.includeForeign(LANE, { calls: [] });
    const auditor = world.auditor();
    await auditor.round();
    await later(auditor);
    expect(auditor.status()).toMatchObject({ suspects: 1 });
    await later(auditor, SETTINGS.settleWithinMs);
    expect(await world.pausedFor(LANE)).toBe(AUDIT_PAUSE);
    expect(auditor.findings()).toMatchObject([{ code: 'NOT_IN_LEDGER', lane: LANE }]);
  });

  it('a transaction that the ledger has recorded as foreign is reported, but does not pause the lane', async () => {
    world.chain.includeForeign(LANE, { calls: [] });
    const auditor = world.auditor();
    await auditor.round();
    await world.on().import(0n);
    await world.settle(LANE, 0n);
    await later(auditor, SETTINGS.settleWithinMs);
    await later(auditor);
    expect(await world.pausedFor(LANE)).toBeNull();
    expect(auditor.status()).toMatchObject({
      contradictions: 0,
      findings: { FOREIGN: 1, NOT_IN_LEDGER: 0 },
    });
    expect(warnings()).toContain('something else has signed with the key of a lane');
  });

  it('warns once about a nonce that is still open in the ledger although the chain has consumed it', async () => {
    const { transaction } = await world.send('a');
    world.chain.include(transaction.hash);
    const auditor = world.auditor();
    await auditor.round();
    await later(auditor, SETTINGS.settleWithinMs);
    await later(auditor, SETTINGS.settleWithinMs);
    expect(warnings()).toEqual(['the ledger has not settled a nonce that the chain has consumed']);
    expect(auditor.status()).toMatchObject({
      contradictions: 0,
      suspects: 0,
      findings: { NOT_SETTLED: 1 },
    });
    await world.settle(LANE, 0n);
    await later(auditor, SETTINGS.settleWithinMs);
    expect(auditor.status()).toMatchObject({ findings: { NOT_SETTLED: 0 }, unrepeated: 0 });
  });

  it('finds a wrong outcome that was written after the auditor had read its block', async () => {
    const { attempt } = await world.pay('a');
    const auditor = world.auditor();
    await auditor.round();
    await later(auditor);
    expect(auditor.status()).toMatchObject({ suspects: 0 });
    world.corrupt(attempt, {
      state: 'expired',
      lane: null,
      nonce: null,
      transactionHash: null,
      endedAtMs: world.clock.nowMs(),
    });
    await later(auditor);
    expect(auditor.status()).toMatchObject({ suspects: 1 });
    await later(auditor);
    expect(auditor.findings()).toMatchObject([
      { code: 'ENDED_BUT_INCLUDED', lane: LANE, nonce: 0n },
    ]);
  });

  it('a wrong outcome is checked again if its transaction could not be read at first', async () => {
    const auditor = world.auditor({ start: { lookbackMs: 0 } });
    await auditor.round();
    const { attempt } = await world.send('a');
    const hash = toFelt('0xe15e');
    world.corrupt(attempt, {
      state: 'succeeded',
      transactionHash: hash,
      endedAtMs: world.clock.nowMs() + 1,
    });
    world.chain.unreadable(hash);
    await later(auditor);
    expect(auditor.status()).toMatchObject({ suspects: 0 });
    world.chain.unreadable(hash, false);
    await later(auditor);
    expect(auditor.status()).toMatchObject({ suspects: 1 });
  });

  it('continues to check a finding whose transaction could not be read again', async () => {
    const { attempt } = await world.pay('a');
    const hash = toFelt('0xe15e');
    world.corrupt(attempt, { transactionHash: hash });
    const auditor = world.auditor();
    await auditor.round();
    world.chain.unreadable(hash);
    await later(auditor);
    expect(warnings()).toEqual(['a finding of the audit could not be read again']);
    expect(auditor.status()).toMatchObject({ contradictions: 0, unrepeated: 0 });
    world.chain.unreadable(hash, false);
    await later(auditor);
    expect(auditor.findings()).toMatchObject([
      { code: 'TOLD_BUT_NOT_ON_CHAIN', transactionHash: hash },
    ]);
  });

  it('the auditor reads all ended attempts in one run, even if the store returns them in several pages', async () => {
    for (const name of ['a', 'b', 'c']) await world.pay(name);
    const honest = world.store.ended.bind(world.store);
    world.store.ended = (after, until) => honest(after, until, 1);
    const auditor = world.auditor();
    await auditor.round();
    await later(auditor);
    expect(auditor.status()).toMatchObject({ isAtLastEnd: true });
  });

  it('reads only blocks of at least the required depth, in batches', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await world.pay(name);
    const reads = readsOf(world);
    const auditor = world.auditor({ depth: 2, batchBlocks: 2, batchesPerRound: 2 });
    await auditor.round();
    expect(auditor.status()).toMatchObject({ lastBlock: 3, behindBlocks: 2 });
    await auditor.round();
    await auditor.round();
    expect(auditor.status()).toMatchObject({ lastBlock: 5, behindBlocks: 0 });
    expect(reads).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
  });

  it('the audit begins at the first block that is not older than the configured age', async () => {
    world.chain.includeForeign(LANE, { calls: [] });
    world.chain.mine(1);
    const { timestamp } = await world.chain.head([]);
    const auditor = world.auditor({
      start: { lookbackMs: world.clock.nowMs() - timestamp * 1_000 },
    });
    await auditor.round();
    expect(auditor.status()).toMatchObject({ lastBlock: 2, suspects: 0 });
    const earlier = world.auditor({
      start: { lookbackMs: world.clock.nowMs() - timestamp * 1_000 + 2_000 },
    });
    await earlier.round();
    expect(earlier.status()).toMatchObject({ lastBlock: 2, suspects: 1 });
  });

  it.each([
    ['id', () => world.chain.setChainId(toFelt('0xbad'))],
    ['first block', () => world.ledgerMeets(toFelt('0x6e6e515'))],
    ['ledger that has met none', () => world.ledgerMeets(null)],
  ])(
    'reports no finding if the node serves another chain than the ledger’s: another %s',
    async (_, change) => {
      await world.pay('a');
      change();
      const auditor = world.auditor();
      await auditor.round();
      expect(auditor.status()).toMatchObject({ lastBlock: null, problem: 'AUDIT_UNREADABLE' });
    },
  );

  it('audits an account that is unknown to the ledger if the settings include it', async () => {
    const account = toFelt('0x77');
    world.chain.includeForeign(account, { calls: [] });
    const [named, silent] = [world.auditor({ accounts: [account] }), world.auditor()];
    for (const auditor of [named, silent]) {
      await auditor.round();
      await later(auditor, SETTINGS.settleWithinMs);
    }
    expect(named.findings()).toMatchObject([{ code: 'NOT_IN_LEDGER', lane: account, nonce: 0n }]);
    expect(silent.findings()).toEqual([]);
  });

  it('compares all nonce rows, also if the store returns them in several pages', async () => {
    for (const name of ['a', 'b', 'c']) await world.pay(name);
    const honest = world.store.nonces.bind(world.store);
    world.store.nonces = (lane, from, through) => honest(lane, from, through, 1);
    const auditor = world.auditor();
    await auditor.round();
    expect(auditor.status()).toMatchObject({ lastBlock: 3, suspects: 0 });
  });

  it('reports a contradiction only once, even if the auditor finds it again in later runs', async () => {
    const { attempt } = await world.pay('a');
    world.corrupt(attempt, { state: 'reverted' });
    const auditor = world.auditor();
    await auditor.round();
    await later(auditor);
    world.corrupt(attempt, { endedAtMs: world.clock.nowMs() });
    await later(auditor);
    await later(auditor);
    expect(errors()).toHaveLength(1);
    expect(auditor.status()).toMatchObject({ contradictions: 1, suspects: 0, isAtLastEnd: true });
  });

  it('the auditor runs at its interval until it is stopped, even after an error that is not a domain error', async () => {
    const stop = new AbortController();
    const auditor = world.auditor({ ...DEFAULT_AUDIT_SETTINGS, start: { block: 0 } });
    world.chain.head = () => Promise.reject(new TypeError('a bug'));
    const running = auditor.run(stop.signal);
    while (world.clock.sleeping === 0) await Promise.resolve();
    expect(errors().map(({ message }) => message)).toContain('the audit has a bug');
    expect(auditor.status()).toMatchObject({ problem: 'BUG' });
    stop.abort();
    await running;
  });

  it('tries to pause a lane again if the store could not write the pause', async () => {
    const { attempt } = await world.pay('a');
    world.corrupt(attempt, { state: 'reverted' });
    const auditor = world.auditor();
    await auditor.round();
    const honest = world.ledger.pauseLane.bind(world.ledger);
    world.ledger.pauseLane = () => Promise.reject(new FakeNodeDown('the store is away'));
    await later(auditor);
    expect(auditor.status()).toMatchObject({ contradictions: 0 });
    world.ledger.pauseLane = honest;
    await later(auditor);
    expect(await world.pausedFor(LANE)).toBe(AUDIT_PAUSE);
  });
});
