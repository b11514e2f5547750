import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import { Felts, UNNAMED_CALLER, feltToBigInt, toFelt, u256ToHalves } from '@sotto/kernel';
import { shownSwapTermsText } from '../../src/pools/domain/private-swap-call.js';
import {
  BN254_SCALAR_ORDER,
  readStatement,
  withdrawalRequested,
} from '../../src/pools/domain/withdrawal.js';
import { withdrawalKey, type SwapOutcome } from '../../src/index.js';
import { type BuiltCall } from '@sotto/market-core';
import { PRIVATE_SWAP_CYCLE_GAS, WITHDRAWAL_LIMITS } from '../../src/testing/index.js';
import { cycleCost } from '../../src/fees/domain/fee.js';
import { mutations } from '../support/mutations.js';
import {
  FIRST_HASH,
  NEW_COMMITMENT,
  QUOTED,
  ROUTER,
  ROUTES,
  SELL_AMOUNT,
  STRK,
  aSwap,
  aSwapWorld,
  deposit,
  poolStatus,
  swapPolicy,
  type SwapWorld,
} from '../support/swap-world.js';
import {
  calldataWith,
  goodCalldata,
  malleatedCalldata,
  proofOf,
  vector,
} from '../support/vector.js';
import { GAS_PRICES, policy, pool } from '../support/world.js';

const MINIMUM = (QUOTED * 99n + 99n) / 100n;
const ETH = toFelt('0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7');

/** Returns the calls with changed calldata. In one call, felts are replaced from this index on. */
function withFelts(
  calls: readonly BuiltCall[],
  index: number,
  at: number,
  ...felts: readonly bigint[]
): readonly BuiltCall[] {
  return calls.map((call, which) => {
    if (which !== index) return call;
    const calldata = Array.from({ length: call.calldata.length }, (_, place) =>
      call.calldata.at(place),
    );
    return { ...call, calldata: Felts.of(calldata.toSpliced(at, felts.length, ...felts)) };
  });
}

function insertRoutes(
  calls: readonly BuiltCall[],
  routes: readonly bigint[],
): readonly BuiltCall[] {
  return calls.map((call, index) =>
    index === 0
      ? call
      : {
          ...call,
          calldata: Felts.of([
            ...Array.from({ length: 11 }, (_, at) => call.calldata.at(at)),
            ...routes,
          ]),
        },
  );
}

/**
 * Number of felts without the route’s parameters: address, proof, commitment, token and minimum,
 * then the number of routes, and the tokens, exchange, percent and length of one route.
 */
const FIXED_FELTS = 1 + goodCalldata.length + 5 + 6;

/** World whose aggregator returns a single route with this many parameters. */
function routedWith(params: number): SwapWorld {
  const world = aSwapWorld();
  const felts = Array.from({ length: params }, () => 7n);
  const route = [
    1n,
    feltToBigInt(pool.token.address),
    feltToBigInt(STRK),
    1n,
    10n ** 12n,
    BigInt(params),
    ...felts,
  ];
  world.aggregator.tamper((calls) => insertRoutes(calls, route));
  return world;
}

/** Returns the swap output that the submission resource reports for the first attempt. */
async function outcomeOf({ submissions, outcomes }: SwapWorld): Promise<SwapOutcome | null> {
  const answer = await submissions.find('attempt-1');
  if (answer === null) throw new Error('nothing was submitted');
  return outcomes.describe(answer);
}

