import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import {
  PoolTraffic,
  QuoteRedemption,
  RecipientGasBudget,
  SubmitWithdrawal,
  WithdrawalAdmission,
  WithdrawalRevalidator,
  feeEstimateReply,
  type FeeQuote,
  type WithdrawalInput,
} from '../../src/index.js';
import {
  InMemoryTrafficStore,
  SMALL_BATCH_BELOW,
  WITHDRAWAL_LIMITS,
} from '../../src/testing/index.js';
import { anEstimateWorld, swapPool, usdcPool } from '../support/estimate-world.js';
import { LIMITS, anEntry, aGuard } from '../support/guard-world.js';
import { calldataWith, proofOf, vector } from '../support/vector.js';
import { NOW_MS, aWorld, policy, pool, quote } from '../support/world.js';

const [STRK, USDC] = swapPool.tokens.map(({ address }) => address);
const strk = STRK ?? toFelt(0n);
const usdc = USDC ?? toFelt(0n);
const ONE_STRK = 10n ** 18n;
/** Cost in fri of a withdrawal, without deposit and batch: 35,000,000 L2 gas and 5,000 data gas. */
const COST = 35_000_000n * 8_000_000_000n + 5_000n * 30_000_000n;
/** Required fee: the cost plus two percent, in fri. */
const REQUIRED = (COST * 102n) / 100n;
const ROOT = 77n;

/**
 * Relayer that serves the swap pool. Leaf 0 contains 10 STRK, leaf 1 contains an unknown token, and
 * leaf 2 contains a token without a price.
 */
function aSwapPool() {
  const world = aWorld();
  const leaves = [
    { token: strk, amount: 10n * ONE_STRK, maxFee: ONE_STRK / 2n },
    { token: toFelt('0xbad'), amount: 10n, maxFee: 1n },
    { token: usdc, amount: 10n ** 9n, maxFee: 10n ** 7n },
  ];
  const state = {
    maxFee: 0n,
    nextIndex: 3,
    undeployedCount: 0,
    knownRoots: [ROOT],
    spentNullifiers: [],
    leaves,
  };
  world.pools.set(swapPool.address, state);
  const pools = [pool, swapPool];
  const admission = new WithdrawalAdmission(world.ports, { ...policy, pools });
  const guarding = {
    ...aGuard(world.clock, world.submissions, pools),
    spentNotes: world.spending.spentNotes,
  };
  const subject = new SubmitWithdrawal(
    admission,
    world.submissions,
    new QuoteRedemption(world.quoteStore, world.clock),
    guarding,
    WITHDRAWAL_LIMITS,
    SMALL_BATCH_BELOW,
    new RecipientGasBudget(world.clock),
  );
  const calldata = (changes: Parameters<typeof calldataWith>[0] = {}) => {
    const felts = calldataWith({
      root: ROOT,
      batchStart: 0n,
      batchSize: 1n,
      fee: REQUIRED,
      ...changes,
    });
    world.verifier.accept(proofOf(felts));
    return felts;
  };
  const withdraw = (
    changes?: Parameters<typeof calldataWith>[0],
    input: Partial<WithdrawalInput> = {},
  ) =>
    subject.execute({
      poolAddress: swapPool.address,
      calldata: calldata(changes),
      waitMs: 0,
      ...input,
    });
  return { ...world, guarding, subject, calldata, withdraw };
}

