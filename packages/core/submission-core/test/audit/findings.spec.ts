import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felts } from '@sotto/kernel';
import { findingsOf, type Finding } from '../../src/audit/findings.js';
import { nonceName } from '../../src/testing/ledger-constraints.js';
import { aSubmission, LedgerDriver } from '../../src/testing/ledger-driver.js';
import { AuditedWorld, LANE, OTHER_LANE } from './audited-world.js';

const ELSEWHERE = toFelt('0xe15e');

const brief = (findings: readonly Finding[]) =>
  findings.map(({ code, lane, nonce }) => [code, lane, nonce]);

/**
 * Identifies the call of submission `a`. Every other call is treated as the call of a foreign
 * transaction.
 */
function submissionOf(_target: unknown, calldata: Felts) {
  const { deadlineAfterMs: _, ...submission } = aSubmission(
    calldata.at(2) === aSubmission('a').calldata.at(2) ? 'a' : 'foreign',
  );
  return submission;
}

describe('the join of chain and ledger', () => {
  let world: AuditedWorld;
  beforeEach(async () => {
    world = await AuditedWorld.start();
  });

  const rowAt = (lane: typeof LANE, nonce: bigint) => {
    const row = world.ledger.rows.nonces.get(nonceName({ lane, nonce }));
    if (row === undefined || row.settlement === null) throw new Error('the row is not settled');
    return { row, settlement: row.settlement };
  };
  const settleOtherwise = (
    nonce: bigint,
    change: Partial<ReturnType<typeof rowAt>['settlement']>,
  ): void => {
    const { row, settlement } = rowAt(LANE, nonce);
    world.ledger.rows.nonces.set(nonceName(row), {
      ...row,
      settlement: { ...settlement, ...change },
    });
  };

  describe('evidence without contradictions', () => {
    it('reports no finding if every transaction has its attempt and every outcome its transaction', async () => {
      await world.pay('a');
      await world.pay('b', { execution: 'REVERTED' });
      await world.pay('c', { lane: OTHER_LANE });
      await world.send('in flight');
      expect(await world.findings()).toEqual([]);
    });

    it('reports no finding about transactions that an account sent before its lane was added to the ledger', async () => {
      const late = await AuditedWorld.start();
      const account = toFelt('0x77');
      late.chain.includeForeign(account, { calls: [] });
      late.chain.includeForeign(account, { calls: [] });
      const driver = new LedgerDriver(late.ledger, account);
      await driver.lease();
      expect(await late.findings()).toEqual([]);
      await driver.introduce(2n);
      expect(await late.findings()).toEqual([]);
      late.chain.includeForeign(account, { calls: [] });
      expect(brief(await late.findings())).toEqual([['NOT_IN_LEDGER', account, 2n]]);
    });

    it('reports no finding about the deployment of an account', async () => {
      world.chain.includeForeign(LANE);
      expect(await world.findings()).toEqual([]);
      await world.on().import(0n);
      await world.settle(LANE, 0n);
      expect(await world.findings()).toEqual([]);
      world.chain.includeForeign(LANE);
      expect(brief(await world.findings())).toEqual([['NOT_IN_LEDGER', LANE, 1n]]);
    });

    it('reports no finding about an adopted outcome, whether its nonce has its own row or is in an imported range', async () => {
      const hashes = [0, 1, 2].map(() => world.chain.includeForeign(LANE, { calls: [] }));
      await world.on().import(0n);
      await world.settle(LANE, 0n);
      await world.on().import(1n, 2n);
      const [first, second, third] = await Promise.all(
        hashes.map((hash) => world.chain.transaction(hash, [LANE])),
      );
      if (!first || !second || !third) throw new Error('not on chain');
      await world.on().adopt(0n, 'first', first.consumer);
      await world.on().adopt(2n, 'third', third.consumer);
      expect(await world.findings()).toMatchObject([
        { code: 'FOREIGN', nonce: 1n, transactionHash: second.consumer.hash },
      ]);
    });

    it('reports no finding about a no-op that replaced a call if this call was sent again under another nonce', async () => {
      const { transaction } = await world.send('a');
      const noop = await world.sign(LANE, 0n, null, 3);
      await world.on().store(null, 0n, noop);
      await world.chain.send(noop.bytes);
      world.chain.include(noop.hash);
      const back = await world.settle(LANE, 0n);
      expect(back.attempt).toMatchObject({ state: 'accepted' });
      const again = await world.send('a', back.attempt === null ? {} : { attempt: back.attempt });
      world.chain.include(again.transaction.hash);
      await world.settle(LANE, 1n);
      expect(again.transaction.hash).not.toBe(transaction.hash);
      expect(await world.findings()).toEqual([]);
    });
  });

  it('ATTEMPT_PAID_TWICE: two transactions of one submission have SUCCEEDED', async () => {
    const first = await world.send('a');
    // The refusal was wrong: the call may still be included.
    const back = await world.on().refuse(0n, first.transaction.hash, { cause: 'funds' });
    const again = await world.send('a', {
      lane: OTHER_LANE,
      ...(back.attempt === null ? {} : { attempt: back.attempt }),
    });
    world.chain.include(first.transaction.hash);
    world.chain.include(again.transaction.hash, { execution: 'REVERTED' });
    await world.settle(LANE, 0n);
    expect(brief(await world.findings())).toEqual([['NOT_SETTLED', OTHER_LANE, 0n]]);
    await world.settle(OTHER_LANE, 0n);
    expect(await world.findings()).toEqual([]);

    world.chain.rollback(1, 'waiting');
    await world.on(OTHER_LANE).reopen(0n);
    world.chain.include(again.transaction.hash);
    await world.settle(OTHER_LANE, 0n);
    expect(await world.findings()).toEqual([
      {
        code: 'ATTEMPT_PAID_TWICE',
        lane: OTHER_LANE,
        nonce: 0n,
        transactionHash: again.transaction.hash,
        block: 2,
        submission: first.attempt.id,
        key: first.attempt.key,
      },
    ]);
  });

  it.each(['refused', 'expired'] as const)(
    'ENDED_BUT_INCLUDED: the call of an attempt that is %s in the ledger is on chain',
    async (state) => {
      const { attempt, transaction } = await world.pay('a');
      world.corrupt(attempt, {
        state,
        lane: null,
        nonce: null,
        transactionHash: null,
        rejectionCode: 'NULLIFIER_SPENT',
      });
      expect(await world.findings()).toMatchObject([
        {
          code: 'ENDED_BUT_INCLUDED',
          lane: LANE,
          nonce: 0n,
          transactionHash: transaction.hash,
          submission: attempt.id,
        },
      ]);
    },
  );

  it.each(['SUCCEEDED', 'REVERTED'] as const)(
    'TOLD_BUT_NOT_ON_CHAIN: the transaction of an outcome %s in the ledger is not on chain',
    async (execution) => {
      const { attempt } = await world.pay('a', { execution });
      world.corrupt(attempt, { transactionHash: ELSEWHERE });
      const findings = await world.findings();
      expect(findings).toMatchObject([
        {
          code: 'TOLD_BUT_NOT_ON_CHAIN',
          lane: LANE,
          nonce: 0n,
          transactionHash: ELSEWHERE,
          block: null,
        },
      ]);
    },
  );

  describe('OUTCOME_DIFFERS', () => {
    it.each([
      ['succeeded', 'REVERTED'],
      ['reverted', 'SUCCEEDED'],
    ] as const)(
      'finds an attempt that is %s in the ledger but %s on chain',
      async (state, execution) => {
        const { attempt } = await world.pay('a', { execution });
        world.corrupt(attempt, { state });
        expect(brief(await world.findings())).toEqual([['OUTCOME_DIFFERS', LANE, 0n]]);
      },
    );

    it('finds an attempt whose nonce or lane in the ledger differs from the chain', async () => {
      const { attempt } = await world.pay('a');
      world.corrupt(attempt, { nonce: 3n });
      expect(brief(await world.findings())).toEqual([['OUTCOME_DIFFERS', LANE, 3n]]);
      world.corrupt(attempt, { nonce: 0n, lane: OTHER_LANE });
      expect(brief(await world.findings())).toEqual([['OUTCOME_DIFFERS', OTHER_LANE, 0n]]);
    });

    it('the audit reports an attempt whose outcome contains the transaction of another attempt', async () => {
      const { transaction } = await world.pay('a');
      const other = await world.pay('b');
      world.corrupt(other.attempt, { transactionHash: transaction.hash });
      expect(brief(await world.findings())).toEqual([['OUTCOME_DIFFERS', LANE, 1n]]);
    });

    it('the audit reports a reverted attempt if another transaction of this attempt has succeeded', async () => {
      const lost = await world.send('a');
      const back = await world.on().refuse(0n, lost.transaction.hash, { cause: 'funds' });
      const again = await world.send('a', {
        lane: OTHER_LANE,
        ...(back.attempt === null ? {} : { attempt: back.attempt }),
      });
      world.chain.include(again.transaction.hash, { execution: 'REVERTED' });
      await world.settle(OTHER_LANE, 0n);
      expect(await world.findings()).toEqual([]);
      world.chain.include(lost.transaction.hash);
      expect(brief(await world.findings())).toEqual([['OUTCOME_DIFFERS', LANE, 0n]]);
      await world.settle(LANE, 0n);
      expect(await world.findings()).toEqual([]);
    });

    it('reports no finding about an attempt that waits again after one of its transactions reverted', async () => {
      const { attempt } = await world.pay('a', { execution: 'REVERTED' });
      world.corrupt(attempt, {
        state: 'accepted',
        lane: null,
        nonce: null,
        transactionHash: null,
        endedAtMs: null,
      });
      expect(await world.findings()).toEqual([]);
    });

    it('the audit reports an attempt that is still live in the ledger although its transaction has succeeded', async () => {
      const { attempt } = await world.pay('a');
      const live = { transactionHash: null, endedAtMs: null } as const;
      world.corrupt(attempt, { ...live, state: 'broadcast' });
      expect(brief(await world.findings())).toEqual([['OUTCOME_DIFFERS', LANE, 0n]]);
      world.corrupt(attempt, { ...live, state: 'accepted', lane: null, nonce: null });
      expect(brief(await world.findings())).toEqual([['OUTCOME_DIFFERS', LANE, 0n]]);
      // The outcome of this attempt is written when the nonce that the attempt holds now is
      // settled.
      world.corrupt(attempt, { ...live, state: 'broadcast', lane: OTHER_LANE, nonce: 7n });
      expect(await world.findings()).toEqual([]);
    });
  });

  it('CARRIES_ANOTHER_CALL: the ledger contains a transaction under the wrong submission', async () => {
    await world.pay('a');
    await world.pay('b');
    expect(await world.findings({ submissionOf: () => null })).toEqual([]);
    expect(brief(await world.findings({ submissionOf }))).toEqual([
      ['CARRIES_ANOTHER_CALL', LANE, 1n],
    ]);
  });

  describe('SETTLED_OTHERWISE', () => {
    beforeEach(async () => {
      await world.pay('a');
      await world.foreign();
    });

    it('finds a settled nonce whose transaction in the ledger differs from the transaction on chain', async () => {
      settleOtherwise(0n, { hash: ELSEWHERE });
      expect(brief(await world.findings())).toEqual([
        ['SETTLED_OTHERWISE', LANE, 0n],
        ['FOREIGN', LANE, 1n],
      ]);
      settleOtherwise(1n, { hash: ELSEWHERE });
      expect(brief(await world.findings())).toContainEqual(['SETTLED_OTHERWISE', LANE, 1n]);
    });

    it('finds a settled nonce whose execution status in the ledger differs from the status on chain', async () => {
      settleOtherwise(0n, { execution: 'REVERTED' });
      expect(brief(await world.findings())).toContainEqual(['SETTLED_OTHERWISE', LANE, 0n]);
    });

    it.each([
      ['height', { number: 77, hash: toFelt('0x1') }],
      ['hash', { number: 1, hash: toFelt('0x1') }],
    ])(
      'finds a settled nonce if its block has another %s in the ledger than on chain',
      async (_, block) => {
        settleOtherwise(0n, { block });
        expect(brief(await world.findings())).toContainEqual(['SETTLED_OTHERWISE', LANE, 0n]);
      },
    );

    it('finds a nonce that is settled as foreign although the ledger contains its transaction', async () => {
      settleOtherwise(0n, { isForeign: true });
      expect(brief(await world.findings())).toContainEqual(['SETTLED_OTHERWISE', LANE, 0n]);
    });

    it('the audit reports an attempt whose outcome in the ledger contains a foreign transaction', async () => {
      const { attempt } = await world.pay('b');
      const { row, settlement } = rowAt(LANE, 1n);
      world.corrupt(attempt, { nonce: row.nonce, transactionHash: settlement.hash });
      expect(brief(await world.findings())).toContainEqual(['SETTLED_OTHERWISE', LANE, 1n]);
    });

    it('the audit reports a settled range of nonces if the account’s nonce on chain is below the range’s end', async () => {
      await world.on().import(2n, 1_000_000n);
      expect(brief(await world.findings())).toContainEqual(['SETTLED_OTHERWISE', LANE, 1_000_000n]);
    });

    it('the audit reports a settled nonce if the account’s nonce on chain has not passed it', async () => {
      const { chain, ledger } = await world.evidence();
      const early = {
        ...chain,
        transactions: chain.transactions.slice(0, 1),
        accountNonces: new Map([[LANE, 1n]]),
      };
      expect(brief(findingsOf(early, ledger))).toEqual([['SETTLED_OTHERWISE', LANE, 1n]]);
      // The account's nonce may come from an older state of the node than a block that is not deep
      // enough yet.
      expect(findingsOf({ ...early, deepBlock: 1 }, ledger)).toEqual([]);
      expect(findingsOf({ ...early, accountNonces: new Map() }, ledger)).toEqual([]);
    });
  });

  describe('NOT_IN_LEDGER', () => {
    it('finds a transaction on chain whose nonce has no row, or has an open row, in the ledger', async () => {
      const { transaction } = await world.send('a');
      world.chain.drop(transaction.hash);
      world.chain.includeForeign(LANE, { calls: [] });
      world.chain.includeForeign(LANE, { calls: [] });
      expect(brief(await world.findings())).toEqual([
        ['NOT_IN_LEDGER', LANE, 0n],
        ['NOT_IN_LEDGER', LANE, 1n],
      ]);
    });

    it('the audit reports a settled nonce if the row of the settling call’s transaction is missing', async () => {
      const { transaction } = await world.pay('a');
      world.ledger.rows.transactions.delete(transaction.hash);
      expect(brief(await world.findings())).toEqual([['NOT_IN_LEDGER', LANE, 0n]]);
    });

    it('the audit reports a settled nonce if the row of the settling call’s attempt is missing', async () => {
      await world.pay('a');
      world.ledger.rows.attempts.clear();
      expect(brief(await world.findings())).toEqual([['NOT_IN_LEDGER', LANE, 0n]]);
    });
  });

  it('FOREIGN: the chain has a transaction that the ledger has recorded as foreign', async () => {
    const hash = await world.foreign();
    expect(await world.findings()).toEqual([
      {
        code: 'FOREIGN',
        lane: LANE,
        nonce: 0n,
        transactionHash: hash,
        block: 1,
        submission: null,
        key: null,
      },
    ]);
  });

  it('NOT_SETTLED: a nonce that the chain has consumed is still open in the ledger', async () => {
    const { transaction } = await world.send('a');
    world.chain.include(transaction.hash);
    expect(brief(await world.findings())).toEqual([['NOT_SETTLED', LANE, 0n]]);
    await world.settle(LANE, 0n);
    await world.on().quarantine(20n);
    const nonce = 1n;
    world.chain.includeForeign(LANE, { calls: [] });
    expect(brief(await world.findings())).toEqual([['NOT_SETTLED', LANE, nonce]]);
    await world.on().import(nonce);
    await world.settle(LANE, nonce);
    expect(brief(await world.findings())).toEqual([['NOT_SETTLED', LANE, nonce]]);
  });

  it('reports no finding about a transaction that could not be read', async () => {
    const { attempt, transaction } = await world.pay('a');
    world.corrupt(attempt, { state: 'reverted' });
    const { chain, ledger } = await world.evidence();
    const unread = new Map([[transaction.hash, { kind: 'unread' }] as const]);
    expect(findingsOf({ ...chain, transactions: [], sightings: unread }, ledger)).toEqual([]);
    expect(findingsOf({ ...chain, transactions: [], sightings: new Map() }, ledger)).toEqual([]);
  });
});
