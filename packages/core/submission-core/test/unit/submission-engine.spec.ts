import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerUnavailable } from '../../src/index.js';
import { submission, World, flush, LANE } from './world.js';

describe('SubmissionEngine', () => {
  let world: World;
  const start = async (next: World): Promise<void> => {
    world = next;
    await world.engine.start();
  };
  beforeEach(() => start(new World()));
  afterEach(() => world.engine.stop());

  it('puts an accepted submission on chain, and reads its outcome from the receipt', async () => {
    const { attempt } = await world.submit();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'broadcast', lane: LANE, nonce: 0n });
    expect(world.chain.sent).toHaveLength(1);
    expect(await world.service.find(attempt.id)).toMatchObject({
      kind: 'pending',
      transactionHash: world.chain.sent[0],
    });

    world.chain.preConfirm(world.chain.sent[0] ?? LANE);
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({
      kind: 'executed',
      execution: 'SUCCEEDED',
      finality: 'PRE_CONFIRMED',
    });
    expect(await world.last()).toMatchObject({ state: 'broadcast' });

    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({
      state: 'succeeded',
      transactionHash: world.chain.sent[0],
      gasPaidFri: 10n ** 15n,
    });
    expect(world.chain.sent).toHaveLength(1);
    expect(world.reached).toEqual(['accepted', 'prepared', 'sent', 'settling', 'settled']);
  });

  it('creates one row and one broadcast for fifty equal requests', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => world.submit()));
    expect(all.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(all.filter(({ kind }) => kind === 'same')).toHaveLength(49);
    expect(new Set(all.map(({ attempt }) => attempt.id)).size).toBe(1);
    await flush();
    expect(world.chain.sent).toHaveLength(1);
  });

  it('returns a conflict if the key’s live attempt has a different effect', async () => {
    await world.submit();
    expect(
      await world.submit({ effect: 'does-that', fingerprint: 'asked-for-that' }),
    ).toMatchObject({
      kind: 'conflict',
    });
  });

  it('a key gets a second attempt after a revert, but no further attempt after a success', async () => {
    const { attempt } = await world.submit();
    await flush();
    world.chain.includeAll({ execution: 'REVERTED', revertReason: 'unknown root' });
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({
      kind: 'executed',
      execution: 'REVERTED',
      revertReason: 'unknown root',
    });

    expect(await world.submit()).toMatchObject({ kind: 'accepted', attempt: { attempt: 2 } });
    await flush();
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ attempt: 2, state: 'succeeded', nonce: 1n });
    expect(await world.submit()).toMatchObject({ kind: 'same', attempt: { attempt: 2 } });
    expect(
      await world.submit({ effect: 'does-that', fingerprint: 'asked-for-that' }),
    ).toMatchObject({
      kind: 'conflict',
    });
  });

  it('sends exactly the same bytes again if the response to the send was lost', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false });
    await world.submit();
    await world.round(1_000);
    expect(world.chain.sent).toHaveLength(1);
    await world.round(10_000);
    expect(world.chain.sent).toHaveLength(2);
    expect(new Set(world.chain.sent).size).toBe(1);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
    expect(world.chain.included).toHaveLength(1);
  });

  it('does not send a transaction again if the node already has the transaction', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: true });
    await world.submit();
    for (let round = 0; round < 5; round += 1) await world.round(10_000);
    expect(world.chain.sent).toHaveLength(1);
  });

  it('an attempt ends if a node conclusively refuses its call', async () => {
    world.chain.script({
      answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' },
      arrives: false,
    });
    const { attempt } = await world.submit();
    await flush();
    expect(await world.service.find(attempt.id)).toMatchObject({
      kind: 'rejected',
      state: 'refused',
      code: 'VALIDATION_FAILURE',
    });
    await world.submit({ key: 'another' });
    await flush();
    expect(await world.last('another')).toMatchObject({ state: 'broadcast', nonce: 0n });
  });

  it('strict mode: does not end an attempt when a node refuses its transaction', async () => {
    await world.engine.stop();
    await start(new World({ strict: true }));
    world.chain.script({
      answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' },
      arrives: true,
    });
    await world.submit();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });

  it('an operator’s retry sends only the given backed-off attempt at once', async () => {
    world.rejection = new LedgerUnavailable();
    const { attempt } = await world.submit();
    const another = await world.submit({ key: '0x1|0xb7c|0x6', effect: 'does-that' });
    await flush();
    world.rejection = null;
    world.engine.wake();
    await flush();
    expect(world.chain.sent).toHaveLength(0);
    world.engine.retry(attempt.id);
    await flush();
    expect(world.chain.sent).toHaveLength(1);
    expect(await world.last()).toMatchObject({ id: attempt.id, state: 'broadcast' });
    expect(await world.last(another.attempt.key)).toMatchObject({ state: 'accepted' });
  });

  it('an operator’s retry sends no transaction for an attempt that is already broadcast or has ended', async () => {
    const { attempt } = await world.submit();
    await flush();
    for (let again = 0; again < 3; again += 1) world.engine.retry(attempt.id);
    await flush();
    expect(world.chain.sent).toHaveLength(1);
    world.chain.includeAll();
    await world.round();
    world.engine.retry(attempt.id);
    await world.round();
    expect(world.chain.sent).toHaveLength(1);
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });

  it('a transaction that was refused because of its price is signed again at the new gas price', async () => {
    world.chain.script({
      answer: { kind: 'refused', code: 'INSUFFICIENT_RESOURCES_FOR_VALIDATE', cause: 'price' },
      arrives: false,
    });
    await world.submit();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'accepted', nonce: null });
    world.chain.setGasPrices({ l2GasFri: 9_000_000_000n });
    await world.round();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 0n });
    expect(new Set(world.chain.sent).size).toBe(2);
  });

  it('a transaction with too low a gas price is replaced under the same nonce', async () => {
    await world.submit();
    await flush();
    world.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    await world.round();
    expect(world.chain.sent).toHaveLength(2);
    expect(await world.ledger.openNonces(LANE)).toMatchObject([
      { row: { nonce: 0n }, transactions: [{ priceStep: 0 }, { priceStep: 1 }] },
    ]);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
    expect(world.chain.included).toHaveLength(1);
  });

  it('an attempt is cancelled after its deadline by a no-op at the same nonce', async () => {
    await world.submit();
    await flush();
    world.chain.drop(world.chain.sent[0] ?? LANE);
    await world.round(600_001);
    const [nonce] = await world.ledger.openNonces(LANE);
    expect(nonce?.transactions.map(({ kind }) => kind)).toEqual(['call', 'noop']);
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({
      state: 'expired',
      rejectionCode: 'DEADLINE_PASSED',
      nonce: null,
    });
  });

  it('a submission is cancelled if the node has lost its transaction and its note is spent', async () => {
    await world.submit();
    await flush();
    world.chain.drop(world.chain.sent[0] ?? LANE);
    world.rejection = 'NULLIFIER_SPENT';
    await world.round(10_000);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({
      state: 'refused',
      rejectionCode: 'NULLIFIER_SPENT',
    });
  });

  it('a transaction that a reorg of the pre-confirmed block removed is sent again', async () => {
    const { attempt } = await world.submit();
    await flush();
    const hash = world.chain.sent[0] ?? LANE;
    world.chain.preConfirm(hash);
    await world.round();
    world.chain.drop(hash);
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'pending' });
    expect(world.chain.sent).toEqual([hash, hash]);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });
});