describe('ExecutePrivateSwap', () => {
  it('requests the swap quote and calls with the swap pool as the recipient', async () => {
    const { swap, aggregator } = aSwapWorld();
    await swap();
    const taker = swapPolicy.swapPool;
    expect(aggregator.requested).toEqual([
      { sellToken: pool.token.address, buyToken: STRK, sellAmount: SELL_AMOUNT, taker },
    ]);
    expect(aggregator.builds).toEqual([{ quoteId: 'quote-1', taker, slippagePpm: 9_999 }]);
  });

  it('the simulated call of a swap is not passed to the submission', async () => {
    const { swap, submissions } = aSwapWorld();
    await swap();
    expect(submissions.accepted).toHaveLength(1);
    expect(submissions.expected).toEqual([]);
  });

  it('sells a note’s yield only if the pool shares the yield evenly among its notes', async () => {
    for (const [payoutRule, expected] of [
      ['even_share', SELL_AMOUNT + 33n],
      ['denomination', SELL_AMOUNT],
    ] as const) {
      const { swap, aggregator, statuses } = aSwapWorld({ payoutRule });
      statuses.setStatus(pool.address, {
        ...poolStatus,
        totalAssets: poolStatus.totalAssets + 203n,
      });
      await swap();
      expect(aggregator.requested[0]?.sellAmount).toBe(expected);
    }
  });

  it('S13 rejects a fee that is below the simulated cost of the swap', async () => {
    const { swap, submissions, simulator } = aSwapWorld();
    // The swap costs 572 sats at these prices, but the proof pays a fee of 150 sats.
    simulator.use({ l2Gas: 1_000_000_000n, l1Gas: 0n, l1DataGas: 600n });
    await expect(swap()).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { offered: '150' },
    });
    expect(submissions.accepted).toEqual([]);
  });

  it('submits private_swap for a lane of the role swap owner under the note’s submission key', async () => {
    const { swap, submissions, simulator } = aSwapWorld();
    const gas = { l2Gas: 59_000_000n, l1Gas: 0n, l1DataGas: 600n };
    simulator.use(gas);
    await swap();
    const [submission] = submissions.accepted;
    expect(submission).toMatchObject({
      key: withdrawalKey(policy.chainId, pool.address, BigInt(vector.publicInputs[1] ?? 0)),
      kind: 'private_swap',
      subject: pool.address,
      role: 'swap_owner',
      target: { to: swapPolicy.swapPool, entrypoint: 'private_swap' },
      limits: WITHDRAWAL_LIMITS,
      replayProtected: true,
      terms: {
        feeAmount: BigInt(vector.feeSats),
        costFri: cycleCost(PRIVATE_SWAP_CYCLE_GAS, GAS_PRICES, gas).totalFri,
      },
    });
  });

  it.each([
    ['with', goodCalldata],
    ['without', goodCalldata.slice(1)],
  ])(
    'encodes the swap’s calldata for the contract if the proof comes %s its length felt',
    async (_, proofCalldata) => {
      const { swap, submissions } = aSwapWorld();
      await swap({ proofCalldata });
      const proof = Array.from({ length: goodCalldata.length }, (__, index) =>
        goodCalldata.at(index),
      );
      const sold = feltToBigInt(pool.token.address);
      const bought = feltToBigInt(STRK);
      const expected = [
        feltToBigInt(pool.address),
        ...proof,
        0x5678n,
        0x1234n,
        bought,
        ...u256ToHalves(MINIMUM),
        1n,
        sold,
        bought,
        0xe8c4a46en,
        10n ** 12n,
        2n,
        3_000n,
        60n,
      ];
      expect(submissions.accepted[0]?.calldata.toHex()).toEqual(Felts.of(expected).toHex());
      expect(proof[0]).toBe(BigInt(proof.length - 1));
    },
  );

  it.each<readonly [string, Partial<typeof aSwap>, string, string]>([
    ['no slippage', { slippagePpm: 0 }, 'SLIPPAGE_OUT_OF_RANGE', 'invalid'],
    ['less than 0.1 % slippage', { slippagePpm: 999 }, 'SLIPPAGE_OUT_OF_RANGE', 'invalid'],
    ['a negative slippage', { slippagePpm: -1 }, 'SLIPPAGE_OUT_OF_RANGE', 'invalid'],
    ['more than 15 % slippage', { slippagePpm: 150_001 }, 'SLIPPAGE_OUT_OF_RANGE', 'invalid'],
    [
      'a slippage that is no number',
      { slippagePpm: Number.NaN },
      'SLIPPAGE_OUT_OF_RANGE',
      'invalid',
    ],
    ['half a millionth', { slippagePpm: 0.5 }, 'SLIPPAGE_OUT_OF_RANGE', 'invalid'],
    ['a commitment of 0', { newCommitment: 0n }, 'COMMITMENT_INVALID', 'invalid'],
    ['a negative commitment', { newCommitment: -1n }, 'COMMITMENT_INVALID', 'invalid'],
    ['a commitment of r', { newCommitment: BN254_SCALAR_ORDER }, 'COMMITMENT_INVALID', 'invalid'],
    ['another output token', { outputToken: ETH }, 'OUTPUT_TOKEN_NOT_SUPPORTED', 'unprocessable'],
    [
      'a pool that is not swapped from',
      { wbtcPool: toFelt('0x1234') },
      'POOL_NOT_SUPPORTED',
      'not_found',
    ],
  ])(
    'rejects a swap request with %s before any proof check or request',
    async (_, input, code, kind) => {
      const { swap, aggregator, verifier, log, submissions } = aSwapWorld();
      await expect(swap(input)).rejects.toMatchObject({ code, kind });
      expect([aggregator.requested, log.calls, verifier.checks, submissions.attempts]).toEqual([
        [],
        [],
        0,
        [],
      ]);
    },
  );

  it('accepts a swap whose tolerance or commitment equals the allowed minimum or maximum', async () => {
    for (const input of [
      { slippagePpm: 1_000 },
      { slippagePpm: 150_000 },
      { newCommitment: 1n },
      { newCommitment: BN254_SCALAR_ORDER - 1n },
    ]) {
      const { swap, submissions } = aSwapWorld();
      await swap(input);
      expect(submissions.accepted).toHaveLength(1);
    }
  });

  it('rejects a proof whose recipient is not the swap pool', async () => {
    const { swap, aggregator, verifier, submissions } = aSwapWorld();
    const proofCalldata = calldataWith({ recipient: accountAddress(0x7e11e5n) });
    verifier.accept(proofOf(proofCalldata));
    await expect(swap({ proofCalldata })).rejects.toMatchObject({
      code: 'RECIPIENT_NOT_SWAP_POOL',
      kind: 'unprocessable',
      details: { expected: swapPolicy.swapPool },
    });
    expect([aggregator.requested, submissions.attempts]).toEqual([[], []]);
  });

  // Leave out the checks that differ for swaps. Another recipient fails with a different code, a
  // swap cites no quote here, and its withdrawal is not simulated separately.
  const others = new Set(['recipient', 'pairing', 'simulation']);
  it.each(mutations.filter(({ check, what }) => !others.has(check) && !what.includes('quote')))(
    'rejects a swap request with the fault `$what` with $code, the same code as for a withdrawal',
    async ({ code, make }) => {
      const world = aSwapWorld();
      const { poolAddress: wbtcPool = pool.address, calldata: proofCalldata = goodCalldata } =
        make(world);
      await expect(world.swap({ wbtcPool, proofCalldata })).rejects.toMatchObject({ code });
      expect([world.aggregator.requested, world.submissions.accepted]).toEqual([[], []]);
    },
  );

  it('rejects a private swap with an invalid proof', async () => {
    const { swap, aggregator } = aSwapWorld();
    await expect(swap({ proofCalldata: calldataWith({ fee: 151n }) })).rejects.toMatchObject({
      code: 'PROOF_INVALID',
    });
    expect(aggregator.requested).toEqual([]);
  });

  it('requires a fee that covers the cost of a swap, which is higher than that of a withdrawal', async () => {
    const world = aSwapWorld();
    // The cycle costs 21 sats with a withdrawal, and 24 sats with a swap.
    const proofCalldata = calldataWith({ fee: 23n });
    world.verifier.accept(proofOf(proofCalldata));
    await expect(world.swap({ proofCalldata })).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { required: '24' },
    });
    await expect(world.submit(proofCalldata)).resolves.toMatchObject({ submissionId: 'attempt-1' });
  });

  it('simulates only the call of the swap, with the owner as the sender', async () => {
    const { swap, simulator, submissions } = aSwapWorld();
    await swap();
    const [submission] = submissions.accepted;
    expect(simulator.simulated).toEqual([
      {
        ...submission?.target,
        calldata: submission?.calldata,
        as: swapPolicy.swapOwner,
        at: 'pre_confirmed',
      },
    ]);
  });

  it.each([
    [
      'SwapPool: paused',
      {
        code: 'SIMULATION_REVERTED',
        kind: 'unprocessable',
        details: { reason: 'SwapPool: paused' },
      },
    ],
    [
      'Residual tokens of 0x1234567',
      { code: 'SIMULATION_REVERTED', details: { reason: 'Residual tokens of #' } },
    ],
    [
      'Insufficient tokens received',
      { code: 'SLIPPAGE_TOO_TIGHT', kind: 'unprocessable', details: {} },
    ],
    ['SwapPool: commitment exists', { code: 'COMMITMENT_EXISTS', kind: 'conflict', details: {} }],
  ])('rejects a swap that would revert with %j, and submits nothing', async (reason, failure) => {
    const { swap, simulator, submissions } = aSwapWorld();
    simulator.revert(reason, ({ entrypoint }) => entrypoint === 'private_swap');
    await expect(swap()).rejects.toMatchObject(failure);
    expect(submissions.attempts).toEqual([]);
  });

  it('submits no swap if the node can’t simulate the swap', async () => {
    const { swap, simulator, submissions, aggregator } = aSwapWorld();
    aggregator.tamper((calls) => {
      simulator.fail();
      return calls;
    });
    await expect(swap()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    expect(submissions.attempts).toEqual([]);
  });
});