describe('a note from a private swap', () => {
  it('S4 withdraws a swap’s output note from the swap pool, with a fee in the note’s token', async () => {
    const { withdraw, submissions, simulator } = aSwapPool();
    await withdraw();
    expect(submissions.accepted).toMatchObject([
      {
        role: 'relay',
        target: { to: swapPool.address, entrypoint: 'withdraw' },
        terms: {
          feeAmount: REQUIRED,
          feeToken: strk,
          costFri: COST,
          strkUsdE8: 4_300_000n,
          feeTokenUsdE8: 4_300_000n,
        },
      },
    ]);
    expect(simulator.simulated).toMatchObject([{ to: swapPool.address, entrypoint: 'withdraw' }]);
  });

  it('rejects the cost calculation for an output note with an unknown leaf', async () => {
    const { ports } = aSwapPool();
    const admission = new WithdrawalAdmission(ports, { ...policy, pools: [swapPool] });
    await expect(admission.costOf(swapPool, undefined)).rejects.toMatchObject({
      code: 'LEAF_UNKNOWN',
    });
  });

  it('S4: starts the reads of leaf, prices and gas prices at the same time', async () => {
    const { withdraw, log } = aSwapPool();
    await withdraw();
    expect(log.ports()).toEqual(['facts', 'gas', 'prices', 'simulation']);
    expect(new Set(log.calls.slice(0, 3).map(({ tick }) => tick)).size).toBe(1);
  });

  it.each([
    ['a fee below the cost, in the leaf’s token', { fee: COST - 1n }, 'FEE_TOO_LOW'],
    ['T11 a fee of the exact cost', { fee: COST }, 'FEE_TOO_LOW'],
    ['T11 a fee below the margin', { fee: REQUIRED - 1n }, 'FEE_TOO_LOW'],
    ['a fee above what the leaf allows', { fee: ONE_STRK / 2n + 1n }, 'FEE_ABOVE_POOL_MAXIMUM'],
    ['a batch of more than the leaf', { batchSize: 2n }, 'BATCH_OUT_OF_BOUNDS'],
    ['an empty batch', { batchSize: 0n }, 'BATCH_OUT_OF_BOUNDS'],
    ['a leaf that no swap has filled', { batchStart: 3n }, 'LEAF_UNKNOWN'],
    ['a leaf of a token that is not known here', { batchStart: 1n }, 'OUTPUT_TOKEN_NOT_SUPPORTED'],
    ['a leaf of a token without a price', { batchStart: 2n }, 'PRICE_UNAVAILABLE'],
    ['a root that the swap pool does not know', { root: 78n }, 'ROOT_UNKNOWN'],
  ] as const)(
    'S4 rejects the withdrawal of a swap’s output note with %s',
    async (_what, changes, code) => {
      const { withdraw, submissions } = aSwapPool();
      await expect(withdraw(changes)).rejects.toMatchObject({ code });
      expect(submissions.accepted).toEqual([]);
    },
  );

  it('rejects a request whose leaf index differs from the leaf in the proof', async () => {
    const { withdraw, submit, subject, calldata } = aSwapPool();
    await expect(withdraw({}, { leafIndex: 1 })).rejects.toMatchObject({
      code: 'LEAF_INDEX_MISMATCH',
    });
    const wanted = { poolAddress: swapPool.address, calldata: calldata(), leafIndex: 1 };
    await expect(subject.dryRun(wanted)).rejects.toMatchObject({ code: 'LEAF_INDEX_MISMATCH' });
    const normal = subject.execute({
      poolAddress: pool.address,
      calldata: calldata(),
      leafIndex: 0,
      waitMs: 0,
    });
    await expect(normal).rejects.toMatchObject({ code: 'LEAF_INDEX_NOT_APPLICABLE' });
    await withdraw({}, { leafIndex: 0 });
    await submit();
  });

  it('an unknown leaf is not counted as an upstream failure', async () => {
    const { withdraw, guarding } = aSwapPool();
    for (let failure = 0; failure < 3; failure += 1)
      await withdraw({ batchStart: 3n, nullifierHash: BigInt(failure) }).catch(() => undefined);
    expect(await guarding.guard.peek(swapPool, 'relay')).toBeNull();
  });

  it('T10: an output note in a token without a price does not pause the swap pool for other tokens', async () => {
    const { withdraw, guarding } = aSwapPool();
    // The root in these proofs does not exist in the pool, so an attacker can create these proofs
    // without any deposit.
    for (let failure = 0; failure < 2 * LIMITS.upstreamFailuresInARow; failure += 1)
      await expect(
        withdraw({ batchStart: 2n, root: 78n, nullifierHash: BigInt(failure) }),
      ).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
    expect(await guarding.guard.peek(swapPool, 'relay')).toBeNull();
  });

  it.each([
    ['of its leaf', { pool: swapPool.address, leafIndex: 0 }, null],
    ['of another leaf', { pool: swapPool.address, leafIndex: 2 }, 'QUOTE_MISMATCH'],
    ['of no leaf', { pool: swapPool.address }, 'QUOTE_MISMATCH'],
    [
      'of a private swap',
      { pool: swapPool.address, leafIndex: 0, operation: 'private_swap' },
      'QUOTE_MISMATCH',
    ],
  ] satisfies readonly (readonly [string, Partial<FeeQuote>, string | null])[])(
    'compares the fee of an output note with the fee of a quote %s',
    async (_what, changes, code) => {
      const { withdraw, quoteStore, submissions } = aSwapPool();
      quoteStore.put({ ...quote, ...changes, feeAmount: 15n });
      const requested = withdraw({ fee: 15n }, { quoteId: quote.id });
      const heard = await requested.then(
        () => null,
        (error: unknown) => Object(error).code,
      );
      expect(heard).toBe(code);
      expect(submissions.accepted).toHaveLength(code === null ? 1 : 0);
    },
  );

  it('S4 ends a waiting withdrawal of an output note once the swap pool reports the note as spent', async () => {
    const { pools, withdraw, submissions, guarding, clock, spending } = aSwapPool();
    await withdraw();
    const [attempt] = submissions.attempts;
    if (attempt === undefined) throw new Error('nothing was accepted');
    const traffic = new PoolTraffic(
      new InMemoryTrafficStore(() => submissions.attempts),
      submissions,
      clock,
    );
    const revalidator = new WithdrawalRevalidator(pools, guarding.spentNotes, traffic, clock);
    // The attempt was accepted again after it lost its nonce, so it is checked at any age.
    const returned = { ...attempt, readmit: true };
    expect(await revalidator.rejectionOf(returned)).toBeNull();
    const nullifierHash = BigInt(vector.publicInputs[1] ?? 0);
    pools.spend(swapPool.address, nullifierHash);
    spending.spentByAnother(swapPool.address, nullifierHash);
    expect(await revalidator.rejectionOf(returned)).toBe('NULLIFIER_SPENT');
  });

  it('withdrawals of output notes use up the swap pool’s gas budget', async () => {
    const { guarding } = aSwapPool();
    const paid = { costFri: ONE_STRK, strkUsdE8: 10n ** 8n, feeTokenUsdE8: 10n ** 8n };
    guarding.money.end(
      anEntry(swapPool, NOW_MS, { terms: { ...paid, feeToken: strk, feeAmount: ONE_STRK } }),
    );
    guarding.money.end(
      anEntry(swapPool, NOW_MS, { terms: { ...paid, feeToken: usdc, feeAmount: 10n ** 6n } }),
    );
    const [ofPool, ofSwapPool] = await guarding.guard.pools();
    expect(ofPool?.money).toMatchObject({ succeeded: 0, earnedFeeToken: 0n });
    expect(ofSwapPool?.money).toMatchObject({
      succeeded: 2,
      losses: 0,
      earnedFeeToken: null,
      earnedFri: 2n * ONE_STRK,
    });
  });
});

