import { describe, expect, it } from '@jest/globals';
import { confirming, contradicting } from '@sotto/submission-core/testing';
import { toFelt, type DomainError } from '@sotto/kernel';
import { accountAddress, FakeUpstreamDown } from '@sotto/kernel/testing';
import { PoolTraffic, WithdrawalRevalidator } from '../../src/index.js';
import { InMemoryTrafficStore } from '../../src/testing/index.js';
import { PAID_BY, aLostLedger } from '../support/lost-ledger.js';
import { NEW_COMMITMENT, aSwap, deposit, swapPolicy } from '../support/swap-world.js';
import { calldataWith, malleatedCalldata, proofOf, vector } from '../support/vector.js';
import { aWorld, pool, poolState } from '../support/world.js';

const nullifierHash = BigInt(vector.publicInputs[1] ?? 0);
const STRANGER = toFelt('0x57a');
const TTL_MS = 10_000;
const executed = {
  kind: 'executed',
  execution: 'SUCCEEDED',
  transactionHash: PAID_BY,
  finality: 'ACCEPTED_ON_L2',
};
const spentBy = (transactionHash: string) => ({
  code: 'NULLIFIER_SPENT',
  kind: 'conflict',
  details: { transactionHash },
});

const settled = async (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => 'answered',
    (error: DomainError) => error.code,
  );
