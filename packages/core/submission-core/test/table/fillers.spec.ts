import { describe, expect, it } from '@jest/globals';
import { aSignedTransaction } from '../../src/testing/index.js';
import {
  CEILING_FRI,
  DEARER_FRI,
  FIRST_FRI,
  LANE,
  SECOND_LANE,
  Table,
  rejectedWith,
} from './table.js';

const TENTH_MORE_FRI = (FIRST_FRI * 11n) / 10n;
const lane = LANE;

describe('transition table: gap fillers', () => {
  const table = Table.forEachTest();

  it('St-R: a replacement is stored under the same nonce if its price is 10 % higher and within the ceiling', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    expect(
      await table.replace(0n, attempt, aSignedTransaction('a', TENTH_MORE_FRI - 1n)),
    ).toMatchObject(rejectedWith('price_too_low'));
    expect(
      await table.replace(0n, attempt, aSignedTransaction('a', CEILING_FRI + 1n)),
    ).toMatchObject(rejectedWith('price_too_low'));
    expect(await table.replace(0n, attempt, aSignedTransaction('a', TENTH_MORE_FRI))).toMatchObject(
      { applied: true },
    );
    expect(await table.nonce(0n)).toEqual({
      owner: attempt.key,
      version: 2,
      transactions: ['call 0 c=1', 'call 1 c=1'],
    });
    expect(await table.replace(0n, attempt, aSignedTransaction('a', CEILING_FRI))).toMatchObject({
      applied: true,
    });
  });

  it('St-R: a replacement must outbid every transaction that could land, but not refused transactions', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    const dear = aSignedTransaction('a', 10n * FIRST_FRI);
    await table.replace(0n, attempt, dear);
    expect(await table.replace(0n, attempt, aSignedTransaction('a', TENTH_MORE_FRI))).toMatchObject(
      rejectedWith('price_too_low'),
    );
    await table.rejection(0n, dear);
    expect(await table.replace(0n, attempt, aSignedTransaction('a', TENTH_MORE_FRI))).toMatchObject(
      { applied: true },
    );
    expect(await table.nonce(0n)).toMatchObject({
      transactions: ['call 0 c=1', 'refused', 'call 2 c=1'],
    });
  });

  it('St-R: bytes are rejected if the nonce’s row has changed since the bytes were signed (M2)', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction, { cause: 'price' });
    const b = await table.driver.broadcast('b', 0n);
    const dearer = aSignedTransaction('a', DEARER_FRI);
    expect(await table.replace(0n, a.attempt, dearer, { version: 1 })).toMatchObject(
      rejectedWith('stale_version'),
    );
    expect(await table.noop(0n, dearer, { version: 1 })).toMatchObject(
      rejectedWith('stale_version'),
    );
    expect(await table.nonce(0n)).toMatchObject({
      owner: b.attempt.key,
      transactions: ['refused', 'call 1 c=1'],
    });
  });

  it('St-R: a replacement is rejected if the attempt in the command does not own the nonce', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction, { cause: 'price' });
    await table.driver.broadcast('b', 0n);
    expect(await table.replace(0n, a.attempt, aSignedTransaction('a', DEARER_FRI))).toMatchObject(
      rejectedWith('nonce_taken'),
    );
    const { attempt } = await table.driver.broadcast('c', 1n);
    expect(
      await table.replace(1n, { ...attempt, attempt: 2 }, aSignedTransaction('c', DEARER_FRI)),
    ).toMatchObject(rejectedWith('nonce_taken'));
  });

  it('St-R: while the ledger is behind its chain, a no-op can be stored, but no call', async () => {
    const second = await table.secondLane();
    await table.driver.introduce(0n);
    await second.introduce(5n);
    const a = await table.driver.broadcast('a', 0n);
    await second.quarantine(9n);
    expect(await table.replace(0n, a.attempt, aSignedTransaction('a', DEARER_FRI))).toMatchObject(
      rejectedWith('ledger_behind'),
    );
    expect(await table.noop(0n)).toMatchObject({ applied: true });
    expect(await table.nonce(0n)).toMatchObject({ transactions: ['call 0 c=1', 'noop 1 c=1'] });
  });

  it('St-R: a paused lane still accepts replacements of its transactions in flight', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    await table.ledger.pauseLane(lane, 'BY_OPERATOR');
    expect(await table.replace(0n, attempt, aSignedTransaction('a', DEARER_FRI))).toMatchObject({
      applied: true,
    });
  });

  it('St-R and St-N: a replacement or a no-op is rejected for a settled nonce, and with an old fence', async () => {
    const a = await table.driver.broadcast('a', 0n);
    const b = await table.driver.broadcast('b', 1n);
    await table.driver.succeed(a);
    const dearer = aSignedTransaction('dearer', DEARER_FRI);
    expect(await table.replace(0n, a.attempt, dearer)).toMatchObject(rejectedWith('nonce_settled'));
    expect(await table.noop(0n, dearer)).toMatchObject(rejectedWith('nonce_settled'));
    await table.loseLane();
    expect(await table.replace(1n, b.attempt, dearer)).toMatchObject(rejectedWith('stale_fence'));
    expect(await table.noop(1n, dearer)).toMatchObject(rejectedWith('stale_fence'));
  });

  it('St-N: a no-op must outbid all transactions under its nonce, or have the ceiling price', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    expect(await table.noop(0n, aSignedTransaction('no-op', FIRST_FRI))).toMatchObject(
      rejectedWith('price_too_low'),
    );
    await table.replace(0n, attempt, aSignedTransaction('a', CEILING_FRI));
    expect(await table.noop(0n, aSignedTransaction('no-op', CEILING_FRI - 1n))).toMatchObject(
      rejectedWith('price_too_low'),
    );
    expect(await table.noop(0n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject({
      applied: true,
      attempt: { state: 'broadcast' },
    });
    expect(await table.noop(0n, aSignedTransaction('again', CEILING_FRI))).toMatchObject(
      rejectedWith('price_too_low'),
    );
    expect(await table.nonce(0n)).toEqual({
      owner: attempt.key,
      version: 3,
      transactions: ['call 0 c=1', 'call 1 c=1', 'noop 2 c=1'],
    });
  });

  it('St-N: a second no-op must outbid the first no-op, but at the ceiling price need not outbid a call', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    await table.noop(0n, aSignedTransaction('no-op', DEARER_FRI));
    expect(await table.noop(0n, aSignedTransaction('no-op', DEARER_FRI + 1n))).toMatchObject(
      rejectedWith('price_too_low'),
    );
    expect(await table.noop(0n, aSignedTransaction('no-op', 2n * DEARER_FRI))).toMatchObject({
      applied: true,
    });
    await table.replace(0n, attempt, aSignedTransaction('a', CEILING_FRI));
    expect(await table.noop(0n, aSignedTransaction('no-op', 4n * DEARER_FRI))).toMatchObject(
      rejectedWith('price_too_low'),
    );
    expect(await table.noop(0n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject({
      applied: true,
    });
    expect(await table.nonce(0n)).toMatchObject({
      transactions: ['call 0 c=1', 'noop 1 c=1', 'noop 2 c=1', 'call 3 c=1', 'noop 4 c=1'],
    });
  });

  it('St-N: a second no-op can be stored after the first no-op was refused', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    const noop = aSignedTransaction('no-op', DEARER_FRI);
    await table.noop(0n, noop);
    await table.rejection(0n, noop);
    expect(await table.noop(0n, aSignedTransaction('another', TENTH_MORE_FRI))).toMatchObject({
      applied: true,
    });
    expect(await table.nonce(0n)).toMatchObject({
      owner: attempt.key,
      transactions: ['call 0 c=1', 'refused', 'noop 2 c=1'],
    });
  });

  it('St-H: a no-op for a free nonce is stored only if a transaction with a higher nonce could land', async () => {
    const { transaction } = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, transaction);
    expect(await table.noop(0n)).toMatchObject(rejectedWith('no_gap'));
    await table.driver.broadcast('above', 1n);
    expect(await table.noop(0n)).toMatchObject({ applied: true, attempt: null });
    expect(await table.nonce(0n)).toEqual({
      owner: null,
      version: 3,
      transactions: ['refused', 'noop 1 c=1'],
    });
    expect(await table.noop(2n)).toMatchObject(rejectedWith('no_gap'));
  });

  it('St-H: a no-op is rejected if the row version in the command differs from the version of the nonce’s row', async () => {
    await table.withGap();
    expect(await table.noop(0n, undefined, { version: 1 })).toMatchObject(
      rejectedWith('stale_version'),
    );
  });

  it('St-R: a no-op without an attempt can be replaced by a more expensive no-op, but not by a call', async () => {
    await table.withGap();
    await table.noop(0n, aSignedTransaction('no-op', FIRST_FRI));
    expect(await table.noop(0n, aSignedTransaction('no-op', TENTH_MORE_FRI - 1n))).toMatchObject(
      rejectedWith('price_too_low'),
    );
    expect(await table.noop(0n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject({
      applied: true,
    });
    expect(await table.nonce(0n)).toEqual({
      owner: null,
      version: 4,
      transactions: ['refused', 'noop 1 c=1', 'noop 2 c=1'],
    });
    // A second no-op with the same price does not replace the no-op at the ceiling price.
    expect(await table.noop(0n, aSignedTransaction('another', CEILING_FRI))).toMatchObject(
      rejectedWith('price_too_low'),
    );
  });
});

