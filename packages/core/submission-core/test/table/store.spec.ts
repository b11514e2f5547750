import { describe, expect, it } from '@jest/globals';
import { refOf } from '../../src/domain/rows.js';
import { aSignedTransaction, foreign, keptBytes } from '../../src/testing/index.js';
import { CEILING_FRI, FIRST_FRI, LANE, SECOND_LANE, Table, rejectedWith } from './table.js';

const BYTES = aSignedTransaction('bytes of b');

describe('transition table: a nonce is assigned (St-P)', () => {
  const table = Table.forEachTest();

  it('St-P: an accepted attempt gets the next nonce, and its first send is claimed', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    expect(attempt).toMatchObject({ state: 'broadcast', lane: LANE, nonce: 0n, readmit: false });
    expect(await table.nonce(0n)).toEqual({
      owner: attempt.key,
      version: 1,
      transactions: ['call 0 c=1'],
    });
    expect(await table.ledger.transactionsOf(attempt)).toMatchObject([
      { claimFence: table.driver.fence, claimedAtMs: 5_000 },
    ]);
    expect(await keptBytes(table.ledger, transaction.hash)).toEqual(transaction.bytes);
    expect(await table.lane()).toMatchObject({ nextNonce: 1n });
  });

  it('St-P: a free nonce is assigned again, and the lane’s next nonce does not change', async () => {
    await table.withGap();
    const b = await table.driver.accepted('b');
    expect(await table.driver.store(refOf(b), 0n, BYTES)).toMatchObject({
      applied: true,
      nonce: { nonce: 0n, version: 3 },
    });
    expect(await table.nonce(0n)).toEqual({
      owner: b.key,
      version: 3,
      transactions: ['refused', 'call 1 c=1'],
    });
    expect(await table.lane()).toMatchObject({ nextNonce: 2n });
  });

  it('St-P: bytes that are signed again for the same nonce use their existing row', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, transaction, { cause: 'price' });
    expect(await table.nonce(0n)).toEqual({ owner: null, version: 2, transactions: ['refused'] });
    expect(await table.driver.store(refOf(attempt), 0n, transaction)).toMatchObject({
      applied: true,
      attempt: { readmit: false },
    });
    expect(await table.nonce(0n)).toEqual({
      owner: attempt.key,
      version: 3,
      transactions: ['call 0 c=1'],
    });
  });

  it.each([
    ['no row, while there is one', 0],
    ['an older version', 1],
    ['a version that is not there yet', 3],
  ])(
    'St-P: the assignment is rejected if the row version in the command is wrong: %s',
    async (_what, version) => {
      await table.withGap();
      const b = await table.driver.accepted('b');
      expect(await table.driver.store(refOf(b), 0n, BYTES, { version })).toMatchObject(
        rejectedWith('stale_version'),
      );
      expect(await table.nonce(0n)).toMatchObject({ owner: null, version: 2 });
    },
  );

  it('St-P: the assignment is rejected if the command contains a row version for a nonce without a row', async () => {
    await table.driver.broadcast('a', 0n);
    const b = await table.driver.accepted('b');
    expect(await table.driver.store(refOf(b), 1n, BYTES, { version: 1 })).toMatchObject(
      rejectedWith('stale_version'),
    );
  });

  it('St-P: the assignment is rejected with an old fence', async () => {
    const b = await table.driver.accepted('b');
    await table.driver.introduce(0n);
    await table.loseLane();
    expect(await table.driver.store(refOf(b), 0n, BYTES)).toMatchObject(
      rejectedWith('stale_fence'),
    );
  });

  it('St-P: the assignment is rejected for a nonce of another attempt, a settled nonce, and a nonce above the lane’s next nonce', async () => {
    await table.driver.broadcast('a', 0n);
    const b = await table.driver.accepted('b');
    expect(
      await table.driver.store(refOf(b), 0n, aSignedTransaction('b', CEILING_FRI)),
    ).toMatchObject(rejectedWith('nonce_taken'));
    expect(await table.driver.store(refOf(b), 2n, BYTES)).toMatchObject(
      rejectedWith('nonce_taken'),
    );
    await table.driver.settle(0n, foreign);
    expect(await table.driver.store(refOf(b), 0n, BYTES)).toMatchObject(
      rejectedWith('nonce_settled'),
    );
    expect(await table.attempt(b)).toEqual(b);
    expect(await keptBytes(table.ledger, BYTES.hash)).toBeNull();
  });

  it('St-P: the assignment is rejected for a nonce without an owner under which a no-op could land', async () => {
    await table.withGap();
    await table.noop(0n);
    const b = await table.driver.accepted('b');
    expect(
      await table.driver.store(refOf(b), 0n, aSignedTransaction('b', CEILING_FRI)),
    ).toMatchObject(rejectedWith('nonce_taken'));
  });

  it('St-P: the assignment is rejected for a lane that was never introduced', async () => {
    const b = await table.driver.accepted('b');
    const event = {
      type: 'store',
      ...table.driver.at(0n),
      version: 0,
      attempt: refOf(b),
      fingerprint: b.fingerprint,
      node: 'node-0',
    } as const;
    const recorded = await table.ledger.apply({
      ...event,
      transaction: BYTES,
      ceilingL2PriceFri: CEILING_FRI,
      nonceLimit: 1n,
    });
    expect(recorded).toMatchObject(rejectedWith('nonce_taken'));
  });

  it('St-P: the assignment is rejected for an attempt that has a nonce or has ended', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    const store = (ref: { key: string; attempt: number }) =>
      table.driver.store(refOf(ref), 1n, BYTES);
    expect(await store(attempt)).toMatchObject(rejectedWith('attempt_moved_on'));
    const first = await table.driver.accepted('b');
    await table.driver.endWaiting(first);
    expect(await store(first)).toMatchObject(rejectedWith('attempt_moved_on'));
    await table.driver.request('b', { id: 'second' });
    expect(await store(first)).toMatchObject(rejectedWith('attempt_moved_on'));
    expect(await store({ key: 'unknown', attempt: 1 })).toMatchObject(
      rejectedWith('attempt_moved_on'),
    );
  });

  it('St-P: the assignment is rejected for a nonce beyond the account’s window of open nonces', async () => {
    const b = await table.driver.accepted('b');
    expect(await table.driver.store(refOf(b), 4n, BYTES, { nonceLimit: 4n })).toMatchObject(
      rejectedWith('nonce_beyond_window'),
    );
    expect(await table.driver.store(refOf(b), 4n, BYTES, { nonceLimit: 5n })).toMatchObject({
      applied: true,
    });
  });

  it('St-P: the assignment is rejected on a lane that is in quarantine or paused', async () => {
    const second = await table.secondLane();
    await table.driver.introduce(0n);
    await second.introduce(0n, { isAccepted: false });
    const b = await table.driver.accepted('b');
    expect(await second.store(refOf(b), 0n, BYTES)).toMatchObject(rejectedWith('lane_quarantined'));
    await table.ledger.pauseLane(LANE, 'BY_OPERATOR');
    expect(await table.driver.store(refOf(b), 0n, BYTES)).toMatchObject(
      rejectedWith('lane_paused'),
    );
    await table.ledger.pauseLane(LANE, null);
    expect(await table.driver.store(refOf(b), 0n, BYTES)).toMatchObject({ applied: true });
  });

  it('St-P: the assignment is rejected on every lane while the ledger is behind its chain on any lane', async () => {
    await table.driver.introduce(0n);
    const b = await table.driver.accepted('b');
    await table.fallBehind();
    expect(await table.driver.store(refOf(b), 0n, BYTES)).toMatchObject(
      rejectedWith('ledger_behind'),
    );
  });

  it('St-P: an unprotected attempt that lost its nonce gets a new nonce only after the block of this loss is final', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n, { replayProtected: false });
    await table.driver.settle(0n, foreign);
    expect(await table.driver.store(refOf(attempt), 1n, BYTES)).toMatchObject(
      rejectedWith('not_final'),
    );
    await table.driver.finalize(0n);
    expect(await table.driver.store(refOf(attempt), 1n, BYTES)).toMatchObject({
      applied: true,
      attempt: { nonce: 1n },
    });
  });

  it('St-P: a protected attempt that lost its nonce gets a new nonce at once', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign);
    expect(await table.driver.store(refOf(attempt), 1n, BYTES)).toMatchObject({
      applied: true,
      attempt: { state: 'broadcast', nonce: 1n },
    });
  });

  it('St-P: an attempt gets only one nonce if two lanes assign a nonce to it', async () => {
    const second = await table.secondLane();
    await table.driver.introduce(0n);
    await second.introduce(7n);
    const b = await table.driver.accepted('b');
    expect(await second.store(refOf(b), 7n, BYTES)).toMatchObject({
      applied: true,
      attempt: { lane: SECOND_LANE, nonce: 7n },
    });
    expect(
      await table.driver.store(refOf(b), 0n, aSignedTransaction('b', FIRST_FRI + 1n)),
    ).toMatchObject(rejectedWith('attempt_moved_on'));
  });
});