describe('the estimate for a note of the swap pool', () => {
  it('S4: the fee estimate for an output note is limited by the leaf’s maximum fee', async () => {
    const { estimateFee, swapLeaves } = anEstimateWorld();
    swapLeaves.fill(swapPool.address, usdc, 100_000_000n);
    const estimate = await estimateFee.execute(swapPool.address, { leafIndex: 0 });
    // The cost of 0.885 STRK is 0.4425 USD, or 442,500 millionths of a USDC. The fee is this amount
    // × 1.2, which is 531 sats at 100,000 USD per BTC.
    expect(estimate).toMatchObject({
      feeAmount: 531_000n,
      costAmount: 442_500n,
      feeToken: { symbol: 'USDC' },
    });
    const reply = feeEstimateReply(estimate);
    expect(reply).toMatchObject({
      feeSats: 531,
      feeAmount: '531000',
      feeToken: usdc,
      maxFeeSats: 5_000,
      maxFeeAmount: '5000000',
      feeBreakdown: {
        depositGasStrk: 0,
        deployBatchGasStrk: 0,
        withdrawGasStrk: 0.885,
        totalGasStrk: 0.885,
      },
    });
    expect(reply).not.toHaveProperty('denomination');
  });

  it.each([
    ['a margin below the minimum', 1n, 2n, 451_350n],
    ['a margin above the minimum', 3n, 3n, 455_775n],
  ])(
    'S4 raises only margins of the swap pool, and only to the minimum: %s',
    async (_what, margin, raised, feeAmount) => {
      const { estimateFee, swapLeaves } = anEstimateWorld(undefined, undefined, margin);
      swapLeaves.fill(swapPool.address, usdc, 100_000_000n);
      expect(await estimateFee.execute(swapPool.address, { leafIndex: 0 })).toMatchObject({
        marginPercent: raised,
        feeAmount,
      });
      expect(await estimateFee.execute(usdcPool.address)).toMatchObject({ marginPercent: margin });
    },
  );

  it('S4: amounts are returned exactly in the smallest unit, even if they exceed the precision of a number', async () => {
    const { estimateFee, swapLeaves } = anEstimateWorld();
    swapLeaves.fill(swapPool.address, strk, 10n ** 23n + 1n);
    const reply = feeEstimateReply(await estimateFee.execute(swapPool.address, { leafIndex: 0 }));
    // The fee is 0.885 STRK × 1.2, at 0.5 USD per STRK. The maximum fee is a twentieth of 100,000
    // STRK, which is 2,500 USD.
    expect(reply).toMatchObject({
      feeAmount: '1062000000000000000',
      feeSats: 531,
      maxFeeAmount: '5000000000000000000000',
      maxFeeSats: 2_500_000,
    });
  });

  it.each([
    ['no leaf for the swap pool', swapPool.address, {}, 'LEAF_INDEX_REQUIRED'],
    ['a leaf for another pool', pool.address, { leafIndex: 0 }, 'LEAF_INDEX_NOT_APPLICABLE'],
    ['a leaf that no swap has filled', swapPool.address, { leafIndex: 1 }, 'LEAF_UNKNOWN'],
    [
      'a swap of a note that was swapped',
      swapPool.address,
      { leafIndex: 0, operation: 'private_swap' },
      'POOL_NOT_SWAPPABLE',
    ],
  ] as const)(
    'rejects %s for a fee estimate and for a quote',
    async (_what, poolAddress, use, code) => {
      const { estimateFee, issueQuote, swapLeaves } = anEstimateWorld();
      swapLeaves.fill(swapPool.address, usdc, 100_000_000n);
      await expect(estimateFee.execute(poolAddress, use)).rejects.toMatchObject({
        code,
        kind: 'unprocessable',
      });
      await expect(issueQuote.execute({ poolAddress, ...use })).rejects.toMatchObject({ code });
    },
  );

  it('S4 the quote for a leaf has the same amount as the fee estimate for this leaf', async () => {
    const { issueQuote, quoteStore, swapLeaves } = anEstimateWorld();
    swapLeaves.fill(swapPool.address, usdc, 100_000_000n);
    const { quote: signed, maxFeeAmount } = await issueQuote.execute({
      poolAddress: swapPool.address,
      leafIndex: 0,
    });
    expect(signed).toMatchObject({
      pool: swapPool.address,
      leafIndex: 0,
      operation: 'withdraw',
      feeAmount: 531_000n,
    });
    expect(maxFeeAmount).toBe(5_000_000n);
    expect(await quoteStore.find(signed.id)).toMatchObject({ leafIndex: 0 });
  });
});

