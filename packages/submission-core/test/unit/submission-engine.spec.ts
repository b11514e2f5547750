import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeNodeDown } from '../../src/testing/index.js';
import { submission, World, flush, LANE } from './world.js';

describe('SubmissionEngine', () => {
  let world: World;
  const start = async (next: World): Promise<void> => {
    world = next;
    await world.engine.start();
  };
  beforeEach(() => start(new World()));
  afterEach(() => world.engine.stop());

  it('puts an accepted submission on chain and tells its end from the receipt', async () => {
    const { attempt } = await world.submit();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'broadcast', lane: LANE, nonce: 0n });
    expect(world.chain.sent).toHaveLength(1);
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'undecided', transactionHash: world.chain.sent[0] });

    world.chain.preConfirm(world.chain.sent[0] ?? LANE);
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'executed', execution: 'SUCCEEDED', finality: 'PRE_CONFIRMED' });
    expect(await world.last()).toMatchObject({ state: 'broadcast' });

    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded', transactionHash: world.chain.sent[0], gasPaidFri: 10n ** 15n });
    expect(world.chain.sent).toHaveLength(1);
    expect(world.reached).toEqual(['accepted', 'prepared', 'sent', 'settling']);
  });

  it('gives fifty equal requests one row and one broadcast', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => world.submit()));
    expect(all.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(all.filter(({ kind }) => kind === 'same')).toHaveLength(49);
    expect(new Set(all.map(({ attempt }) => attempt.id)).size).toBe(1);
    await flush();
    expect(world.chain.sent).toHaveLength(1);
  });

  it('tells a request for something else under a live key that the key is taken', async () => {
    await world.submit();
    expect(await world.submit({ fingerprint: 'asked-for-that' })).toMatchObject({ kind: 'conflict' });
  });

  it('opens attempt 2 after a revert, and none after a success', async () => {
    const { attempt } = await world.submit();
    await flush();
    world.chain.includeAll({ execution: 'REVERTED', revertReason: 'unknown root' });
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'executed', execution: 'REVERTED', revertReason: 'unknown root' });

    expect(await world.submit()).toMatchObject({ kind: 'accepted', attempt: { attempt: 2 } });
    await flush();
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ attempt: 2, state: 'succeeded', nonce: 1n });
    expect(await world.submit()).toMatchObject({ kind: 'same', attempt: { attempt: 2 } });
    expect(await world.submit({ fingerprint: 'asked-for-that' })).toMatchObject({ kind: 'conflict' });
  });

  it('sends the same bytes again, never others, when an answer was lost', async () => {
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

  it('does not send again what the node has', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: true });
    await world.submit();
    for (let round = 0; round < 5; round += 1) await world.round(10_000);
    expect(world.chain.sent).toHaveLength(1);
  });

  it('ends an attempt whose call is conclusively refused, and gives its nonce to the next one', async () => {
    world.chain.script({ answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' }, arrives: false });
    const { attempt } = await world.submit();
    await flush();
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'ended', state: 'refused', code: 'VALIDATION_FAILURE' });
    await world.submit({ key: 'another' });
    await flush();
    expect(await world.last('another')).toMatchObject({ state: 'broadcast', nonce: 0n });
  });

  it('believes no refusal in strict mode', async () => {
    await world.engine.stop();
    await start(new World({ strict: true }));
    world.chain.script({ answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' }, arrives: true });
    await world.submit();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });

  it('signs again at the new price when the price was refused', async () => {
    world.chain.script({ answer: { kind: 'refused', code: 'INSUFFICIENT_RESOURCES_FOR_VALIDATE', cause: 'price' }, arrives: false });
    await world.submit();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'accepted', nonce: null });
    world.chain.setGasPrices({ l2GasFri: 9_000_000_000n });
    await world.round();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 0n });
    expect(new Set(world.chain.sent).size).toBe(2);
  });

  it('replaces under the same nonce when the price has run away, and follows both hashes', async () => {
    await world.submit();
    await flush();
    world.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
    await world.round();
    expect(world.chain.sent).toHaveLength(2);
    expect(await world.ledger.openNonces(LANE)).toMatchObject([{ row: { nonce: 0n }, transactions: [{ priceStep: 0 }, { priceStep: 1 }] }]);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
    expect(world.chain.included).toHaveLength(1);
  });

  it('cancels with a no-op at the same nonce after the deadline, and ends the attempt only when the no-op has landed', async () => {
    await world.submit();
    await flush();
    world.chain.drop(world.chain.sent[0] ?? LANE);
    await world.round(600_001);
    const [nonce] = await world.ledger.openNonces(LANE);
    expect(nonce?.transactions.map(({ kind }) => kind)).toEqual(['call', 'noop']);
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'expired', refusalCode: 'DEADLINE_PASSED', nonce: null });
  });

  it('asks again whether a silent submission is still wanted, and cancels it when not', async () => {
    await world.submit();
    await flush();
    world.chain.drop(world.chain.sent[0] ?? LANE);
    world.refusal = 'NULLIFIER_SPENT';
    await world.round(10_000);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'refused', refusalCode: 'NULLIFIER_SPENT' });
  });

  it('sends again what a reorg of the pre-confirmed block took away', async () => {
    const { attempt } = await world.submit();
    await flush();
    const hash = world.chain.sent[0] ?? LANE;
    world.chain.preConfirm(hash);
    await world.round();
    world.chain.drop(hash);
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'undecided' });
    expect(world.chain.sent).toEqual([hash, hash]);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });

  it('gives another nonce to an attempt whose nonce a stranger took, and only once the block shows it', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false });
    await world.submit();
    await flush();
    world.chain.setNonce(LANE, 1n);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 0n });
    world.chain.setNonce(LANE, 0n);
    world.chain.includeStranger(LANE);
    await world.round();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 1n, attempt: 1 });
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded', nonce: 1n });
  });

  it('writes rows for nonces that the chain passed without it, and settles them', async () => {
    await world.submit();
    await flush();
    world.chain.includeAll();
    await world.round();
    world.chain.includeStranger(LANE);
    world.chain.includeStranger(LANE);
    await world.round();
    await world.submit({ key: 'another' });
    await world.round();
    expect(await world.last('another')).toMatchObject({ nonce: 3n });
    await world.round();
    expect((await world.ledger.openNonces(LANE)).map(({ row }) => row.nonce)).toEqual([3n]);
  });

  it('fills a hole below something alive with a no-op when nobody waits', async () => {
    world.chain.script(
      { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false },
      { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: true },
    );
    await world.submit();
    await flush();
    await world.submit({ key: 'above' });
    await flush();
    const first = await world.last();
    await world.ledger.record({
      type: 'refusal',
      lane: LANE,
      nonce: 0n,
      fence: 1n,
      hash: world.chain.sent[0] ?? LANE,
      code: 'VALIDATION_FAILURE',
      cause: 'call',
      atMs: world.clock.nowMs(),
    });
    expect(await world.last(first.key)).toMatchObject({ state: 'refused' });
    await world.round();
    expect((await world.ledger.openNonces(LANE)).map(({ transactions }) => transactions.find(({ dead }) => !dead)?.kind)).toEqual([
      'noop',
      'call',
    ]);
    world.chain.includeAll();
    await world.round();
    expect(await world.last('above')).toMatchObject({ state: 'succeeded' });
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
  });

  it('takes no work that it can not pay together with a no-op, and comes back when funded', async () => {
    world.chain.setBalance(LANE, 10n ** 18n);
    await world.round();
    await world.submit();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'accepted' });
    expect(world.engine.status().lanes).toMatchObject([{ state: 'short_of_funds' }]);
    world.chain.setBalance(LANE, 10n ** 24n);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
  });

  it('ends what got no nonce in time', async () => {
    world.chain.setBalance(LANE, 0n);
    await world.round();
    const { attempt } = await world.submit();
    await world.round(60_000);
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'ended', state: 'expired', code: 'NOT_SENT_IN_TIME' });
    expect(world.chain.sent).toEqual([]);
  });

  it('keeps to its number of transactions in flight', async () => {
    for (let index = 0; index < 6; index += 1) await world.submit({ key: `key ${index}` });
    await flush();
    expect(world.chain.sent).toHaveLength(4);
    world.chain.includeAll();
    await world.round();
    await world.round();
    expect(world.chain.sent).toHaveLength(6);
  });

  it('concludes nothing while the node is silent', async () => {
    await world.submit();
    await flush();
    world.chain.failReads();
    for (let round = 0; round < 5; round += 1) await world.round(60_000);
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    world.chain.failReads(null);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });

  it('is not fooled by a node that lags: nonce ahead, hash unknown', async () => {
    await world.submit();
    await flush();
    const hash = world.chain.sent[0] ?? LANE;
    world.chain.includeAll();
    world.chain.show(hash, { kind: 'unknown' });
    await world.round();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 0n });
    world.chain.show(hash, null);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
    expect(world.chain.included).toHaveLength(1);
  });

  it('goes on with the other nonces when one of them can not be explained', async () => {
    await world.submit();
    await flush();
    await world.submit({ key: 'another' });
    await flush();
    const [first, second] = world.chain.sent;
    world.chain.includeAll();
    world.chain.show(first ?? LANE, { kind: 'unknown' });
    world.historyFault = new FakeNodeDown('the block lacks the transaction');
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    expect(await world.last('another')).toMatchObject({ state: 'succeeded', transactionHash: second });
    world.historyFault = null;
    world.chain.show(first ?? LANE, null);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });

  it('prepares the others when one waiting attempt can not be prepared', async () => {
    const calldata = world.ledger.calldata.bind(world.ledger);
    let broken: string | null = null;
    world.ledger.calldata = (id) => {
      broken ??= id;
      return id === broken ? Promise.resolve(null) : calldata(id);
    };
    await world.submit();
    await world.submit({ key: 'another' });
    await flush();
    expect(await world.last()).toMatchObject({ state: 'accepted' });
    expect(await world.last('another')).toMatchObject({ state: 'broadcast' });
  });

  it('sends again when nobody can tell whether an attempt is still wanted', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false });
    await world.submit();
    await flush();
    world.refusal = new FakeNodeDown('the pool can not be read');
    await world.round(10_000);
    expect(world.chain.sent).toHaveLength(2);
  });

  it('settles after a restart what was claimed but perhaps never sent', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'CRASHED' }, arrives: false });
    await world.submit();
    await flush();
    // No stop: the old process is simply gone, with its lease.
    const before = world;
    await start(before.restarted());
    await world.round();
    await flush();
    expect(new Set(world.chain.sent).size).toBe(1);
    expect(world.chain.sent.length).toBeGreaterThan(1);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
    expect(world.chain.included).toHaveLength(1);
    await before.engine.stop();
  });

  it('leaves a lane to the instance that holds it, and takes it over when the lease has run out', async () => {
    const other = world.restarted({ instance: 'two' });
    await other.engine.start();
    expect(other.engine.status().lanes).toMatchObject([{ state: 'held_elsewhere' }]);
    await world.engine.stop();
    await other.round();
    await start(other);
    await world.submit();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
  });

  it('wipes what is private when its time has come, and keeps the books', async () => {
    const { attempt } = await world.submit();
    await flush();
    world.chain.includeAll();
    await world.round();
    expect(await world.ledger.calldata(attempt.id)).not.toBeNull();
    await world.round(90_000_000);
    await world.round(3_600_000);
    expect(await world.ledger.calldata(attempt.id)).toBeNull();
    expect(await world.last()).toMatchObject({ state: 'succeeded', gasPaidFri: 10n ** 15n });
  });
});