describe('transition table: a quarantine is consumed (Q1)', () => {
  const table = Table.forEachTest();

  /** Puts nonces 5 to 7 of the second lane into quarantine. */
  async function inQuestion(isAged = true) {
    const second = await table.secondLane();
    await table.driver.introduce(0n);
    await second.introduce(5n, { isAccepted: false, window: 3n });
    if (isAged) await second.quarantine(8n, true);
    return second;
  }

  it('Q1: a no-op is stored for each quarantined nonce, up to the lane’s next nonce', async () => {
    const second = await inQuestion();
    for (const nonce of [5n, 6n, 7n]) {
      expect(
        await second.store(null, nonce, aSignedTransaction(`no-op ${nonce}`, CEILING_FRI)),
      ).toMatchObject({ applied: true });
    }
    expect(await second.store(null, 8n, aSignedTransaction('no-op 8', CEILING_FRI))).toMatchObject(
      rejectedWith('no_gap'),
    );
    expect(await table.lane(SECOND_LANE)).toMatchObject({ nextNonce: 8n });
    const open = await table.ledger.openNonces(SECOND_LANE);
    expect(
      open.map(({ row, transactions }) => [row.nonce, row.owner, transactions.length]),
    ).toEqual([
      [5n, null, 1],
      [6n, null, 1],
      [7n, null, 1],
    ]);
  });

  it('Q1: a no-op is stored for an imported nonce even if no higher nonce has a transaction', async () => {
    const second = await inQuestion();
    await second.import(5n);
    expect(await second.store(null, 5n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject({
      applied: true,
    });
  });

  it('Q1: a no-op is rejected before the lifetime of a mempool is over', async () => {
    const second = await inQuestion(false);
    expect(await second.store(null, 5n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject(
      rejectedWith('no_gap'),
    );
  });

  it('Q1: a no-op is rejected for a nonce above the lane’s next nonce, and with an old fence', async () => {
    const second = await inQuestion();
    expect(await second.store(null, 6n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject(
      rejectedWith('nonce_taken'),
    );
    second.fence -= 1n;
    expect(await second.store(null, 5n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject(
      rejectedWith('stale_fence'),
    );
  });

  it('Q1: a second no-op can be stored after the first no-op was refused', async () => {
    const second = await inQuestion();
    const noop = aSignedTransaction('no-op', CEILING_FRI);
    await second.store(null, 5n, noop);
    await second.refuse(5n, noop.hash, { cause: 'price' });
    expect(await second.store(null, 5n, aSignedTransaction('another', CEILING_FRI))).toMatchObject({
      applied: true,
    });
  });
});
