import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { FakeNodeDown } from '../../src/testing/index.js';
import { LANE, World, flush } from './world.js';

describe('resolver', () => {
  let world: World;
  const start = async (next: World): Promise<void> => {
    world = next;
    await world.engine.start();
  };
  beforeEach(() => start(new World()));
  afterEach(() => world.engine.stop());

  it('an attempt gets another nonce once a foreign transaction has consumed its nonce', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false });
    await world.submit();
    await flush();
    world.chain.setNonce(LANE, 1n);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 0n });
    world.chain.setNonce(LANE, 0n);
    world.chain.includeForeign(LANE);
    await world.round();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 1n, attempt: 1 });
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded', nonce: 1n });
  });

  it('the ledger creates and settles rows for nonces that the chain has passed', async () => {
    await world.submit();
    await flush();
    world.chain.includeAll();
    await world.round();
    world.chain.includeForeign(LANE);
    world.chain.includeForeign(LANE);
    await world.round();
    await world.submit({ key: 'another' });
    await world.round();
    expect(await world.last('another')).toMatchObject({ nonce: 3n });
    await world.round();
    expect((await world.ledger.openNonces(LANE)).map(({ row }) => row.nonce)).toEqual([3n]);
  });

  it('a nonce gap below a transaction is filled with a no-op if no attempt waits', async () => {
    world.chain.script(
      { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false },
      { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: true },
    );
    await world.submit();
    await flush();
    await world.submit({ key: 'above' });
    await flush();
    const first = await world.last();
    await world.ledger.apply({
      type: 'refusal',
      lane: LANE,
      nonce: 0n,
      fence: 1n,
      hash: world.chain.sent[0] ?? LANE,
      code: 'VALIDATION_FAILURE',
      cause: 'call',
    });
    expect(await world.last(first.key)).toMatchObject({ state: 'refused' });
    // A free nonce is offered to waiting attempts before it is filled.
    await world.round();
    await world.round();
    expect(
      (await world.ledger.openNonces(LANE)).map(
        ({ transactions }) => transactions.find(({ gone }) => gone === null)?.kind,
      ),
    ).toEqual(['noop', 'call']);
    world.chain.includeAll();
    await world.round();
    expect(await world.last('above')).toMatchObject({ state: 'succeeded' });
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
  });

  it('an attempt gets no nonce until the lane can pay both the attempt and a no-op', async () => {
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

  it('expires an attempt that got no nonce in time', async () => {
    world.chain.setBalance(LANE, 0n);
    await world.round();
    const { attempt } = await world.submit();
    await world.round(60_000);
    expect(await world.service.find(attempt.id)).toMatchObject({
      kind: 'rejected',
      state: 'expired',
      code: 'NOT_SENT_IN_TIME',
    });
    expect(world.chain.sent).toEqual([]);
  });

  it('a lane does not exceed its maximum number of transactions in flight', async () => {
    for (let index = 0; index < 6; index += 1) await world.submit({ key: `key ${index}` });
    await flush();
    expect(world.chain.sent).toHaveLength(4);
    world.chain.includeAll();
    await world.round();
    await world.round();
    expect(world.chain.sent).toHaveLength(6);
  });

  it('does not change an attempt while the node does not answer', async () => {
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

  it('a higher account nonce from a lagging node alone settles nothing', async () => {
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

  it('the other nonces continue if the transaction that consumed one nonce is not found', async () => {
    await world.submit();
    await flush();
    await world.submit({ key: 'another' });
    await flush();
    const [first, second] = world.chain.sent;
    world.chain.includeAll();
    world.chain.show(first ?? LANE, { kind: 'unknown' });
    world.historyFailure = new FakeNodeDown('the block lacks the transaction');
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    expect(await world.last('another')).toMatchObject({
      state: 'succeeded',
      transactionHash: second,
    });
    world.historyFailure = null;
    world.chain.show(first ?? LANE, null);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });

  it('prepares the other attempts if one attempt can not be prepared', async () => {
    const broken = Felts.of([13n]);
    const hashCall = world.signer.hashCall.bind(world.signer);
    world.signer.hashCall = async (target, calldata) => {
      if (calldata.equals(broken)) throw new Error('it can not be hashed');
      return hashCall(target, calldata);
    };
    await world.submit({ calldata: broken });
    await world.submit({ key: 'another' });
    await flush();
    expect(await world.last()).toMatchObject({ state: 'accepted' });
    expect(await world.last('another')).toMatchObject({ state: 'broadcast' });
  });

  it('sends a call again even if the revalidation of its attempt fails', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false });
    await world.submit();
    await flush();
    world.rejection = new FakeNodeDown('the pool can not be read');
    await world.round(10_000);
    expect(world.chain.sent).toHaveLength(2);
  });

  it('a transaction that was perhaps never sent is sent again after a restart', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'CRASHED' }, arrives: false });
    await world.submit();
    await flush();
    // The old process ends without a stop, so its lease remains.
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

  it('a lane of another instance is leased after the other instance’s lease has expired', async () => {
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

  it('redacts private data after the retention time, but does not delete the rows', async () => {
    const { attempt } = await world.submit();
    await flush();
    world.chain.includeAll();
    await world.round();
    await world.round(3_600_000);
    await world.round(3_600_000);
    expect(await world.ledger.calldata(attempt.id)).not.toBeNull();
    await world.round(90_000_000);
    await world.round(3_600_000);
    expect(await world.ledger.calldata(attempt.id)).toBeNull();
    expect(await world.last()).toMatchObject({ state: 'succeeded', gasPaidFri: 10n ** 15n });
  });

  it('a transaction that the node reports as only pre-confirmed settles no nonce', async () => {
    await world.submit();
    await flush();
    const [hash = LANE] = world.chain.sent;
    world.chain.includeAll();
    world.chain.show(hash, { kind: 'unknown' });
    const sightings = world.chain.transactionStatuses.bind(world.chain);
    let looks = 0;
    world.chain.transactionStatuses = async (hashes) => {
      looks += 1;
      return hashes.length === 1 && looks % 2 === 0
        ? [{ kind: 'pre_confirmed', execution: 'REVERTED', revertReason: null }]
        : sightings(hashes);
    };
    await world.round();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    world.chain.transactionStatuses = sightings;
    world.chain.show(hash, null);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });

  it('the count of a call’s refusals is reset after the node has accepted the call', async () => {
    const refused = {
      answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' },
      arrives: false,
    } as const;
    world.chain.script(
      { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false },
      refused,
      refused,
    );
    await world.submit();
    for (let round = 0; round < 3; round += 1) await world.round(10_000);
    const [hash = LANE] = world.chain.sent;
    world.chain.deliver(hash);
    await world.round();
    world.chain.drop(hash);
    world.chain.script(refused);
    await world.round(10_000);
    await world.round(10_000);
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    expect(new Set(world.chain.sent).size).toBe(1);
  });

  it('an attempt that lost its nonce is revalidated before it gets another nonce', async () => {
    world.chain.script({
      answer: { kind: 'refused', code: 'FEE_BELOW_MINIMUM', cause: 'price' },
      arrives: false,
    });
    await world.submit();
    await flush();
    world.rejection = 'NULLIFIER_SPENT';
    await world.round(2_500);
    await world.round(500);
    expect(await world.last()).toMatchObject({
      state: 'refused',
      rejectionCode: 'NULLIFIER_SPENT',
    });
    expect(world.chain.sent).toHaveLength(1);
  });
});