const turn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('M8: a lost ledger, and a note that this service has paid', () => {
  it('reports a paid note with the transaction hash of the payment', async () => {
    const world = aLostLedger();
    await world.meet(world.spent());
    const first = await world.submit();
    expect(first).toMatchObject({
      answer: {
        ...executed,
        attempt: { state: 'succeeded', fingerprint: expect.any(String), terms: null },
      },
    });
    expect(await world.submissions.find(first.submissionId)).toMatchObject(executed);
    expect(await world.submit()).toEqual(first);
    expect(await world.submit(malleatedCalldata)).toEqual(first);
    expect(world.spending.spenders.reads).toBe(1);
  });

  it('reports a note as paid even if the paying account’s lane was added to the ledger after the payment', async () => {
    const world = aLostLedger();
    await world.meetLater(world.spent({ nonce: 7n }));
    expect(await world.submit()).toMatchObject({ answer: executed });
  });

  it('reports a note as paid although a new request for the note would be rejected', async () => {
    const world = aLostLedger();
    await world.meet(world.spent());
    world.pools.set(pool.address, {
      ...poolState,
      knownRoots: [],
      maxFee: 1n,
      spentNullifiers: [nullifierHash],
    });
    expect(await world.submit()).toMatchObject({ answer: executed });
  });

  it('concurrent requests for a paid note to two instances get the same outcome', async () => {
    const world = aLostLedger();
    await world.meet(world.spent());
    const other = world.instance();
    const answers = await Promise.all([
      world.submit(),
      other.submit(),
      world.submit(malleatedCalldata),
      other.submit(malleatedCalldata),
    ]);
    expect(new Set(answers.map(({ submissionId }) => submissionId)).size).toBe(1);
  });

  it('T5: an attempt that the new ledger recorded as refused gets the outcome of its payment on chain', async () => {
    const world = aLostLedger();
    const { submissionId } = await world.submit();
    const attempt = await world.ledger.attemptById(submissionId);
    if (attempt === null) throw new Error('nothing was accepted');
    await world.ledger.apply({
      type: 'end_waiting',
      attempt,
      to: 'refused',
      code: 'NULLIFIER_SPENT',
      notBeforeMs: 0,
    });
    await world.meet(world.spent());
    expect(await world.submit()).toMatchObject({
      answer: { ...executed, attempt: { attempt: 1 } },
    });
  });

  it('a waiting attempt for a paid note gets the outcome of the payment when it is revalidated', async () => {
    const world = aLostLedger();
    const { submissionId, answer } = await world.submit();
    await world.meet(world.spent());
    const traffic = new PoolTraffic(new InMemoryTrafficStore(() => []), world.ledger, world.clock);
    const revalidator = new WithdrawalRevalidator(
      world.pools,
      world.spending.spentNotes,
      traffic,
      world.clock,
    );
    expect(await revalidator.rejectionOf({ ...answer.attempt, readmit: true })).toBe(
      'NULLIFIER_SPENT',
    );
    expect(await world.submissions.find(submissionId)).toMatchObject(executed);
    const refused = await world.ledger.apply({
      type: 'end_waiting',
      attempt: answer.attempt,
      to: 'refused',
      code: 'NULLIFIER_SPENT',
      notBeforeMs: 0,
    });
    expect(refused).toMatchObject({ applied: false, because: 'attempt_moved_on' });
  });

  it('a request for a paid note with other terms is rejected with NULLIFIER_SPENT and the transaction hash', async () => {
    const world = aLostLedger();
    const other = calldataWith({ recipient: accountAddress(0x7e11e5n) });
    await world.meet(world.spent({ calldata: other }));
    await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
  });

  it('a waiting attempt does not get the outcome of the note’s payment if its terms differ from the payment’s', async () => {
    const world = aLostLedger();
    const other = calldataWith({ recipient: accountAddress(0x7e11e5n) });
    world.verifier.accept(proofOf(other));
    const { submissionId } = await world.submit(other);
    await world.meet(world.spent());
    await expect(world.submit()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
    expect(await world.submissions.find(submissionId)).toMatchObject({ kind: 'pending' });
    expect(world.spending.spenders.reads).toBe(0);
  });

  it('rejects with NULLIFIER_SPENT and the transaction hash while the ledger can’t adopt the payment’s outcome', async () => {
    const world = aLostLedger();
    world.spent();
    await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
  });

  it('rejects with NULLIFIER_SPENT until the node confirms the payment’s block, and then adopts the payment’s outcome', async () => {
    const world = aLostLedger();
    const transaction = world.spent();
    await world.meet(transaction);
    const { number } = transaction.consumer.block;
    world.spending.undo(number);
    await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
    world.spending.undo(number, false);
    world.spending.failConfirming(true);
    await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
    world.spending.failConfirming(false);
    expect(await world.submit()).toMatchObject({ answer: { transactionHash: PAID_BY } });
  });

  it('an outcome adopted from the chain is pending again after a rollback of its block', async () => {
    const world = aLostLedger();
    const transaction = world.spent();
    await world.meet(transaction);
    const { submissionId } = await world.submit();
    await world.ledger.apply({
      type: 'reopen',
      ...world.driver.at(transaction.nonce),
      block: transaction.consumer.block,
      evidence: contradicting(transaction.consumer.block),
      undone: transaction.consumer.block,
      earlier: null,
    });
    expect(await world.submissions.find(submissionId)).toMatchObject({
      kind: 'pending',
      attempt: { undone: { transactionHash: PAID_BY } },
    });
  });
});

describe('a note that another party has spent', () => {
  it('a request for a note that another account has spent is rejected with NULLIFIER_SPENT and the transaction hash', async () => {
    const world = aLostLedger();
    world.spent({ sender: STRANGER });
    await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
  });

  it.each([
    ['in a transaction of several calls', { calls: 2 }],
    ['in one that is not understood', { calls: null }],
  ] as const)(
    'rejects with NULLIFIER_SPENT if the service’s own account spent the note %s',
    async (_how, { calls }) => {
      const world = aLostLedger();
      const transaction = world.spent();
      await world.meet(transaction);
      const [call] = transaction.calls ?? [];
      if (call === undefined) throw new Error('no call was sent');
      Object.assign(transaction, { calls: calls === null ? null : [call, call] });
      await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
    },
  );

  it('rejects with NULLIFIER_SPENT and the transaction hash that the ledger contains, without a search on chain', async () => {
    const world = aWorld();
    const { submissionId } = await world.submit();
    world.submissions.execute(submissionId, 'SUCCEEDED');
    world.pools.spend(pool.address, nullifierHash);
    const { transactionHash } = world.submissions.attempts[0] ?? {};
    const other = calldataWith({ recipient: accountAddress(0x7e11e5n) });
    world.verifier.accept(proofOf(other));
    await expect(world.submit(other)).rejects.toMatchObject(spentBy(transactionHash ?? ''));
    expect(world.spending.spenders.reads).toBe(0);
  });

  it.each(['the event', 'the transaction'])(
    'rejects with NULLIFIER_SPENT if the node does not return %s',
    async (what) => {
      const world = aLostLedger();
      await world.meet(world.spent());
      if (what === 'the event') world.spending.spenders.fail();
      else
        world.spending.history.transaction = async () =>
          Promise.reject(new FakeUpstreamDown('no such transaction'));
      await expect(world.submit()).rejects.toMatchObject({ code: 'NULLIFIER_SPENT' });
    },
  );

  it('rejects with NULLIFIER_SPENT and no details if no spending transaction is found', async () => {
    const world = aLostLedger();
    world.spent();
    world.spending.spenders.fail();
    const rejection = await world.submit().catch((error: unknown) => error);
    expect(rejection).toHaveProperty('details', {});
  });

  it('rethrows the ledger’s error instead of NULLIFIER_SPENT, because this service may have paid the note', async () => {
    const world = aLostLedger();
    await world.meet(world.spent());
    world.ledger.apply = async () => Promise.reject(new Error('the store is gone'));
    await expect(world.submit()).rejects.toThrow('the store is gone');
    Reflect.deleteProperty(world.ledger, 'apply');
    expect(await world.submit()).toMatchObject({ answer: executed });
  });
});

describe('a transaction of ours that REVERTED, although a node returns its event', () => {
  it('a reverted transaction of the service is not treated as a payment, even if a node returns its event', async () => {
    const world = aLostLedger();
    await world.meet(world.spent({ consumer: { execution: 'REVERTED', revertReason: 'no' } }));
    await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
    expect(await world.ledger.unfinalNonces(world.driver.lane, 'newest', 5)).toMatchObject([
      { settlement: { isForeign: true } },
    ]);
  });
});

describe('the lookup of a spent note', () => {
  it('the search for the spending transaction is skipped for unspent notes and for invalid proofs', async () => {
    const world = aLostLedger();
    await world.submit();
    const junk = calldataWith({ recipient: accountAddress(5n), nullifierHash: nullifierHash - 1n });
    world.pools.spend(pool.address, nullifierHash - 1n);
    expect(await settled(world.submit(junk))).toBe('PROOF_INVALID');
    expect(world.spending.spenders.reads).toBe(0);
  });

  it('the spender of a note is searched once every few seconds, for any number of requests', async () => {
    const world = aLostLedger();
    world.spent({ sender: STRANGER });
    for (let round = 0; round < 3; round += 1) {
      for (let call = 0; call < 20; call += 1)
        expect(await settled(world.submit())).toBe('NULLIFIER_SPENT');
      expect(world.spending.spenders.reads).toBe(round + 1);
      world.spending.clock.advance(TTL_MS);
    }
  });

  it('concurrent requests for a spent note share one search for the spending transaction', async () => {
    const world = aLostLedger();
    world.spent({ sender: STRANGER });
    world.spending.spenders.fail();
    const { spentNotes } = world.spending;
    const note = { pool: pool.address, nullifierHash, key: 'any', requested: [] };
    for (let call = 0; call < 3; call += 1) {
      const answers = await Promise.all([1, 2, 3].map(async () => spentNotes.spendingOf(note)));
      expect(answers).toEqual(
        Array.from({ length: 3 }, () => ({ transactionHash: null, attempt: null, isOpen: true })),
      );
    }
    expect(world.spending.spenders.reads).toBe(1);
  });

  it('S15: a failed search for the spender is cached for a shorter time than a successful search', async () => {
    const world = aLostLedger();
    world.spent({ sender: STRANGER });
    const { spenders, spentNotes, clock } = world.spending;
    const note = { pool: pool.address, nullifierHash, key: 'any', requested: [] };
    spenders.fail();
    expect((await spentNotes.spendingOf(note)).transactionHash).toBeNull();
    spenders.fail(null);
    clock.advance(999);
    expect((await spentNotes.spendingOf(note)).transactionHash).toBeNull();
    clock.advance(1);
    expect((await spentNotes.spendingOf(note)).transactionHash).not.toBeNull();
    clock.advance(9_999);
    expect((await spentNotes.spendingOf(note)).transactionHash).not.toBeNull();
    expect(spenders.reads).toBe(2);
  });

  it('a caller waits at most three seconds for the search for a note’s spender', async () => {
    const world = aLostLedger();
    world.spent({ sender: STRANGER });
    const open = world.spending.spenders.hold();
    const querying = world.submit();
    await turn();
    await turn();
    world.spending.clock.advance(3_000);
    await expect(querying).rejects.toMatchObject({ code: 'NULLIFIER_SPENT', details: {} });
    open();
    await turn();
    await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
    expect(world.spending.spenders.reads).toBe(1);
  });

  it('the result of a slow search for a spender is still cached for the next caller', async () => {
    const world = aLostLedger();
    world.spent({ sender: STRANGER });
    const { spenders, clock } = world.spending;
    const open = spenders.hold();
    const querying = world.submit();
    await turn();
    await turn();
    clock.advance(12_000);
    await expect(querying).rejects.toMatchObject({ code: 'NULLIFIER_SPENT', details: {} });
    open();
    await turn();
    await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
    expect(spenders.reads).toBe(1);
  });

  it('the search for a spender is skipped if too many searches are running', async () => {
    const world = aLostLedger();
    const open = world.spending.spenders.hold();
    const { spentNotes } = world.spending;
    const poll = (index: number) =>
      spentNotes.spendingOf({
        pool: pool.address,
        nullifierHash: BigInt(index),
        key: `key-${index}`,
        requested: [],
      });
    const running = [1, 2, 3, 4].map(poll);
    expect(await poll(5)).toEqual({ transactionHash: null, attempt: null, isOpen: true });
    open();
    await Promise.all(running);
    await poll(5);
    expect(world.spending.spenders.reads).toBe(5);
  });

  it('caches the spenders of at most a thousand notes', async () => {
    const world = aLostLedger();
    const { spentNotes } = world.spending;
    const poll = (index: number) =>
      spentNotes.spendingOf({
        pool: pool.address,
        nullifierHash: BigInt(index),
        key: `key-${index}`,
        requested: [],
      });
    for (let index = 0; index <= 1_000; index += 1) await poll(index);
    await poll(1_000);
    expect(world.spending.spenders.reads).toBe(1_001);
    await poll(0);
    expect(world.spending.spenders.reads).toBe(1_002);
  });
});

describe('a private swap that this service has executed for a lost ledger', () => {
  it('a swap that was paid before the loss of the ledger is returned for any tolerance in the request', async () => {
    const world = await aPaidSwap();
    const first = await world.swap();
    expect(first).toMatchObject({
      answer: executed,
      leafIndex: deposit.leafIndex,
      outputAmount: deposit.outputAmount,
    });
    expect(await world.swap({ slippagePpm: 50_000 })).toEqual(first);
    expect(world.spending.spenders.reads).toBe(1);
  });

  it('a paid swap is also returned if its outcome was adopted from the chain before the request arrived', async () => {
    const world = await aPaidSwap();
    const { sender: lane, nonce, consumer, calls } = world.transaction;
    const [call] = calls ?? [];
    const submission =
      call === undefined ? null : world.spending.calls.submissionOf(call.target, call.calldata);
    if (submission === null) throw new Error('the call is not read');
    expect(
      await world.ledger.apply({
        type: 'adopt',
        lane,
        nonce,
        submission,
        consumer,
        evidence: confirming(consumer.block),
      }),
    ).toMatchObject({ applied: true });
    expect(await world.swap()).toMatchObject({ submissionId: submission.id, answer: executed });
    expect(world.spending.spenders.reads).toBe(0);
  });

  it.each([
    ['commitment', { newCommitment: NEW_COMMITMENT + 1n }],
    ['tolerance alone, where another account sent it', { slippagePpm: 1_000 }],
  ])(
    'rejects a request for a swapped note with NULLIFIER_SPENT if the request differs from the executed swap in the %s',
    async (what, changes) => {
      const world = await aPaidSwap();
      if (what !== 'commitment') Object.assign(world.transaction, { sender: STRANGER });
      await expect(world.swap(changes)).rejects.toMatchObject(spentBy(PAID_BY));
    },
  );

  it('a withdrawal of the swapped note is rejected with NULLIFIER_SPENT', async () => {
    const world = await aPaidSwap();
    await expect(world.submit()).rejects.toMatchObject(spentBy(PAID_BY));
  });
});

async function aPaidSwap() {
  const world = aLostLedger();
  const transaction = world.spent(world.swapCall(aSwap));
  await world.meet(transaction);
  world.deposits.setSwapDeposit(PAID_BY, deposit);
  world.statuses.commit(swapPolicy.swapPool, deposit.commitment);
  return { ...world, transaction };
}
