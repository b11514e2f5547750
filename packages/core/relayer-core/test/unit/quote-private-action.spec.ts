import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Caller } from '@sotto/kernel';
import {
  FEE_ADDRESS,
  ONE,
  SPONSOR_KEY,
  STRK,
  USDC,
  aPrivateActionWorld,
  aRequest,
  privacyPool,
} from '../support/private-action-world.js';
import { GAS_PRICES } from '../support/world.js';

let world = aPrivateActionWorld();
beforeEach(() => {
  world = aPrivateActionWorld();
});

const caller: Caller = { name: 'a', networks: ['net-a'] };
const neighbour: Caller = { name: 'b', networks: ['net-a'] };
const stranger: Caller = { name: 'c', networks: ['net-c'] };
const quote = (changes = {}) =>
  world.quotes.execute({
    poolAddress: privacyPool.address,
    token: STRK.address,
    caller,
    ...changes,
  });
const pay = (amount: bigint, by: Caller = caller, spent = 1n) =>
  world.submit(
    aRequest({ spent: [spent], payments: [[FEE_ADDRESS, STRK.address, amount]] }, { caller: by }),
  );
const raiseGas = (percent: bigint): void => {
  const l2GasFri = (GAS_PRICES.l2GasFri * percent) / 100n;
  world.latestBlock.setGasPrices({ ...GAS_PRICES, l2GasFri });
};

describe('QuotePrivateAction', () => {
  it('returns cost and fee in fri and in the token', async () => {
    world.state.pool = { ...world.state.pool, feeFri: ONE };
    const costFri = 80_000_000n * 8_000_000_000n + 5_000n * 30_000_000n + ONE;
    expect(await quote()).toEqual({
      token: STRK.address,
      tokenPriceFri: ONE,
      costFri,
      costAmount: costFri,
      feeFri: 2_000_000_000_000_000_000n,
      feeAmount: 2_000_000_000_000_000_000n,
      recipient: FEE_ADDRESS,
    });
    expect(await quote({ token: toFelt('0x1002') })).toMatchObject({
      tokenPriceFri: 25n * ONE,
      costAmount: 65_601n,
      feeAmount: 79_000n,
    });
  });

  it('a sponsored action has no fee, and its request needs the key', async () => {
    await expect(quote({ feeMode: 'sponsored' })).rejects.toMatchObject({
      code: 'SPONSOR_UNKNOWN',
    });
    expect(await quote({ feeMode: 'sponsored', sponsorKey: SPONSOR_KEY })).toMatchObject({
      feeAmount: 0n,
      costFri: 0n,
    });
  });

  it('the fee of a pool without a fee is the smallest unit, if a sponsor pays the gas', async () => {
    expect(await quote({ feeMode: 'sponsored_private', sponsorKey: SPONSOR_KEY })).toMatchObject({
      feeAmount: 1n,
      costFri: 0n,
    });
  });

  it('rejects tokens and pools that are not served', async () => {
    await expect(quote({ token: toFelt('0x9') })).rejects.toMatchObject({
      code: 'FEE_TOKEN_NOT_SERVED',
    });
    await expect(quote({ poolAddress: toFelt('0x9') })).rejects.toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
    });
  });

  it('lists the tokens with their prices', async () => {
    expect(await world.quotes.tokens()).toEqual([
      { address: STRK.address, decimals: 18, priceFri: ONE },
      { address: '0x1002', decimals: 6, priceFri: 25n * ONE },
    ]);
  });

  it('availability follows the pool', async () => {
    expect(await world.quotes.isAvailable()).toBe(true);
    world.state.pool = { ...world.state.pool, isPaused: true };
    await world.clock.sleep(10_000);
    expect(await world.quotes.isAvailable()).toBe(false);
  });
});

describe('promised fees', () => {
  it('a promised fee is accepted although the gas has become dearer', async () => {
    const { feeAmount } = await quote();
    raiseGas(140n);
    await pay(feeAmount);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a promise covers one transaction', async () => {
    const { feeAmount } = await quote();
    raiseGas(140n);
    await pay(feeAmount);
    await expect(pay(feeAmount, caller, 2n)).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
  });

  it('only one of two concurrent transactions uses a promise', async () => {
    const { feeAmount } = await quote();
    raiseGas(140n);
    const results = await Promise.allSettled([pay(feeAmount), pay(feeAmount, neighbour, 2n)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a promise belongs to the network of its caller', async () => {
    const { feeAmount } = await quote();
    raiseGas(140n);
    await expect(pay(feeAmount, stranger)).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
    await pay(feeAmount, neighbour);
  });

  it('a promise does not cover a cost that has risen by more than half', async () => {
    const { feeAmount } = await quote();
    raiseGas(160n);
    await expect(pay(feeAmount)).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
  });

  it('a promise does not cover a token that has lost a third of its value', async () => {
    const { feeAmount } = await quote({ token: USDC.address });
    const payment = [FEE_ADDRESS, USDC.address, feeAmount] as const;
    const pays = (spent: bigint) =>
      world.subject.execute({
        ...aRequest({ spent: [spent], payments: [payment] }),
        caller,
        waitMs: 0,
      });
    world.setPrices({ USDC: 62_000_000n });
    await expect(pays(1n)).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
    world.setPrices({ USDC: 72_000_000n });
    await pays(1n);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('concurrent transactions of one network use one promise each', async () => {
    const { feeAmount } = await quote();
    await quote({ caller: neighbour });
    raiseGas(140n);
    await Promise.all([pay(feeAmount), pay(feeAmount, neighbour, 2n)]);
    expect(world.submissions.accepted).toHaveLength(2);
  });

  it('concurrent copies of a transaction need one promise', async () => {
    const { feeAmount } = await quote();
    raiseGas(140n);
    const copies = await Promise.all([pay(feeAmount), pay(feeAmount, neighbour)]);
    expect(new Set(copies.map(({ submissionId }) => submissionId)).size).toBe(1);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a promise ends after a minute', async () => {
    const { feeAmount } = await quote();
    raiseGas(140n);
    await world.clock.sleep(60_000);
    await expect(pay(feeAmount)).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
  });

  it('a caller gets a bounded number of promises', async () => {
    for (let count = 0; count < 4; count += 1) await quote();
    await expect(quote()).rejects.toMatchObject({ code: 'TOO_MANY_QUOTES' });
    await quote({ caller: stranger });
  });
});
