import { describe, expect, it } from '@jest/globals';
import type { FeeQuote, SubmittedWithdrawal } from '../../src/index.js';
import { calldataWith, goodCalldata, proofOf } from '../support/vector.js';
import { aWorld, pool, poolState, quote, type World } from '../support/world.js';

/**
 * Gas prices at which the cycle costs about 2,075 sats, above the maximum fee of every pool here.
 */
const DEAR_GAS = { l2GasFri: 800_000_000_000n, l1GasFri: 1n, l1DataGasFri: 3_000_000_000n };

/** Adds a quote of 15 sats, and a valid proof with that fee, which is below the cost of 21. */
function quoted(changes: Partial<FeeQuote> = {}, inputs: Parameters<typeof calldataWith>[0] = {}) {
  const world = aWorld();
  world.quoteBook.put({ ...quote, ...changes });
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
  it('is admitted with the quoted fee below the cost, and redeems the quote', async () => {
    const { world, calldata } = quoted();
    await expect(world.submit(calldata)).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { required: '21' },
    });
    await cite(world, calldata);
    expect(world.submissions.accepted).toMatchObject([{ terms: { feeAmount: 15n } }]);
    expect(world.quoteBook.isUsed(quote.id)).toBe(true);
  });

  it('is admitted until the last moment although the gas cost exceeds every fee', async () => {
    const { world, calldata } = quoted();
    world.latestBlock.setGasPrices(DEAR_GAS);
    world.clock.pass(119_999);
    await cite(world, calldata);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('is rejected at the moment of expiry', async () => {
    const { world, calldata } = quoted();
    world.clock.pass(120_000);
    await expect(cite(world, calldata)).rejects.toMatchObject({
      code: 'QUOTE_EXPIRED',
      kind: 'unprocessable',
    });
    expect(world.log.calls).toEqual([]);
  });

  it('is rejected if the quote expires during its admission', async () => {
    const { world, calldata } = quoted();
    world.simulator.revert('never', () => {
      world.clock.pass(120_000);
      return false;
    });
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(world.submissions.accepted).toEqual([]);
    expect(world.quoteBook.isUsed(quote.id)).toBe(false);
  });

  it('may offer more than the quote, but not more than the pool’s maximum', async () => {
    const more = quoted({}, { fee: 1_000n });
    await cite(more.world, more.calldata);
    expect(more.world.submissions.accepted).toHaveLength(1);

    const { world, calldata } = quoted();
    world.pools.set(pool.address, { ...poolState, maxFee: 14n });
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'FEE_ABOVE_POOL_MAXIMUM' });
  });

  it('is rejected below the quote, even if the cost is lower still', async () => {
    const { world, calldata } = quoted({ feeAmount: 40n }, { fee: 39n });
    await expect(cite(world, calldata)).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { offered: '39', required: '40' },
    });
  });

  it('leaves the quote unused if any check rejects it', async () => {
    const { world, calldata } = quoted();
    world.simulator.revert('invalid proof');
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'SIMULATION_REVERTED' });
    expect(world.quoteBook.isUsed(quote.id)).toBe(false);
  });

  it('leaves the quote unused in the dry run', async () => {
    const { world, calldata } = quoted();
    expect(
      await world.subject.dryRun({ poolAddress: pool.address, calldata, quoteId: quote.id }),
    ).toMatchObject({ admissible: true });
    expect(world.quoteBook.isUsed(quote.id)).toBe(false);
    expect(world.submissions.attempts).toEqual([]);
  });

  it('can’t use a quote that another withdrawal has used', async () => {
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

  it('succeeds only once if two withdrawals cite the same quote concurrently', async () => {
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

  it('returns the same answer again, also after the quote has expired', async () => {
    const { world, calldata } = quoted();
    const first = await cite(world, calldata);
    world.clock.pass(120_000);
    expect(await cite(world, calldata)).toEqual(first);
    expect(await cite(world, calldata, 'any other')).toEqual(first);
  });

  it('may cite its quote again for a new attempt until the quote expires', async () => {
    const { world, calldata } = quoted();
    await cite(world, calldata);
    world.submissions.execute('attempt-1', 'REVERTED');
    expect((await cite(world, calldata)).answer.attempt).toMatchObject({ attempt: 2 });
    world.submissions.execute('attempt-2', 'REVERTED');
    world.clock.pass(120_000);
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
  });

  it('keeps the quote for its next attempt if the ledger fails after the redemption', async () => {
    const { world, calldata } = quoted();
    const redeem = world.quoteBook.redeem.bind(world.quoteBook);
    world.quoteBook.redeem = async (...terms) => {
      world.submissions.fail();
      return redeem(...terms);
    };
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    world.quoteBook.redeem = redeem;
    world.submissions.fail(null);
    await cite(world, calldata);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('does not share its admission with an equal request without a quote', async () => {
    const { world, calldata } = quoted();
    const answers = await Promise.allSettled([world.submit(calldata), cite(world, calldata)]);
    expect(answers).toMatchObject([
      { status: 'rejected', reason: { code: 'FEE_TOO_LOW' } },
      { status: 'fulfilled' },
    ]);
  });

  it('needs market prices for the accounting in any case', async () => {
    const { world, calldata } = quoted();
    world.prices.fail();
    await expect(cite(world, calldata)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
    expect(world.quoteBook.isUsed(quote.id)).toBe(false);
  });

  it('reports in the dry run which checks an unreadable quote store prevents', async () => {
    const world = aWorld();
    world.quoteBook.fail();
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