describe('SubmissionService', () => {
  it('wakes a waiting caller at the change, and answers UNKNOWN when time is over', async () => {
    const world = new World();
    await world.engine.start();
    const { attempt } = await world.submit();
    await flush();
    const patient = world.service.waitFor(attempt.id, 30_000);
    const hasty = world.service.waitFor(attempt.id, 100);
    await world.round(500);
    expect(await hasty).toMatchObject({ kind: 'undecided' });
    world.chain.preConfirm(world.chain.sent[0] ?? LANE);
    await world.round(500);
    expect(await patient).toMatchObject({ kind: 'executed', execution: 'SUCCEEDED' });
    await world.engine.stop();
  });

  it('lets a caller go who no longer wants to wait, without touching the submission', async () => {
    const world = new World({ answerAt: 'accepted_on_l2' });
    await world.engine.start();
    const { attempt } = await world.service.submit(submission());
    const gone = new AbortController();
    const waiting = world.service.waitFor(attempt.id, 30_000, gone.signal);
    await flush();
    world.chain.preConfirm(world.chain.sent[0] ?? LANE);
    await world.round();
    gone.abort();
    expect(await waiting).toMatchObject({ kind: 'undecided' });
    world.chain.includeAll();
    await world.round();
    expect(await world.service.waitFor(attempt.id, 0)).toMatchObject({ kind: 'executed', finality: 'ACCEPTED_ON_L2' });
    expect(await world.service.find('nobody')).toBeNull();
    await world.engine.stop();
  });
});
