import { FakeUpstreamDown } from '@sotto/kernel/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { EstimateFee, LearnGas, type LearntOperation } from '../../src/index.js';
import { feeEstimateReply } from '../../src/fees/domain/fee-estimate-reply.js';
import {
  CYCLE_GAS,
  FEE_MARGIN_PERCENT,
  FakeGasReceipts,
  InMemoryGasBook,
} from '../../src/testing/index.js';
import { anEstimateWorld, usdcPool } from '../support/estimate-world.js';
import { MovingClock } from '../support/moving-clock.js';
import { NOW_MS, pool } from '../support/world.js';

let [book, receipts, clock] = [
  new InMemoryGasBook(),
  new FakeGasReceipts(),
  new MovingClock(NOW_MS),
];
let gas = new LearnGas(book, receipts, clock);
let count = 0;

beforeEach(() => {
  [book, receipts, clock, count] = [
    new InMemoryGasBook(),
    new FakeGasReceipts(),
    new MovingClock(NOW_MS),
    0,
  ];
  gas = new LearnGas(book, receipts, clock);
});

/** A withdrawal that has used so much succeeds, a second after the one before. */
function succeeds(
  l2Gas: bigint,
  of: Felt = pool.address,
  operation: LearntOperation = 'withdraw',
): Felt {
  count += 1;
  const transactionHash = toFelt(BigInt(0x7000 + count));
  book.end({ transactionHash, pool: of, operation, endedAtMs: NOW_MS + 1_000 * count });
  receipts.put(transactionHash, { l2Gas, l1Gas: 0n, l1DataGas: 576n });
  return transactionHash;
}

describe('S13 what withdrawals use', () => {
  it('is not known before the first receipt', async () => {
    await gas.execute();
    expect([
      gas.learnt(pool.address, 'withdraw'),
      gas.learnt(null, 'withdraw'),
      gas.figureOf(pool.address, 'withdraw'),
    ]).toEqual([null, null, undefined]);
  });

  it('is the ninth decile of what receipts of the pool say, with its age', async () => {
    for (let index = 1n; index <= 10n; index += 1n) succeeds(index * 10_000_000n);
    await gas.execute();
    clock.pass(70_000);
    const learnt = {
      l2Gas: 90_000_000n,
      l1DataGas: 576n,
      receipts: 10,
      newestAtMs: NOW_MS + 10_000,
      ageMs: 60_000,
    };
    expect(gas.learnt(pool.address, 'withdraw')).toEqual(learnt);
    expect(gas.figureOf(pool.address, 'withdraw')).toEqual({
      l2Gas: 90_000_000n,
      l1Gas: 0n,
      l1DataGas: 576n,
    });
  });

  it('is learnt apart for each pool and operation; without a pool it is that of the dearest', async () => {
    succeeds(140_000_000n);
    succeeds(60_000_000n, usdcPool.address);
    succeeds(200_000_000n, pool.address, 'private_swap');
    await gas.execute();
    const figures = [pool.address, usdcPool.address, null].map(
      (of) => gas.learnt(of, 'withdraw')?.l2Gas,
    );
    expect(figures).toEqual([140_000_000n, 60_000_000n, 140_000_000n]);
    expect(gas.learnt(pool.address, 'private_swap')?.l2Gas).toBe(200_000_000n);
    expect(gas.learnt(usdcPool.address, 'private_swap')).toBeNull();
  });

  it('asks for a receipt once, and again for one that the node does not have yet', async () => {
    const first = succeeds(1n);
    const late = toFelt('0xdead');
    book.end({
      transactionHash: late,
      pool: pool.address,
      operation: 'withdraw',
      endedAtMs: NOW_MS,
    });
    await gas.execute();
    await gas.execute();
    expect(receipts.asked).toEqual([first, late, late]);
  });

  it('knows what other instances have learnt', async () => {
    succeeds(59_000_000n);
    await new LearnGas(book, receipts, clock).execute();
    await gas.execute();
    expect(gas.learnt(pool.address, 'withdraw')?.l2Gas).toBe(59_000_000n);
  });

  it('stays as it was while node or store do not answer', async () => {
    succeeds(59_000_000n);
    await gas.execute();
    succeeds(61_000_000n);
    receipts.fail();
    await expect(gas.execute()).rejects.toBeInstanceOf(FakeUpstreamDown);
    book.fail();
    await expect(gas.execute()).rejects.toBeInstanceOf(FakeUpstreamDown);
    expect(gas.learnt(pool.address, 'withdraw')).toMatchObject({ l2Gas: 59_000_000n, receipts: 1 });
  });

  it('is what the estimate counts with from then on, and says so', async () => {
    const { latestBlock, getPoolStatus, listPools: _, ...world } = anEstimateWorld();
    const policy = {
      pools: [pool, usdcPool],
      cycleGas: CYCLE_GAS,
      swapCycleGas: CYCLE_GAS,
      marginPercent: FEE_MARGIN_PERCENT,
      wbtc: pool.token,
      gas,
    };
    const subject = new EstimateFee(
      latestBlock,
      world.marketPrices,
      getPoolStatus,
      world.swapLeaves,
      policy,
    );
    const before = await subject.execute(pool.address);
    expect(before.withdrawGas).toEqual({
      l2Gas: CYCLE_GAS.withdrawL2Gas,
      l1DataGas: CYCLE_GAS.l1DataGasPerStep,
      receipts: 0,
      ageMs: null,
    });
    expect(feeEstimateReply(before).withdrawGas).toMatchObject({
      source: 'profile',
      receipts: 0,
      ageSeconds: null,
    });

    succeeds(4n * CYCLE_GAS.withdrawL2Gas);
    await gas.execute();
    const after = await subject.execute(pool.address);
    expect(after.cost.withdrawFri > 3n * before.cost.withdrawFri).toBe(true);
    clock.pass(61_000);
    expect(feeEstimateReply(await subject.execute(pool.address)).withdrawGas).toEqual({
      l2Gas: 140_000_000,
      l1DataGas: 576,
      source: 'receipts',
      receipts: 1,
      ageSeconds: 60,
    });
    expect((await subject.execute(usdcPool.address)).withdrawGas.receipts).toBe(0);
    expect((await subject.execute(null)).withdrawGas.receipts).toBe(1);
  });
});
