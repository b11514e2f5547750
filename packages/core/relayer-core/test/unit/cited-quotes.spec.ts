import { describe, expect, it } from '@jest/globals';
import type { FeeQuote, SubmittedWithdrawal } from '../../src/index.js';
import { calldataWith, goodCalldata, proofOf } from '../support/vector.js';
import { aWorld, pool, poolState, quote, type World } from '../support/world.js';

/**
 * Gas prices at which a cycle (deposit, batch and withdrawal) costs about 2,075 sats. This exceeds
 * the maximum fee of every pool in these tests.
 */
const DEAR_GAS = { l2GasFri: 800_000_000_000n, l1GasFri: 1n, l1DataGasFri: 3_000_000_000n };

/** Adds a quote of 15 sats, and a valid proof that pays 15 sats. The withdrawal costs 21 sats. */
function quoted(changes: Partial<FeeQuote> = {}, inputs: Parameters<typeof calldataWith>[0] = {}) {
  const world = aWorld();
  world.quoteStore.put({ ...quote, ...changes });
  const calldata = calldataWith({ fee: 15n, ...inputs });
  world.verifier.accept(proofOf(calldata));
  return { world, calldata };
}

function cite(
  world: World,
  calldata = goodCalldata,
  quoteId: string = quote.id,
): Promise<SubmittedWithdrawal> {
  return world.subject.execute({ poolAddress: pool.address, calldata, quoteId, waitMs: 0 });
}

describe('a withdrawal that cites a quote', () => {
  it('admits a withdrawal with the quoted fee even if this fee is below the cost', async () => {
    const { world, calldata } = quoted();
    await expect(world.submit(calldata)).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { required: '21' },
    });
    await cite(world, calldata);
    expect(world.submissions.accepted).toMatchObject([{ terms: { feeAmount: 15n } }]);
    expect(world.quoteStore.isUsed(quote.id)).toBe(true);
  });

  it('accepts a quote until the last millisecond before the quote’s expiry, although the gas cost exceeds every allowed fee', async () => {
    const { world, calldata } = quoted();
    world.latestBlock.setGasPrices(DEAR_GAS);
    world.clock.pass(119_999);
    await cite(world, calldata);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('rejects a withdrawal with QUOTE_EXPIRED if the quote’s time of expiry has been reached', async () => {
    const { world, calldata } = quoted();
    world.clock.pass(120_000);
    await expect(cite(world, calldata)).rejects.toMatchObject({
      code: 'QUOTE_EXPIRED',
      kind: 'unprocessable',
    });
    expect(world.log.calls).toEqual([]);
  });

  it('rejects a withdrawal if its quote expires during the admission', async () => {
    const { world, calldata } = quoted();
    world.simulator.revert('never', () => {
      world.clock.pass(120_000);
      return false;
    });
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(world.submissions.accepted).toEqual([]);
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
  });

  it('accepts a withdrawal fee above the quoted fee, but not above the pool’s maximum fee', async () => {
    const more = quoted({}, { fee: 1_000n });
    await cite(more.world, more.calldata);
    expect(more.world.submissions.accepted).toHaveLength(1);

    const { world, calldata } = quoted();
    world.pools.set(pool.address, { ...poolState, maxFee: 14n });
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'FEE_ABOVE_POOL_MAXIMUM' });
  });

  it('rejects a withdrawal fee below the quoted fee even if the fee covers the cost', async () => {
    const { world, calldata } = quoted({ feeAmount: 40n }, { fee: 39n });
    await expect(cite(world, calldata)).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { offered: '39', required: '40' },
    });
  });

  it('does not redeem the cited quote if a check rejects the withdrawal', async () => {
    const { world, calldata } = quoted();
    world.simulator.revert('invalid proof');
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'SIMULATION_REVERTED' });
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
  });

  it('the dry run does not redeem the cited quote', async () => {
    const { world, calldata } = quoted();
    expect(
      await world.subject.dryRun({ poolAddress: pool.address, calldata, quoteId: quote.id }),
    ).toMatchObject({ admissible: true });
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
    expect(world.submissions.attempts).toEqual([]);
  });

  it('rejects a withdrawal with QUOTE_USED if another withdrawal has used the quote', async () => {
    const { world, calldata } = quoted();
    await cite(world, calldata);
    const other = calldataWith({ fee: 15n, nullifierHash: 7n });
    world.verifier.accept(proofOf(other));
    await expect(cite(world, other)).rejects.toMatchObject({
      code: 'QUOTE_USED',
      kind: 'conflict',
    });
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('accepts only one of two concurrent withdrawals that cite the same quote', async () => {
    const { world, calldata } = quoted();
    const other = calldataWith({ fee: 15n, nullifierHash: 7n });
    world.verifier.accept(proofOf(other));
    const answers = await Promise.allSettled([cite(world, calldata), cite(world, other)]);
    expect(answers).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'QUOTE_USED' } },
    ]);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('returns an equal response to a repeated withdrawal, also after its quote has expired', async () => {
    const { world, calldata } = quoted();
    const first = await cite(world, calldata);
    world.clock.pass(120_000);
    expect(await cite(world, calldata)).toEqual(first);
    expect(await cite(world, calldata, 'any other')).toEqual(first);
  });

  it('redeems a quote again for a new attempt of the withdrawal, until the quote expires', async () => {
    const { world, calldata } = quoted();
    await cite(world, calldata);
    world.submissions.execute('attempt-1', 'REVERTED');
    expect((await cite(world, calldata)).answer.attempt).toMatchObject({ attempt: 2 });
    world.submissions.execute('attempt-2', 'REVERTED');
    world.clock.pass(120_000);
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
  });

  it('a quote is still usable for the next attempt if the ledger fails after the quote’s redemption', async () => {
    const { world, calldata } = quoted();
    const redeem = world.quoteStore.redeem.bind(world.quoteStore);
    world.quoteStore.redeem = async (...terms) => {
      world.submissions.fail();
      return redeem(...terms);
    };
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    world.quoteStore.redeem = redeem;
    world.submissions.fail(null);
    await cite(world, calldata);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a request without a quote does not share the admission of an equal request with a quote', async () => {
    const { world, calldata } = quoted();
    const answers = await Promise.allSettled([world.submit(calldata), cite(world, calldata)]);
    expect(answers).toMatchObject([
      { status: 'rejected', reason: { code: 'FEE_TOO_LOW' } },
      { status: 'fulfilled' },
    ]);
  });

  it('a withdrawal needs market prices even if it cites a quote', async () => {
    const { world, calldata } = quoted();
    world.prices.fail();
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
  });

  it('the dry run reports which checks are skipped if the quote store can’t be read', async () => {
    const world = aWorld();
    world.quoteStore.fail();
    const { checks } = await world.subject.dryRun({
      poolAddress: pool.address,
      calldata: goodCalldata,
      quoteId: quote.id,
    });
    const open = checks
      .filter(({ detail }) => detail === 'FAKE_UPSTREAM_DOWN')
      .map(({ check }) => check);
    expect(open).toEqual(['quote', 'fee_payable', 'fee_covers_cost']);
  });
});
