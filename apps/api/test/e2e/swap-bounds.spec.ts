import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { addressText } from './support/notes.js';
import { QUOTED, SOLD_SATS, SWAP_PAIR, SwapStage } from './support/swap-stage.js';

const { pools, swapPool, tokens, accounts, exchanges } = sandboxWorld;
const inputPool = pools.swap_input_1;

/** Index of the note that each test uses, by the name of the test's scenario. */
const NOTE = {
  t1: 0,
  t1InFlight: 1,
  t2Tries: 2,
  t2Least: 3,
  t2Yield: 4,
  t7: 5,
  t7Signing: 6,
} as const;

/** Returns a share of an amount in thousandths, rounded up. */
const mille = (amount: bigint, share: bigint): bigint => (amount * share + 999n) / 1_000n;

describe('the bounds of a private swap', () => {
  let stage: SwapStage;
  beforeAll(async () => {
    stage = await SwapStage.start(9);
  });
  afterEach(() => stage.restore());
  afterAll(() => stage.stack.stop());

  it('T1: a swap that another caller repeats is signed with this caller’s terms at the current price', async () => {
    const first = await stage.meetWorsePrice(
      NOTE.t1,
      { slippage: 0.005 },
      { quoted: QUOTED, lossMille: 20n },
    );
    expect(first.data).toMatchObject({
      execution_status: 'REVERTED',
      slippage: 0.005,
      floor: String(mille(QUOTED, 995n)),
    });
    await stage.ended();

    // WBTC is now 30 % more expensive. Another caller repeats the public proof, and the route
    // returns 24 % less than the quote of this caller.
    await stage.moveMarket(1_300n);
    const dearer = (QUOTED * 1_300n) / 1_000n;
    const stranger = await stage.meetWorsePrice(
      NOTE.t1,
      { slippage: 0.001 },
      { quoted: dearer, lossMille: 240n },
    );
    expect(stranger.data).toMatchObject({
      execution_status: 'REVERTED',
      slippage: 0.001,
      floor: String(mille(dearer, 999n)),
    });
    await stage.ended();

    // The terms of the owner's request apply only to the owner's swap, not to the swap of the other
    // caller.
    await stage.moveMarket(1_300n);
    const minAmountOut = String((dearer * 9_985n) / 10_000n);
    const owner = await stage.swap(NOTE.t1, { slippage: 0.01, minAmountOut });
    expect(owner.data).toMatchObject({
      execution_status: 'SUCCEEDED',
      outputAmount: `0x${dearer.toString(16)}`,
      floor: minAmountOut,
      slippage: 0.0015,
    });
  });

  it('T1: a request with stricter terms than the swap in flight is rejected with 409', async () => {
    const { control } = stage.stack.chain;
    control.pause();
    const requested = stage.swap(NOTE.t1InFlight, { slippage: 0.01 });
    await eventually(
      'the swap to be sent',
      () => stage.stack.chain.waiting(accounts.swapOwner).length === 1,
    );
    const floor = String(mille(QUOTED, 990n));
    for (const words of [{ slippage: 0.005 }, { slippage: 0.15, minAmountOut: String(QUOTED) }]) {
      const { error, response } = await stage.swap(NOTE.t1InFlight, words);
      expect([response.status, error]).toEqual([
        409,
        expect.objectContaining({
          code: 'STRICTER_THAN_IN_FLIGHT',
          details: { submissionId: expect.any(String), minimum: floor, slippage: '0.01' },
        }),
      ]);
    }
    const looser = stage.swap(NOTE.t1InFlight, { slippage: 0.15, minAmountOut: '1' });
    control.resume();
    const answers = await Promise.all([requested, looser]);
    for (const { data } of answers)
      expect(data).toMatchObject({ execution_status: 'SUCCEEDED', slippage: 0.01, floor });
    const [first, second] = answers.map(({ response }) => response.headers.get('location'));
    expect(second).toBe(first);
  });

  it('T2 a reverted swap is reported at once, and the service never retries it', async () => {
    const before = stage.stack.ledger().attempts.length;
    const { data } = await stage.meetWorsePrice(
      NOTE.t2Tries,
      { slippage: 0.001 },
      { quoted: QUOTED, lossMille: 25n },
    );
    expect(data).toMatchObject({ execution_status: 'REVERTED', slippage: 0.001 });
    stage.setQuote((QUOTED * 975n) / 1_000n);
    await stage.ended();
    for (let block = 0; block < 5; block += 1) stage.stack.chain.control.mine();
    expect(stage.stack.ledger().attempts.slice(before)).toMatchObject([
      { attempt: 1, state: 'reverted' },
    ]);
  });

  it('T2 a requested minimum output of 1 does not disable the slippage tolerance', async () => {
    const { data } = await stage.meetWorsePrice(
      NOTE.t2Least,
      { slippage: 0.005, minAmountOut: '1' },
      { quoted: QUOTED, lossMille: 20n },
    );
    expect(data).toMatchObject({
      execution_status: 'REVERTED',
      slippage: 0.005,
      floor: String(mille(QUOTED, 995n)),
    });
    await stage.ended();
  });

  it('T2: the minimum output includes the yield of the sold note', async () => {
    const { control } = stage.stack.chain;
    const { address } = inputPool;
    const [active = 0n] = await stage.stack.chain.view(address, 'active_deposits');
    const share = inputPool.denomination / 20n;
    control.setStorage(address, 'accrued', share * active);
    const held = await stage.stack.chain.wbtcOf(address);
    control.setStorage(
      tokens.WBTC.address,
      `balance:${address.toString(16)}`,
      held + share * active,
    );
    control.mine();
    const sold = SOLD_SATS + share;
    const quoted = (QUOTED * sold) / SOLD_SATS;
    const { data } = await stage.swap(NOTE.t2Yield);
    expect(data).toMatchObject({
      execution_status: 'SUCCEEDED',
      outputAmount: `0x${quoted.toString(16)}`,
      floor: String(mille(quoted, 990n)),
    });
    control.setStorage(address, 'accrued', 0n);
  });

  it('T7: a quoted swap with 400 legs is rejected before it is sent', async () => {
    const { data: quote } = await stage.sotto.POST('/api/relayer/quote', {
      body: { poolAddress: addressText(inputPool), operation: 'private_swap' },
    });
    const quoteId = quote?.quoteId ?? '';
    stage.stack.chain.control.resetCounters();
    stage.stack.chain.control.aggregator.addFault({
      endpoint: 'build',
      fault: { kind: 'answer', body: manyLegs(400) },
    });
    const refused = await stage.swap(NOTE.t7, { quoteId });
    expect([refused.response.status, refused.error]).toEqual([
      422,
      expect.objectContaining({
        code: 'COST_EXCEEDS_QUOTE',
        details: { cost: expect.any(String), assumed: expect.any(String) },
      }),
    ]);
    expect(
      stage.stack.chain.control.counters().calls['starknet_addInvokeTransaction'],
    ).toBeUndefined();
    const { data } = await stage.swap(NOTE.t7, { quoteId });
    expect(data).toMatchObject({ execution_status: 'SUCCEEDED' });
  });

  it('T7 a swap whose route becomes expensive between admission and signing is never sent', async () => {
    const { control } = stage.stack.chain;
    control.resetCounters();
    // The node computes the simulation before the route becomes more expensive, but responds later.
    // So the admission uses the earlier gas cost.
    control.delay('starknet_simulateTransactions', 1_000);
    const requested = stage.swap(NOTE.t7Signing);
    await eventually(
      'the admission to simulate the swap',
      () => control.counters().calls['starknet_simulateTransactions'] === 1,
    );
    control.setStorage(exchanges.first.address, 'extra_l2_gas', 900_000_000n);
    control.delay('starknet_simulateTransactions', 0);
    const { response, error } = await requested;
    expect([response.status, error]).toEqual([
      422,
      expect.objectContaining({
        code: 'SUBMISSION_REFUSED',
        details: { refusal: 'COST_EXCEEDS_QUOTE' },
      }),
    ]);
    expect(control.counters().calls['starknet_addInvokeTransaction']).toBeUndefined();

    control.setStorage(exchanges.first.address, 'extra_l2_gas', 0n);
    control.mine();
    const { data } = await stage.swap(NOTE.t7Signing);
    expect(data).toMatchObject({ execution_status: 'SUCCEEDED' });
  });
});

const hex = (value: bigint): string => `0x${value.toString(16)}`;

/** Returns the calls of a swap that sells the amount in this many legs on one exchange. */
function manyLegs(count: number): object {
  const whole = 10n ** 12n;
  const legs = Array.from({ length: count }, (_, index) => [
    SWAP_PAIR.sellToken,
    SWAP_PAIR.buyToken,
    exchanges.first.address,
    // Each leg sells an equal part of the remaining amount, and the last leg sells all of it.
    whole / BigInt(count - index),
    0n,
  ]);
  const router = sandboxWorld.router;
  const swap = [
    SWAP_PAIR.sellToken,
    SOLD_SATS,
    0n,
    SWAP_PAIR.buyToken,
    QUOTED,
    0n,
    mille(QUOTED, 991n),
    0n,
    swapPool.address,
    0n,
    0n,
    BigInt(count),
    ...legs.flat(),
  ];
  return [
    {
      contractAddress: hex(SWAP_PAIR.sellToken),
      entrypoint: 'approve',
      calldata: [router, SOLD_SATS, 0n].map(hex),
    },
    { contractAddress: hex(router), entrypoint: 'multi_route_swap', calldata: swap.map(hex) },
  ];
}
