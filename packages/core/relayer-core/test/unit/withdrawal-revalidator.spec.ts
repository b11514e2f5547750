import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import type { Attempt, Ledger } from '@sotto/submission-core';
import { PoolTraffic, WithdrawalRevalidator } from '../../src/index.js';
import { InMemoryTrafficStore } from '../../src/testing/index.js';
import { aLostLedger } from '../support/lost-ledger.js';
import { calldataWith, vector } from '../support/vector.js';
import { aWorld, pool, type World } from '../support/world.js';

const nullifierHash = BigInt(vector.publicInputs[1] ?? 0);
const BEHIND = { code: 'LEDGER_BEHIND_CHAIN' };

async function acceptedAttempt({ submit }: World): Promise<Attempt> {
  return (await submit()).answer.attempt;
}

/**
 * Returns the attempt as if it was accepted again after it lost its nonce, so that it is checked at
 * any age.
 */
const returned = (attempt: Attempt): Attempt => ({ ...attempt, readmit: true });

function revalidatorOf({
  pools,
  spending,
  clock,
  ...stores
}: Pick<World, 'pools' | 'spending' | 'clock'> &
  (Pick<World, 'submissions'> | { readonly ledger: Ledger })): WithdrawalRevalidator {
  const traffic =
    'ledger' in stores
      ? new PoolTraffic(new InMemoryTrafficStore(() => []), stores.ledger, clock)
      : new PoolTraffic(
          new InMemoryTrafficStore(() => stores.submissions.attempts),
          stores.submissions,
          clock,
        );
  return new WithdrawalRevalidator(pools, spending.spentNotes, traffic, clock);
}

describe('WithdrawalRevalidator', () => {
  it('does not end a waiting withdrawal before the withdrawal’s nullifier is spent', async () => {
    const world = aWorld();
    const attempt = returned(await acceptedAttempt(world));
    const subject = revalidatorOf(world);
    expect(await subject.rejectionOf(attempt)).toBeNull();
    world.pools.spend(pool.address, nullifierHash);
    world.spending.spentByAnother(pool.address, nullifierHash);
    expect(await subject.rejectionOf(attempt)).toBe('NULLIFIER_SPENT');
  });

  it.each([
    ['no event of it', () => undefined],
    [
      'the event, and no transaction',
      ({ spending }: World) =>
        spending.spenders.setSpender(pool.address, nullifierHash, toFelt('0x57a6')),
    ],
  ])(
    'a withdrawal of a spent note does not end while the node returns %s, because the service may have paid the note',
    async (_what, show) => {
      const world = aWorld();
      const attempt = returned(await acceptedAttempt(world));
      world.pools.spend(pool.address, nullifierHash);
      show(world);
      const subject = revalidatorOf(world);
      await expect(subject.rejectionOf(attempt)).rejects.toMatchObject(BEHIND);
      world.spending.spentByAnother(pool.address, nullifierHash);
      world.spending.clock.advance(10_000);
      expect(await subject.rejectionOf(attempt)).toBe('NULLIFIER_SPENT');
    },
  );

  it('a withdrawal that was paid before the loss of the ledger does not end until the ledger has adopted the payment', async () => {
    const world = aLostLedger();
    const { answer } = await world.submit();
    const attempt = returned(answer.attempt);
    const subject = revalidatorOf(world);
    const payment = world.spent();
    await expect(subject.rejectionOf(attempt)).rejects.toMatchObject(BEHIND);
    await world.meet(payment);
    await subject.rejectionOf(attempt);
    expect(await world.ledger.attemptById(attempt.id)).toMatchObject({
      state: 'succeeded',
      transactionHash: payment.consumer.hash,
    });
  });

  it('ends a withdrawal if the service has already paid the note with other terms', async () => {
    const world = aLostLedger();
    const { answer } = await world.submit();
    await world.meet(
      world.spent({ calldata: calldataWith({ recipient: accountAddress(0x7e11e5n) }) }),
    );
    expect(await revalidatorOf(world).rejectionOf(returned(answer.attempt))).toBe(
      'NULLIFIER_SPENT',
    );
  });

  it('rethrows the error of a failed read instead of ending the withdrawal', async () => {
    const world = aWorld();
    const attempt = returned(await acceptedAttempt(world));
    world.pools.failReads();
    await expect(revalidatorOf(world).rejectionOf(attempt)).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
  });

  it('the withdrawal revalidator ignores submissions that are no withdrawals', async () => {
    const world = aWorld();
    const attempt = { ...(await acceptedAttempt(world)), kind: 'deploy_batch' };
    world.pools.failReads();
    expect(await revalidatorOf(world).rejectionOf(attempt)).toBeNull();
  });

  it('checks withdrawals that were stored before the last read of the attempts in flight without a new read', async () => {
    const { attempt, subject, stored, reads } = await aStore();
    stored.push(attempt, { ...attempt, id: 'another', key: 'another' });
    for (const each of stored) expect(await subject.rejectionOf(each)).toBeNull();
    expect(reads()).toBe(1);
  });

  it('a withdrawal that was stored after the last read of the attempts in flight finds a deposit that was stored before it', async () => {
    const { world, attempt, subject, stored, reads } = await aStore();
    stored.push(attempt);
    expect(await subject.rejectionOf(attempt)).toBeNull();
    const later = { ...attempt, id: 'later', key: 'later' };
    stored.push({ ...attempt, id: 'deposit', key: 'deposit', kind: 'deposit' }, later);
    world.pools.failReads();
    await expect(subject.rejectionOf(later)).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    // The state of the pool is compared with attempts that were read after the request.
    expect(reads()).toBe(3);
  });
});

/** Creates a revalidator of attempts that the test stores, and counts reads of these attempts. */
async function aStore() {
  const world = aWorld();
  const { pools, spending, clock } = world;
  const attempt = { ...(await acceptedAttempt(world)), acceptedAtMs: clock.nowMs() };
  const stored: Attempt[] = [];
  let reads = 0;
  const store = new InMemoryTrafficStore(() => {
    reads += 1;
    return stored;
  });
  const ledger = { calldata: () => world.submissions.calldata(attempt.id) };
  const traffic = new PoolTraffic(store, ledger, clock);
  const subject = new WithdrawalRevalidator(pools, spending.spentNotes, traffic, clock);
  return { world, attempt, subject, stored, reads: () => reads };
}