describe('SubmissionService', () => {
  it('waitFor returns when the attempt changes, or returns a pending status after the timeout', async () => {
    const world = new World();
    await world.engine.start();
    const { attempt } = await world.submit();
    await flush();
    const patient = world.service.waitFor(attempt.id, 30_000);
    const hasty = world.service.waitFor(attempt.id, 100);
    await world.round(500);
    expect(await hasty).toMatchObject({ kind: 'pending' });
    world.chain.preConfirm(world.chain.sent[0] ?? LANE);
    await world.round(500);
    expect(await patient).toMatchObject({ kind: 'executed', execution: 'SUCCEEDED' });
    await world.engine.stop();
  });

  it('ends the wait of a caller that aborts, without changing the submission', async () => {
    const world = new World({ answerAt: 'accepted_on_l2' });
    await world.engine.start();
    const { attempt } = await world.service.submit(submission());
    const gone = new AbortController();
    const waiting = world.service.waitFor(attempt.id, 30_000, gone.signal);
    await flush();
    world.chain.preConfirm(world.chain.sent[0] ?? LANE);
    await world.round();
    gone.abort();
    expect(await waiting).toMatchObject({ kind: 'pending' });
    world.chain.includeAll();
    await world.round();
    expect(await world.service.waitFor(attempt.id, 0)).toMatchObject({
      kind: 'executed',
      finality: 'ACCEPTED_ON_L2',
    });
    expect(await world.service.find('no such id')).toBeNull();
    await world.engine.stop();
  });
});