describe('a private swap at the aggregator', () => {
  it('reports missing quotes and too tight a tolerance with separate codes', async () => {
    const none = aSwapWorld();
    none.aggregator.setRates([]);
    await expect(none.swap()).rejects.toMatchObject({
      code: 'NO_QUOTES_AVAILABLE',
      kind: 'unprocessable',
    });

    const tight = aSwapWorld();
    tight.aggregator.refuseBuilds('slippage_too_tight');
    await expect(tight.swap()).rejects.toMatchObject({
      code: 'SLIPPAGE_TOO_TIGHT',
      kind: 'unprocessable',
    });
    expect([...none.submissions.attempts, ...tight.submissions.attempts]).toEqual([]);
  });

  it('reports NO_QUOTES_AVAILABLE if there is no liquidity, or if the offered amount is zero', async () => {
    const gone = aSwapWorld();
    gone.aggregator.refuseBuilds('no_liquidity');
    await expect(gone.swap()).rejects.toMatchObject({ code: 'NO_QUOTES_AVAILABLE' });

    const nothing = aSwapWorld();
    nothing.aggregator.setRates([
      { sellToken: pool.token.address, buyToken: STRK, bought: 1n, sold: 10n ** 9n },
    ]);
    await expect(nothing.swap()).rejects.toMatchObject({ code: 'NO_QUOTES_AVAILABLE' });
  });

  it('requests new quotes once if a quote has expired at the aggregator', async () => {
    const { swap, aggregator, submissions } = aSwapWorld();
    aggregator.expireNext(1);
    await swap();
    expect(aggregator.builds.map(({ quoteId }) => quoteId)).toEqual(['quote-1', 'quote-4']);
    expect(submissions.accepted).toHaveLength(1);
  });

  it('rejects with QUOTE_EXPIRED_AT_AGGREGATOR if the second quote has expired as well', async () => {
    const { swap, aggregator, submissions } = aSwapWorld();
    aggregator.expireNext(2);
    await expect(swap()).rejects.toMatchObject({
      code: 'QUOTE_EXPIRED_AT_AGGREGATOR',
      kind: 'unavailable',
      retryAfterSeconds: 5,
    });
    expect([aggregator.builds.length, submissions.attempts.length]).toEqual([2, 0]);
  });

  it('T9: sends no request to the aggregator once the aggregator’s request budget is used up', async () => {
    const { swap, aggregator, aggregatorBudget, simulator, submissions, pins } = aSwapWorld();
    for (let route = 0; route < ROUTES; route += 1) aggregatorBudget.spend(UNNAMED_CALLER);
    await expect(swap()).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect([aggregator.requested, simulator.simulated, submissions.attempts]).toEqual([[], [], []]);
    expect(pins.all).toEqual([]);
  });

  it('rethrows the error of an unavailable aggregator', async () => {
    const { swap, aggregator, submissions } = aSwapWorld();
    aggregator.fail();
    await expect(swap()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    expect(submissions.attempts).toEqual([]);
  });

  it('if the read of the pool’s status fails, rethrows the read’s error and does not guess the amount to sell', async () => {
    const { swap, statuses, aggregator } = aSwapWorld();
    statuses.failReads();
    await expect(swap()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    expect(aggregator.requested).toEqual([]);
  });

  it('requests no quote if the fee leaves nothing to swap', async () => {
    const { swap, statuses, aggregator } = aSwapWorld();
    statuses.setStatus(pool.address, {
      ...poolStatus,
      denomination: BigInt(vector.feeSats),
      totalAssets: 0n,
    });
    await expect(swap()).rejects.toMatchObject({ code: 'FEE_ABOVE_POOL_MAXIMUM' });
    expect(aggregator.requested).toEqual([]);
  });

  it.each<readonly [string, string, (calls: readonly BuiltCall[]) => readonly BuiltCall[]]>([
    ['the wrong spender', 'approve_spender', (calls) => withFelts(calls, 0, 0, 0xbadn)],
    ['the wrong beneficiary', 'beneficiary', (calls) => withFelts(calls, 1, 8, 0xbadn)],
    [
      'a lower minimum',
      'minimum_out',
      (calls) => withFelts(calls, 1, 6, ...u256ToHalves(MINIMUM - 1n)),
    ],
    ['an extra call', 'calls', (calls) => [...calls, ...calls.slice(0, 1)]],
  ])('submits no swap if the aggregator’s calls have %s', async (_, reason, change) => {
    const { swap, aggregator, submissions } = aSwapWorld();
    aggregator.tamper(change);
    await expect(swap()).rejects.toMatchObject({
      code: 'SWAP_BUILD_REJECTED',
      kind: 'upstream_failed',
      details: { reason },
    });
    expect(submissions.attempts).toEqual([]);
  });

  it('rejects calls of a router that is not in the profile', async () => {
    const { swap } = aSwapWorld({ routers: [toFelt('0xbad')] });
    await expect(swap()).rejects.toMatchObject({
      code: 'SWAP_BUILD_REJECTED',
      details: { reason: 'router' },
    });
  });

  it('accepts the longest swap route that fits into a transaction, and rejects a longer route', async () => {
    const longest = routedWith(4_996 - FIXED_FELTS);
    await longest.swap();
    expect(longest.submissions.accepted[0]?.calldata).toHaveLength(4_996);
    await expect(routedWith(4_997 - FIXED_FELTS).swap()).rejects.toMatchObject({
      code: 'SWAP_ROUTE_TOO_LONG',
      kind: 'unprocessable',
      details: { felts: 4_997, maximum: 4_996 },
    });
  });

  it('accepts swap routes with branches only if the policy allows branches', async () => {
    const [sold, bought, marker] = [
      feltToBigInt(pool.token.address),
      feltToBigInt(STRK),
      0x6272616e6368n,
    ];
    const exchange = [5n, 10n ** 12n, 0n];
    const route = [1n, sold, bought, marker, ...exchange, 1n, ...exchange];
    const strict = aSwapWorld();
    strict.aggregator.tamper((calls) => insertRoutes(calls, route));
    await expect(strict.swap()).rejects.toMatchObject({
      code: 'SWAP_BUILD_REJECTED',
      details: { reason: 'route_form' },
    });
    const lenient = aSwapWorld({ allowBranchRoutes: true });
    lenient.aggregator.tamper((calls) => insertRoutes(calls, route));
    await lenient.swap();
    expect(lenient.submissions.accepted).toHaveLength(1);
  });
});

describe('one note', () => {
  it('fifty equal concurrent swaps of a note cause one quote request and one submission', async () => {
    const { swap, aggregator, submissions, deposits } = aSwapWorld();
    submissions.executeAll('SUCCEEDED');
    deposits.setSwapDeposit(FIRST_HASH, deposit);
    const answers = await Promise.all(Array.from({ length: 50 }, () => swap()));
    expect([aggregator.requested.length, submissions.accepted.length]).toEqual([1, 1]);
    expect(
      answers.every(
        ({ leafIndex, submissionId }) => leafIndex === 3 && submissionId === 'attempt-1',
      ),
    ).toBe(true);
  });

  it('repeats the stored response for a swap that is in flight or has succeeded', async () => {
    const { swap, aggregator, submissions, deposits } = aSwapWorld();
    const first = await swap();
    aggregator.fail();
    expect(await swap({ proofCalldata: malleatedCalldata })).toEqual(first);
    submissions.execute(first.submissionId, 'SUCCEEDED');
    deposits.setSwapDeposit(FIRST_HASH, deposit);
    expect(await swap()).toMatchObject({ submissionId: first.submissionId, leafIndex: 3 });
  });

  it.each<readonly [string, Partial<typeof aSwap>]>([
    ['another commitment', { newCommitment: NEW_COMMITMENT + 1n }],
    ['another token', { outputToken: ETH }],
  ])('rejects a swap with %s while another swap of the note is in flight', async (_, other) => {
    const { swap, submissions } = aSwapWorld({
      outputTokens: [...swapPolicy.outputTokens, { symbol: 'ETH', address: ETH, decimals: 18 }],
    });
    await swap();
    await expect(swap(other)).rejects.toMatchObject({
      code: 'WITHDRAWAL_IN_PROGRESS',
      kind: 'conflict',
    });
    expect(submissions.attempts).toHaveLength(1);
  });

  it.each<readonly [string, Partial<typeof aSwap>]>([
    ['another tolerance', { slippagePpm: 20_000 }],
    ['a proof at a newer root', { proofCalldata: calldataWith({ root: 0x4007n }) }],
  ])('S12: a repeated request with %s gets the swap in flight unchanged', async (_, other) => {
    const { swap, submissions, verifier, aggregator } = aSwapWorld();
    verifier.accept(proofOf(other.proofCalldata ?? aSwap.proofCalldata));
    await swap();
    const [before] = submissions.accepted;
    aggregator.fail();
    expect(await swap(other)).toMatchObject({ submissionId: 'attempt-1' });
    expect(submissions.accepted).toEqual([before]);
  });

  it('S12: a repeated request with a newer root costs a proof check but no query to the node', async () => {
    const { swap, verifier, log } = aSwapWorld();
    await swap();
    const proofCalldata = calldataWith({ root: 0x4007n });
    verifier.accept(proofOf(proofCalldata));
    const [{ checks }, reads] = [verifier, log.calls.length];
    await swap({ proofCalldata });
    expect([verifier.checks, log.calls.length]).toEqual([checks + 1, reads]);
  });

  it('S12: a repeated request with equal details costs no proof check', async () => {
    const { swap, verifier } = aSwapWorld();
    await swap();
    const { checks } = verifier;
    await swap();
    expect(verifier.checks).toBe(checks);
  });

  it('S12: a repeated request gets the swap in flight even if an earlier release adopted it from the chain', async () => {
    const { swap, submissions } = aSwapWorld();
    const statement = readStatement(proofOf(goodCalldata).publicInputs);
    const shown = withdrawalRequested(pool.address, statement, shownSwapTermsText(aSwap));
    const submit = submissions.submit.bind(submissions);
    submissions.submit = async (wanted) => {
      const { attempt } = await submit(wanted);
      // Rows of the earlier release contain only the whole fingerprint as the effect.
      return { kind: 'conflict', attempt: { ...attempt, ...shown, effect: shown.fingerprint } };
    };
    expect(await swap()).toMatchObject({ submissionId: 'attempt-1' });
  });

  it('only one of two concurrent swaps of a note to different commitments is submitted', async () => {
    const { swap, submissions } = aSwapWorld();
    const answers = await Promise.allSettled([
      swap(),
      swap({ newCommitment: NEW_COMMITMENT + 1n }),
    ]);
    expect(answers).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'SWAP_PINNED' } },
    ]);
    expect(submissions.accepted).toHaveLength(1);
  });

  it('a note is either withdrawn or swapped, never both', async () => {
    const swapped = aSwapWorld();
    await swapped.swap();
    await expect(swapped.submit()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });

    const withdrawn = aSwapWorld();
    await withdrawn.submit();
    await expect(withdrawn.swap()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
    withdrawn.submissions.execute('attempt-1', 'SUCCEEDED');
    await expect(withdrawn.swap()).rejects.toMatchObject({ code: 'NULLIFIER_SPENT' });
  });

  it('accepts either a withdrawal or a swap if both request the same note concurrently', async () => {
    const { swap, submit, submissions } = aSwapWorld();
    const answers = await Promise.allSettled([swap(), submit()]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(submissions.accepted).toHaveLength(1);
  });

  it('a note can be swapped again, with a new route, after its swap has reverted', async () => {
    const { swap, aggregator, submissions } = aSwapWorld();
    await swap();
    submissions.execute('attempt-1', 'REVERTED');
    expect(await swap({ slippagePpm: 20_000 })).toMatchObject({ submissionId: 'attempt-2' });
    expect(aggregator.requested).toHaveLength(2);
  });
});

