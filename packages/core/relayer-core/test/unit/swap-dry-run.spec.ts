import { describe, expect, it } from '@jest/globals';
import type { FeeQuote, PrivateSwapInput } from '../../src/index.js';
import {
  FAIR_RATE,
  STRK,
  aSwap,
  aSwapWorld,
  swapPolicy,
  type SwapWorld,
} from '../support/swap-world.js';
import { calldataWith, vector } from '../support/vector.js';
import { pool, quote } from '../support/world.js';

const { waitMs: _, ...proposed } = aSwap;
const note = {
  chainId: swapPolicy.chainId,
  pool: pool.address,
  nullifierHash: BigInt(vector.publicInputs[1] ?? 0),
};
const LEFT_OUT = {
  check: 'simulation',
  code: 'SIMULATION_REVERTED',
  status: 'skipped',
  detail: 'SWAP_NOT_PINNED',
};

const dryRun = ({ restarted }: SwapWorld, changes: Partial<PrivateSwapInput> = {}) =>
  restarted().dryRun({ ...proposed, ...changes });
const last = (world: SwapWorld) => world.submissions.attempts.at(-1);

describe('the dry run of a private swap', () => {
  it('S4: the dry run of a swap pins nothing, and sends the proof to no node', async () => {
    const world = aSwapWorld();
    const { admissible, checks } = await dryRun(world);
    expect(admissible).toBe(true);
    expect(checks.slice(-2)).toEqual([
      { check: 'fair_value', code: 'PRICE_IMPACT_TOO_HIGH', status: 'passed' },
      LEFT_OUT,
    ]);
    expect(checks.slice(0, -1).every(({ status }) => status === 'passed')).toBe(true);
    expect(world.aggregator.builds).toHaveLength(1);
    expect(world.simulator.simulated).toEqual([]);
    expect(world.submissions.attempts).toEqual([]);
    expect(world.log.ports()).not.toContain('simulation');
  });

  it('S4 the dry run does not pin the note, so that a later request can have other terms', async () => {
    const world = aSwapWorld();
    await dryRun(world);
    expect(await world.pins.find(note)).toBeNull();
    await world.swap({ newCommitment: 5n });
    expect(last(world)).toMatchObject({ role: 'swap_owner' });
  });

  it('S4 reports PRICE_IMPACT_TOO_HIGH for a quote that is too far below the fair value', async () => {
    const world = aSwapWorld();
    world.aggregator.setRates([
      { sellToken: pool.token.address, buyToken: STRK, bought: FAIR_RATE / 2n, sold: 1n },
    ]);
    const { admissible, checks } = await dryRun(world);
    expect(admissible).toBe(false);
    expect(checks.at(-2)).toMatchObject({
      check: 'fair_value',
      code: 'PRICE_IMPACT_TOO_HIGH',
      status: 'failed',
    });
    expect(checks.at(-2)?.details).toHaveProperty('fairAmount');
  });

  it('reports COMMITMENT_EXISTS if the swap pool has a leaf with the commitment', async () => {
    const world = aSwapWorld();
    world.statuses.commit(swapPolicy.swapPool, aSwap.newCommitment);
    expect((await dryRun(world)).checks.at(-2)).toMatchObject({
      code: 'COMMITMENT_EXISTS',
      status: 'failed',
    });
  });

  it('makes no request to the aggregator if an admission check rejects the swap', async () => {
    const world = aSwapWorld();
    const { admissible, checks } = await dryRun(world, {
      proofCalldata: calldataWith({ fee: 1n }),
    });
    expect(admissible).toBe(false);
    expect(checks.find(({ status }) => status === 'failed')).toMatchObject({ check: 'pairing' });
    expect(checks.slice(-2)).toEqual([
      { check: 'fair_value', code: 'PRICE_IMPACT_TOO_HIGH', status: 'skipped' },
      LEFT_OUT,
    ]);
    expect(world.aggregator.requested).toEqual([]);
  });

  it('the dry run reports the fair-value check as skipped if the aggregator is unavailable', async () => {
    const world = aSwapWorld();
    world.aggregator.fail();
    expect((await dryRun(world)).checks.at(-2)).toMatchObject({
      check: 'fair_value',
      status: 'skipped',
      detail: 'FAKE_UPSTREAM_DOWN',
    });
  });
});

describe('a private swap that cites a quote', () => {
  const swapQuote: FeeQuote = { ...quote, operation: 'private_swap' };
  /** Gas prices at which the fee in the proof does not cover any swap. */
  const dear = { l2GasFri: 80_000_000_000n, l1GasFri: 1n, l1DataGasFri: 1n };

  it('S4: a swap that cites a quote pays the quoted fee at any gas price', async () => {
    const world = aSwapWorld();
    world.latestBlock.setGasPrices(dear);
    await expect(world.swap()).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
    world.quoteStore.put({ ...swapQuote, feeAmount: 15n });
    await world.swap({ quoteId: quote.id });
    expect(last(world)).toMatchObject({ role: 'swap_owner' });
    expect(world.quoteStore.isUsed(quote.id)).toBe(true);
  });

  it('S4 rejects a quote that was issued for a withdrawal, which costs less than a swap', async () => {
    const world = aSwapWorld();
    world.quoteStore.put(quote);
    await expect(world.swap({ quoteId: quote.id })).rejects.toMatchObject({
      code: 'QUOTE_MISMATCH',
    });
    await expect(world.swap({ quoteId: 'unknown' })).rejects.toMatchObject({
      code: 'QUOTE_UNKNOWN',
    });
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
  });

  it('T7: rejects a swap whose gas is more than twice the assumed gas', async () => {
    const world = aSwapWorld();
    world.quoteStore.put(swapQuote);
    world.simulator.use({ l2Gas: 1_000_000_000n, l1Gas: 0n, l1DataGas: 600n });
    await expect(world.swap({ quoteId: quote.id })).rejects.toMatchObject({
      code: 'COST_EXCEEDS_QUOTE',
      details: { cost: expect.any(String), assumed: expect.any(String) },
    });
    expect(last(world)).toBeUndefined();
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
    expect(await world.pins.find(note)).not.toBeNull();
    world.simulator.use({ l2Gas: 59_000_000n, l1Gas: 0n, l1DataGas: 600n });
    await world.swap({ quoteId: quote.id });
    expect(world.quoteStore.isUsed(quote.id)).toBe(true);
  });

  it('does not redeem the cited quote if the swap is rejected', async () => {
    const world = aSwapWorld();
    world.quoteStore.put(swapQuote);
    world.simulator.revert('SwapPool: paused', () => true);
    await expect(world.swap({ quoteId: quote.id })).rejects.toMatchObject({
      code: 'SIMULATION_REVERTED',
    });
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
  });
});
