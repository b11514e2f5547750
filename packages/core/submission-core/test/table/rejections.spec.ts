import { describe, expect, it } from '@jest/globals';
import { refOf } from '../../src/domain/rows.js';
import { aSignedTransaction, took, written, type Broadcast } from '../../src/testing/index.js';
import type { Attempt, RejectionCause } from '../../src/index.js';
import { DEARER_FRI, LANE, Table, rejectedWith } from './table.js';

describe('transition table: refusals', () => {
  const table = Table.forEachTest();

  /** Stores and refuses a transaction of the attempt once more, by default on the first lane. */
  async function refusedOn(
    nonce: bigint,
    attempt: Attempt,
    cause: RejectionCause,
    on = table.driver,
  ): Promise<Attempt> {
    const transaction = aSignedTransaction(`${attempt.key} at ${nonce} of ${on.lane}`);
    await on.store(refOf(attempt), nonce, transaction);
    return written(await on.refuse(nonce, transaction.hash, { cause }));
  }

  it('K2: a conclusive refusal of a transaction with one claim is permanent', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    expect(await table.rejection(0n, transaction)).toMatchObject({
      applied: true,
      nonce: { version: 2, owner: null },
    });
    const [row] = await table.ledger.transactionsOf(attempt);
    expect(row).toMatchObject({ gone: 'refused', rejectionCode: 'VALIDATION_FAILURE', seen: null });
  });

  it('K2: a refusal is recorded even if other bytes were stored under the nonce after the send', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.replace(0n, attempt, aSignedTransaction('a', DEARER_FRI));
    await table.noop(0n, aSignedTransaction('no-op', 2n * DEARER_FRI));
    expect(await table.rejection(0n, transaction)).toMatchObject({
      applied: true,
      nonce: { version: 4, owner: refOf(attempt) },
    });
    expect(await table.nonce(0n)).toMatchObject({
      transactions: ['refused', 'call 1 c=1', 'noop 2 c=1'],
    });
  });

  it('K2: a repeated refusal does not free a nonce that now belongs to another attempt', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction);
    const b = await table.driver.broadcast('b', 0n);
    expect(await table.rejection(0n, a.transaction)).toMatchObject(
      rejectedWith('transaction_gone'),
    );
    expect(await table.attempt(b.attempt)).toMatchObject({ state: 'broadcast', nonce: 0n });
  });

  it('K2: a refusal is rejected for a settled nonce, a nonce without a row, and an unknown transaction', async () => {
    const a = await table.driver.broadcast('a', 0n);
    expect(await table.rejection(0n, aSignedTransaction('unknown'))).toMatchObject(
      rejectedWith('unknown_row'),
    );
    expect(await table.rejection(1n, a.transaction)).toMatchObject(rejectedWith('unknown_row'));
    await table.driver.succeed(a);
    expect(await table.rejection(0n, a.transaction)).toMatchObject(rejectedWith('nonce_settled'));
  });

  it('K3: an attempt does not lose its nonce while another transaction of the attempt could land', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    const dearer = aSignedTransaction('a', DEARER_FRI);
    await table.replace(0n, attempt, dearer);
    expect(await table.rejection(0n, dearer)).toMatchObject({
      applied: true,
      nonce: { version: 3 },
    });
    expect(await table.attempt(attempt)).toMatchObject({ state: 'broadcast', nonce: 0n });
    expect(await table.nonce(0n)).toEqual({
      owner: attempt.key,
      version: 3,
      transactions: ['call 0 c=1', 'refused'],
    });
  });

  it.each([
    [
      'price',
      { state: 'accepted', readmit: true, avoidLane: null, rejectionCode: null, endedAtMs: null },
    ],
    [
      'funds',
      { state: 'accepted', readmit: true, avoidLane: null, rejectionCode: null, endedAtMs: null },
    ],
    [
      'lane',
      { state: 'accepted', readmit: true, avoidLane: null, rejectionCode: null, endedAtMs: null },
    ],
    [
      'account',
      { state: 'accepted', readmit: true, avoidLane: LANE, rejectionCode: null, endedAtMs: null },
    ],
    [
      'call',
      {
        state: 'refused',
        readmit: false,
        avoidLane: null,
        rejectionCode: 'VALIDATION_FAILURE',
        endedAtMs: 8_000,
      },
    ],
  ] as const)(
    'K3: a refusal because of %s frees a nonce that has no other transaction',
    async (cause, expected) => {
      const { attempt, transaction } = await table.driver.broadcast('a', 0n);
      table.nowMs = 8_000;
      await table.rejection(0n, transaction, { cause });
      expect(await table.attempt(attempt)).toMatchObject({ ...expected, lane: null, nonce: null });
      expect(await table.nonce(0n)).toEqual({ owner: null, version: 2, transactions: ['refused'] });
    },
  );

  it('K3: several refusals by lanes whose account check fails do not end an attempt', async () => {
    const second = await table.secondLane();
    await table.driver.introduce(0n);
    await second.introduce(0n);
    const rested = await refusedOn(0n, await table.driver.accepted('a'), 'lane');
    expect(rested).toMatchObject({ state: 'accepted', avoidLane: null });
    expect(await refusedOn(0n, rested, 'lane', second)).toMatchObject({
      state: 'accepted',
      avoidLane: null,
      rejectionCode: null,
    });
  });

  it('K3: an attempt ends after refusals by the account code of two lanes', async () => {
    const second = await table.secondLane();
    await table.driver.introduce(0n);
    await second.introduce(0n);
    const tried = await refusedOn(0n, await table.driver.accepted('a'), 'account');
    expect(tried).toMatchObject({ state: 'accepted', avoidLane: LANE });
    expect(await refusedOn(0n, tried, 'account', second)).toMatchObject({
      state: 'refused',
      rejectionCode: 'NODE_CODE',
      lane: null,
    });
  });

  it('K3: a refusal by a broken lane is not counted as the second refusal that ends an attempt', async () => {
    const second = await table.secondLane();
    await table.driver.introduce(0n);
    await second.introduce(0n);
    const tried = await refusedOn(0n, await table.driver.accepted('a'), 'account');
    const rested = await refusedOn(0n, tried, 'lane', second);
    expect(rested).toMatchObject({ state: 'accepted', avoidLane: LANE });
    expect(await refusedOn(0n, rested, 'account')).toMatchObject({ state: 'refused' });
  });

  it('K3: an attempt continues to avoid a lane after a refusal because of the price', async () => {
    const tried = await refusedOn(0n, await table.driver.accepted('a'), 'account');
    expect(await refusedOn(0n, tried, 'price')).toMatchObject({
      state: 'accepted',
      avoidLane: LANE,
    });
  });

  it.each(['call', 'lane', 'account'] as const)(
    'K3: the refusal of a no-op ends no attempt, for the cause %s',
    async (cause) => {
      const { attempt, transaction } = await table.driver.broadcast('a', 0n);
      const noop = aSignedTransaction('no-op', DEARER_FRI);
      await table.noop(0n, noop);
      await table.rejection(0n, transaction, { cause: 'lane' });
      await table.rejection(0n, noop, { cause });
      expect(await table.attempt(attempt)).toMatchObject({ state: 'accepted', nonce: null });
      expect(await table.nonce(0n)).toMatchObject({
        owner: null,
        transactions: ['refused', 'refused'],
      });
    },
  );

  it('K3: the refusal of a no-op without an attempt frees the nonce and changes no attempt', async () => {
    await table.withGap();
    const noop = aSignedTransaction('no-op', DEARER_FRI);
    await table.noop(0n, noop);
    expect(await table.rejection(0n, noop)).toMatchObject({ applied: true, attempt: null });
    expect(await table.nonce(0n)).toEqual({
      owner: null,
      version: 4,
      transactions: ['refused', 'refused'],
    });
  });

  it('K3: an attempt ends as succeeded if its refused transaction has succeeded, even if its later transaction is refused', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction, { cause: 'price' });
    await table.driver.broadcast('b', 0n);
    const again = aSignedTransaction('a again');
    await table.driver.store(refOf(a.attempt), 1n, again);
    await table.driver.settle(0n, took(a.transaction.hash));
    expect(written(await table.rejection(1n, again))).toMatchObject({
      state: 'succeeded',
      nonce: 0n,
      transactionHash: a.transaction.hash,
      rejectionCode: null,
    });
    expect(await table.nonce(1n)).toMatchObject({ owner: null, transactions: ['refused'] });
  });

  it('K4: a refusal after a second claim or under another fence proves nothing', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.claim(0n, a.transaction.hash);
    expect(await table.rejection(0n, a.transaction)).toMatchObject(rejectedWith('proves_nothing'));
    const b = await table.driver.broadcast('b', 1n);
    await table.loseLane();
    expect(await table.rejection(1n, b.transaction)).toMatchObject(rejectedWith('stale_fence'));
    const fence = table.driver.fence + 1n;
    expect(await table.rejection(1n, b.transaction, { fence })).toMatchObject(
      rejectedWith('proves_nothing'),
    );
    expect(await table.attempt(b.attempt)).toMatchObject({ state: 'broadcast' });
  });

  it('K4: a refusal proves nothing if the bytes can land again after a rollback', async () => {
    const { attempt, transaction, nonce }: Broadcast = await table.driver.broadcast('a', 0n);
    await table.driver.succeed({ attempt, transaction, nonce });
    await table.driver.reopen(0n);
    expect(await table.rejection(0n, transaction)).toMatchObject(rejectedWith('proves_nothing'));
  });
});