describe('the estimate for a private swap', () => {
  it('S4: the estimate for a private swap uses the gas of a swap, not the gas of a withdrawal', async () => {
    const { estimateFee, issueQuote } = anEstimateWorld();
    const estimate = await estimateFee.execute(pool.address, { operation: 'private_swap' });
    // The swap costs 40,000,000 L2 gas × 25 Gfri + 0.01 STRK = 1.01 STRK. Together with deposit and
    // batch, the cycle costs 1.06 STRK = 530 sats.
    expect(estimate).toMatchObject({ costAmount: 530n, feeAmount: 636n, pool: { maxFee: 1_000n } });
    const { quote: signed } = await issueQuote.execute({
      poolAddress: pool.address,
      operation: 'private_swap',
    });
    expect(signed).toMatchObject({ operation: 'private_swap', leafIndex: null, feeAmount: 636n });
  });

  it('rejects an estimate for a pool that does not support swaps', async () => {
    const { estimateFee } = anEstimateWorld();
    const requested = estimateFee.execute(usdcPool.address, { operation: 'private_swap' });
    await expect(requested).rejects.toMatchObject({
      code: 'POOL_NOT_SWAPPABLE',
      details: { allowed: pool.address },
    });
  });
});

describe('the list of pools', () => {
  it('S4 the list of pools contains the swap pool’s totals in addition to the pools with a denomination', async () => {
    const { listPools, swapLeaves, guarding } = anEstimateWorld();
    swapLeaves.fill(swapPool.address, usdc, 5n);
    expect((await listPools.execute()).swapOutputs).toEqual({
      ...swapPool,
      figures: {
        blockNumber: 1,
        timestamp: 1_700_000_000,
        activeDeposits: 1,
        totalSwaps: 1,
        nextIndex: 1,
        maxFeeBps: 500,
      },
      accepting: true,
      pausedFor: null,
      reason: null,
    });
    swapLeaves.failReads();
    await guarding.control.pause(swapPool.key, 'upgrade');
    expect((await listPools.execute()).swapOutputs).toMatchObject({
      figures: null,
      accepting: false,
      reason: 'upgrade',
    });
  });
});