describe('the answer to a private swap', () => {
  it('the response contains leaf index and amount of the new note once the swap has succeeded', async () => {
    const { swap, submissions, deposits } = aSwapWorld();
    submissions.executeAll('SUCCEEDED');
    deposits.setSwapDeposit(FIRST_HASH, deposit);
    expect(await swap()).toMatchObject({
      submissionId: 'attempt-1',
      answer: { kind: 'executed', execution: 'SUCCEEDED', transactionHash: FIRST_HASH },
      leafIndex: 3,
      outputAmount: deposit.outputAmount,
    });
  });

  it('the response contains leaf index -1 and amount 0 if the swap reverted, and the receipt is not read', async () => {
    const { swap, submissions, deposits } = aSwapWorld();
    submissions.executeAll('REVERTED');
    expect(await swap()).toMatchObject({
      answer: { kind: 'executed', execution: 'REVERTED' },
      leafIndex: -1,
      outputAmount: 0n,
    });
    expect(deposits.reads).toBe(0);
  });

  it('leaf index and amount in the response are null while the outcome of the swap is unknown', async () => {
    const { swap } = aSwapWorld();
    expect(await swap()).toMatchObject({
      answer: { kind: 'pending' },
      leafIndex: null,
      outputAmount: null,
    });
  });

  it('waits for the receipt of a successful swap if the receipt can’t be read yet', async () => {
    const { swap, submissions, deposits, clock } = aSwapWorld();
    submissions.executeAll('SUCCEEDED');
    deposits.fail();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms) => {
      await sleep(ms);
      if (deposits.reads === 3) {
        deposits.fail(null);
        deposits.setSwapDeposit(FIRST_HASH, deposit);
      }
    };
    expect(await swap({ waitMs: 10_000 })).toMatchObject({
      answer: { kind: 'executed' },
      leafIndex: 3,
    });
    expect(deposits.reads).toBe(4);
  });

  it.each<readonly [string, (world: SwapWorld) => void]>([
    ['the node does not answer', ({ deposits }) => deposits.fail()],
    ['there is no receipt', () => {}],
    [
      'the deposit is another’s',
      ({ deposits }) =>
        deposits.setSwapDeposit(FIRST_HASH, { ...deposit, commitment: NEW_COMMITMENT + 1n }),
    ],
  ])('the response is `pending`, never failed, if the swap succeeded but %s', async (_, make) => {
    const world = aSwapWorld();
    world.submissions.executeAll('SUCCEEDED');
    make(world);
    const startedAtMs = world.clock.nowMs();
    expect(await world.swap({ waitMs: 1_200 })).toMatchObject({
      submissionId: 'attempt-1',
      answer: { kind: 'pending', transactionHash: FIRST_HASH },
      leafIndex: null,
      outputAmount: null,
    });
    expect(world.clock.nowMs() - startedAtMs).toBe(1_200);
    expect(world.deposits.reads).toBe(4);
  });

  it('stops polling for the receipt if the caller disconnects', async () => {
    const { swap, submissions, deposits } = aSwapWorld();
    submissions.executeAll('SUCCEEDED');
    expect(await swap({ waitMs: 10_000, signal: AbortSignal.abort() })).toMatchObject({
      answer: { kind: 'pending' },
    });
    expect(deposits.reads).toBe(1);
  });

  it.each([
    ['refused', 'SUBMISSION_REFUSED'],
    ['expired', 'SUBMISSION_EXPIRED'],
  ] as const)('rejects with an error if the swap was %s', async (state, code) => {
    const { swap, submissions } = aSwapWorld();
    const answering = swap({ waitMs: 10_000 });
    while (submissions.accepted.length === 0) await new Promise((resolve) => setImmediate(resolve));
    submissions.end('attempt-1', state, 'ANY_CODE');
    await expect(answering).rejects.toMatchObject({ code, details: { refusal: 'ANY_CODE' } });
  });

  it('reads the response for a swap from the ledger and the chain after a restart', async () => {
    const { swap, restarted, aggregator, submissions, deposits } = aSwapWorld();
    await swap();
    const again = restarted();
    aggregator.fail();
    submissions.execute('attempt-1', 'SUCCEEDED');
    deposits.setSwapDeposit(FIRST_HASH, deposit);
    expect(await again.execute(aSwap)).toMatchObject({
      submissionId: 'attempt-1',
      leafIndex: 3,
      outputAmount: deposit.outputAmount,
    });
    expect(submissions.accepted).toHaveLength(1);
  });
});

