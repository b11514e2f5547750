import { FakeUpstreamDown, MovingClock } from '@sotto/kernel/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { EstimateFee, LearnGas, type LearntOperation } from '../../src/index.js';
import { type GasUsed } from '@sotto/submission-core';
import { cycleCost } from '../../src/fees/domain/fee.js';
import { costExceedsQuote } from '../../src/fees/domain/quote-ceiling.js';
import { feeEstimateReply } from '../../src/fees/domain/fee-estimate-reply.js';
import {
  CYCLE_GAS,
  FEE_MARGIN_PERCENT,
  PRIVATE_SWAP_CYCLE_GAS,
  FakeGasReceipts,
  InMemoryGasStore,
} from '../../src/testing/index.js';
import { anEstimateWorld, usdcPool } from '../support/estimate-world.js';
import { NOW_MS, pool } from '../support/world.js';

let [store, receipts, clock] = [
  new InMemoryGasStore(),
  new FakeGasReceipts(),
  new MovingClock(NOW_MS),
];
const ASSUMED = {
  withdraw: { l2Gas: CYCLE_GAS.withdrawL2Gas, l1DataGas: CYCLE_GAS.l1DataGasPerStep },
  private_swap: {
    l2Gas: PRIVATE_SWAP_CYCLE_GAS.withdrawL2Gas,
    l1DataGas: CYCLE_GAS.l1DataGasPerStep,
  },
  apply_actions: { l2Gas: 80_000_000n, l1DataGas: CYCLE_GAS.l1DataGasPerStep },
} as const;
/** Network of each caller, by the id of the caller’s attempt. */
let networks = new Map<string, string>();
const callers = { networkOf: (id: string) => networks.get(id) ?? null };
const anInstance = (): LearnGas => new LearnGas(store, receipts, callers, clock, ASSUMED);
let gas = anInstance();
let count = 0;

beforeEach(() => {
  [store, receipts, clock, count] = [
    new InMemoryGasStore(),
    new FakeGasReceipts(),
    new MovingClock(NOW_MS),
    0,
  ];
  networks = new Map();
  gas = anInstance();
});

/**
 * Adds a successful withdrawal with this gas use, which ended one second after the previous
 * withdrawal.
 */
function succeeds(
  l2Gas: bigint,
  of: Felt = pool.address,
  operation: LearntOperation = 'withdraw',
  network: string | null = null,
): Felt {
  count += 1;
  const id = `attempt-${count}`;
  if (network !== null) networks.set(id, network);
  const transactionHash = toFelt(BigInt(0x7000 + count));
  store.end({ id, transactionHash, pool: of, operation, endedAtMs: NOW_MS + 1_000 * count });
  receipts.put(transactionHash, { l2Gas, l1Gas: 0n, l1DataGas: 576n });
  return transactionHash;
}

