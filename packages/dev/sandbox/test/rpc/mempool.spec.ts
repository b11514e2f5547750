import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness } from '../support/harness.js';
import { ALICE, BOB, COUNTER_1 } from '../support/world.js';
import type { InvokeChoices } from '../support/wire-invoke.js';

const INCREASE = [{ to: COUNTER_1, entrypoint: 'increase' }];
const good: InvokeChoices = { account: ALICE, calls: INCREASE };
const RECEIVED = { finality_status: 'RECEIVED' };
const ACCEPTED = { finality_status: 'ACCEPTED_ON_L2', execution_status: 'SUCCEEDED' };
const UNKNOWN = { code: 29, message: 'Transaction hash not found' };
const PRICE = 10_000_000_000n;
const priced = (price: bigint, tip = 0n): InvokeChoices => ({
  ...good,
  l2Gas: [1_000_000_000n, price],
  tip,
});

describe('the mempool', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
  });
  afterEach(() => node.stop());

  it('a transaction with a nonce gap waits in the mempool until the gap is filled', async () => {
    const third = await node.send({ ...good, nonce: 2n });
    const second = await node.send({ ...good, nonce: 1n });
    node.control.mine();
    expect([await node.status(third), await node.status(second)]).toEqual([RECEIVED, RECEIVED]);
    const first = await node.send(good);
    node.control.mine();
    expect([await node.status(first), await node.status(second), await node.status(third)]).toEqual(
      [ACCEPTED, ACCEPTED, ACCEPTED],
    );
    expect(node.control.paidInclusions().map(({ nonce }) => nonce)).toEqual([0n, 1n, 2n]);
  });

  it('the mempool drops a waiting transaction without an error when the transaction’s lifetime ends', async () => {
    const hash = await node.send({ ...good, nonce: 1n });
    node.control.moveClock(299_000);
    expect(await node.status(hash)).toEqual(RECEIVED);
    node.control.moveClock(1_000);
    expect(await node.error('starknet_getTransactionStatus', [hash])).toEqual(UNKNOWN);
    const again = await node.send({ ...good, nonce: 1n });
    expect(again).toBe(hash);
  });

  it('the mempool rejects a duplicate with error 59 until the original is accepted on L2, and later with error 52', async () => {
    await node.send(good);
    const duplicate = {
      code: 59,
      message: 'A transaction with the same hash already exists in the mempool',
    };
    expect(await node.refused(good)).toEqual(duplicate);
    node.control.advance('candidate');
    expect(await node.refused(good)).toEqual(duplicate);
    node.control.advance('pre_confirmed');
    expect(await node.refused(good)).toEqual(duplicate);
    node.control.advance('accepted_on_l2');
    expect(await node.refused(good)).toMatchObject({ code: 52 });
  });

  it('a replacement must have a ten percent higher L2 price, even if both tips are zero', async () => {
    const first = await node.send(priced(PRICE));
    expect(await node.refused(priced((PRICE * 11n) / 10n - 1n))).toEqual({
      code: 64,
      message: 'Replacement transaction is underpriced',
    });
    const second = await node.send(priced((PRICE * 11n) / 10n));
    expect(await node.error('starknet_getTransactionStatus', [first])).toEqual(UNKNOWN);
    node.control.mine();
    expect(await node.status(second)).toEqual(ACCEPTED);
    expect(node.control.paidInclusions()).toHaveLength(1);
  });

  it('a replacement must have a ten percent higher tip if the tip is not zero', async () => {
    await node.send(priced(PRICE, 100n));
    expect(await node.refused(priced(2n * PRICE, 100n))).toMatchObject({ code: 64 });
    expect(await node.refused(priced(2n * PRICE, 109n))).toMatchObject({ code: 64 });
    await node.send(priced(2n * PRICE, 110n));
    expect(node.control.waiting()).toHaveLength(1);
  });

  it('a transaction stays in the mempool if its replacement is rejected', async () => {
    const first = await node.send(priced(PRICE));
    await node.refused(priced(PRICE + 1n));
    expect(await node.status(first)).toEqual(RECEIVED);
  });

  it('the mempool compares only each account’s next transaction, and executes the transaction with the highest tip first', async () => {
    await node.send(good);
    await node.send({ ...good, account: BOB, tip: 9n });
    await node.send({ ...good, nonce: 1n, tip: 100n });
    node.control.mine();
    expect(node.control.paidInclusions().map(({ sender, nonce }) => [sender, nonce])).toEqual([
      [BOB.address, 0n],
      [ALICE.address, 0n],
      [ALICE.address, 1n],
    ]);
  });

  it('a transaction waits while the block’s L2 price exceeds the transaction’s maximum price', async () => {
    const hash = await node.send(priced(PRICE));
    node.control.setGasPrices({ l2Gas: PRICE + 1n });
    node.control.mine(2);
    expect(await node.status(hash)).toEqual(RECEIVED);
    node.control.setGasPrices({ l2Gas: PRICE });
    node.control.mine();
    expect(await node.status(hash)).toEqual(ACCEPTED);
  });

  it('a candidate is dropped if its account can no longer pay for it', async () => {
    const first = await node.send(good);
    const second = await node.send({ ...good, nonce: 1n });
    node.control.advance('candidate');
    node.control.mint(ALICE.address, -999n * 10n ** 18n);
    node.control.advance('pre_confirmed');
    expect(await node.error('starknet_getTransactionStatus', [first])).toEqual(UNKNOWN);
    expect(await node.status(second)).toEqual(RECEIVED);
    expect(node.control.paidInclusions()).toEqual([]);
  });

  it('the mempool uses the configured lifetime, replacement percentage and maximum nonce gap', async () => {
    const strict = await startHarness({
      mempool: { lifetimeMs: 1_000, replacementPercent: 50n },
      gateway: { maxNonceGap: 1n },
    });
    try {
      expect(await strict.refused({ ...good, nonce: 2n })).toMatchObject({ code: 63 });
      const hash = await strict.send(priced(PRICE));
      expect(await strict.refused(priced((PRICE * 14n) / 10n))).toMatchObject({ code: 64 });
      strict.control.moveClock(1_000);
      expect(await strict.error('starknet_getTransactionStatus', [hash])).toEqual(UNKNOWN);
    } finally {
      await strict.stop();
    }
  });
});