describe('the swap output of a submission', () => {
  it('the swap output of a withdrawal is null', async () => {
    const world = aSwapWorld();
    await world.submit();
    world.submissions.execute('attempt-1', 'SUCCEEDED');
    expect(await outcomeOf(world)).toBeNull();
    expect(world.deposits.reads).toBe(0);
  });

  it('reads the swap output from the chain each time, and returns null while the output can’t be read', async () => {
    const world = aSwapWorld();
    await world.swap();
    expect(await outcomeOf(world)).toMatchObject({ leafIndex: null, outputAmount: null });
    world.submissions.execute('attempt-1', 'SUCCEEDED');
    expect(await outcomeOf(world)).toMatchObject({ leafIndex: null, outputAmount: null });
    world.deposits.setSwapDeposit(FIRST_HASH, deposit);
    expect(await outcomeOf(world)).toMatchObject({
      leafIndex: 3,
      outputAmount: deposit.outputAmount,
    });
    world.deposits.fail();
    expect(await outcomeOf(world)).toMatchObject({ leafIndex: null, outputAmount: null });
  });

  it('the swap output has leaf index -1 and amount 0 if the swap reverted or was refused', async () => {
    const reverted = aSwapWorld();
    await reverted.swap();
    reverted.submissions.execute('attempt-1', 'REVERTED');
    const refused = aSwapWorld();
    await refused.swap();
    refused.submissions.end('attempt-1', 'refused', 'ANY_CODE');
    for (const world of [reverted, refused])
      expect(await outcomeOf(world)).toMatchObject({ leafIndex: -1, outputAmount: 0n });
  });
});