describe('S13 the learnt gas of withdrawals', () => {
  it('learnt gas is unknown before the first receipt', async () => {
    await gas.execute();
    expect([
      gas.learnt(pool.address, 'withdraw'),
      gas.learnt(null, 'withdraw'),
      gas.figureOf(pool.address, 'withdraw'),
    ]).toEqual([null, null, undefined]);
  });

  it('learnt gas is the ninth decile of the gas in the pool’s receipts', async () => {
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

  it('learns gas separately for each pool and operation', async () => {
    succeeds(140_000_000n);
    succeeds(60_000_000n, usdcPool.address);
    succeeds(150_000_000n, pool.address, 'private_swap');
    await gas.execute();
    const figures = [pool.address, usdcPool.address, null].map(
      (of) => gas.learnt(of, 'withdraw')?.l2Gas,
    );
    expect(figures).toEqual([140_000_000n, 60_000_000n, 140_000_000n]);
    expect(gas.learnt(pool.address, 'private_swap')?.l2Gas).toBe(150_000_000n);
    expect(gas.learnt(usdcPool.address, 'private_swap')).toBeNull();
  });

  it('reads each receipt once, but retries if the node does not have the receipt yet', async () => {
    const first = succeeds(1n);
    const late = toFelt('0xdead');
    store.end({
      id: 'late',
      transactionHash: late,
      pool: pool.address,
      operation: 'withdraw',
      endedAtMs: NOW_MS,
    });
    await gas.execute();
    await gas.execute();
    expect(receipts.requested).toEqual([first, late, late]);
  });

  it('learns from receipts that other instances have read', async () => {
    succeeds(59_000_000n);
    await anInstance().execute();
    await gas.execute();
    expect(gas.learnt(pool.address, 'withdraw')?.l2Gas).toBe(59_000_000n);
  });

  it('learnt gas does not change while the node or the store is unavailable', async () => {
    succeeds(59_000_000n);
    await gas.execute();
    succeeds(61_000_000n);
    receipts.fail();
    await expect(gas.execute()).rejects.toBeInstanceOf(FakeUpstreamDown);
    store.fail();
    await expect(gas.execute()).rejects.toBeInstanceOf(FakeUpstreamDown);
    expect(gas.learnt(pool.address, 'withdraw')).toMatchObject({ l2Gas: 59_000_000n, receipts: 1 });
  });

  it('fee estimates use the learnt gas once it is known', async () => {
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

const swaps = (times: number, l2Gas: bigint, network: string | null): void => {
  for (let index = 0; index < times; index += 1)
    succeeds(l2Gas, pool.address, 'private_swap', network);
};

const swapFigure = (of = gas): bigint | undefined => of.learnt(pool.address, 'private_swap')?.l2Gas;

describe('T11 the gas learnt from receipts', () => {
  const DEAR = 538_000_000n;
  const MOST = 4n * PRIVATE_SWAP_CYCLE_GAS.withdrawL2Gas;

  it('eleven expensive swaps of one network do not raise the learnt gas if only one other network has sent swaps', async () => {
    swaps(9, 39_000_000n, '198.51.100.0/24');
    await gas.execute();
    expect(swapFigure()).toBe(39_000_000n);
    swaps(11, DEAR, '203.0.113.0/24');
    await gas.execute();
    expect(swapFigure()).toBe(PRIVATE_SWAP_CYCLE_GAS.withdrawL2Gas);
  });

  it('the swaps of three honest networks limit the learnt gas, even if another network sends many expensive swaps', async () => {
    for (const [index, network] of ['a', 'b', 'c'].entries())
      swaps(1, 40_000_000n + BigInt(index), network);
    for (let round = 0; round < 5; round += 1) {
      swaps(18, DEAR, 'dear');
      await gas.execute();
    }
    expect(swapFigure()).toBe(40_000_002n);
  });

  it('cheap swaps of one network do not lower the learnt gas if only one other network has sent swaps', async () => {
    swaps(5, 90_000_000n, 'honest');
    swaps(5, 20_000_000n, 'cheap');
    await gas.execute();
    expect(swapFigure()).toBe(PRIVATE_SWAP_CYCLE_GAS.withdrawL2Gas);
  });

  it('learnt gas rises if the swaps of many networks become more expensive', async () => {
    for (let network = 0; network < 8; network += 1)
      swaps(2, 70_000_000n + BigInt(network), `network ${network}`);
    await gas.execute();
    expect(swapFigure()).toBe(70_000_005n);
  });

  it('learnt gas never exceeds four times the gas in the profile, even if all receipts exceed it', async () => {
    swaps(11, DEAR, 'one');
    await gas.execute();
    expect(swapFigure()).toBe(MOST);
    for (let network = 0; network < 8; network += 1) swaps(1, DEAR, `network ${network}`);
    await gas.execute();
    expect(swapFigure()).toBe(MOST);
  });

  it('treats all receipts of unknown callers as one network after a restart', async () => {
    for (const network of ['a', 'b', 'c', 'd']) swaps(4, 41_000_000n, network);
    await gas.execute();
    networks.clear();
    // The first instance has already read these receipts, so it still knows their networks.
    await gas.execute();
    const restarted = anInstance();
    swaps(2, DEAR, 'dear');
    await Promise.all([gas.execute(), restarted.execute()]);
    expect([swapFigure(), swapFigure(restarted)]).toEqual([41_000_000n, 41_000_000n]);
  });

  it('the maximum of the learnt gas also limits the cost of a swap that the service signs', async () => {
    swaps(11, DEAR, 'one');
    await gas.execute();
    const prices = { l2GasFri: 8n, l1GasFri: 0n, l1DataGasFri: 0n };
    const friWith = (used: GasUsed | undefined): bigint =>
      cycleCost(PRIVATE_SWAP_CYCLE_GAS, prices, used).totalFri;
    const assumedFri = friWith(gas.figureOf(pool.address, 'private_swap'));
    const dearest = friWith({ l2Gas: 2n * MOST + 2_000_000n, l1Gas: 0n, l1DataGas: 0n });
    expect(costExceedsQuote({ fri: dearest, assumedFri })).not.toBeNull();
    expect(assumedFri).toBe(friWith({ l2Gas: MOST, l1Gas: 0n, l1DataGas: 0n }));
  });
});