describe('the answer to the caller of a private swap', () => {
  const markers = [
    NEW_COMMITMENT,
    BigInt(vector.publicInputs[1] ?? 0),
    goodCalldata.at(1),
    SELL_AMOUNT,
    MINIMUM,
  ].flatMap((value) => [String(value), value.toString(16)]);

  it.each<readonly [string, (world: SwapWorld) => Partial<typeof aSwap>]>([
    ['a bad commitment', () => ({ newCommitment: BN254_SCALAR_ORDER + NEW_COMMITMENT })],
    ['no quotes', ({ aggregator }) => (aggregator.setRates([]), {})],
    ['a tight tolerance', ({ aggregator }) => (aggregator.refuseBuilds('slippage_too_tight'), {})],
    ['expired quotes', ({ aggregator }) => (aggregator.expireNext(2), {})],
    ['a wrong build', ({ aggregator }) => (aggregator.tamper((calls) => calls.toReversed()), {})],
    [
      'a router that is not known',
      ({ aggregator }) => (
        aggregator.tamper((calls) => calls.map((call) => ({ ...call, to: ROUTER }))),
        {}
      ),
    ],
  ])(
    'the error for a rejected request with %s contains no data of the request',
    async (_, make) => {
      const world = aSwapWorld();
      const failure = await world.swap(make(world)).then(
        () => null,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(Error);
      const text = JSON.stringify(failure).concat(String(failure)).toLowerCase();
      for (const marker of markers) expect(text).not.toContain(marker);
    },
  );
});
