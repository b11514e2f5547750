import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSottoClient, type SottoClient } from '@sotto/client';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import {
  addressText,
  commitmentText,
  commitmentsOf,
  forgedWithdrawalOf,
  notesOf,
} from './support/notes.js';
import { Stack } from './support/stack.js';

const { pools, swapPool, tokens, accounts, exchanges } = sandboxWorld;
const inputPool = pools.swap_input_1;
const pair = { sellToken: tokens.WBTC.address, buyToken: tokens.ETH.address };
const fee = 400n;
const SOLD_SATS = inputPool.denomination - fee;
/** Quote for the amount at the sandbox's prices, in wei of ETH. */
const QUOTED = 5_600_000_000_000_000n;
const BTC_USD_E8 = 10_000_000_000_000n;

const inputs = notesOf(21n, 6);
const outputs = notesOf(22n, 6);
/** Index of the note of each story. */
const NOTE = { t1: 0, t1InFlight: 1, t2Tries: 2, t2Least: 3, t2Yield: 4, t7: 5 } as const;

/** Share of an amount in thousandths, rounded up. */
const mille = (amount: bigint, share: bigint): bigint => (amount * share + 999n) / 1_000n;

describe('the bounds of a private swap', () => {
  let stack: Stack;
  let sotto: SottoClient;
  const proofs = inputs.map((_, index) => forgedWithdrawalOf({ notes: inputs, index, fee }));
  beforeAll(async () => {
    stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      deposit: (chain) => chain.depositInto(inputPool, commitmentsOf(inputs)),
    });
    sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
    await stack.service.ready();
  });
  afterEach(async () => {
    const { control } = stack.chain;
    control.aggregator.clearFaults();
    control.resume();
    await moveMarket(1_000n);
  });
  afterAll(() => stack.stop());

  interface Words {
    readonly slippage?: number;
    readonly minAmountOut?: string;
    readonly quoteId?: string;
  }
  const swap = (index: number, words: Words = {}) => {
    const note = outputs[index];
    if (note === undefined) throw new RangeError('there is no such note');
    return sotto.POST('/api/relayer/private-swap', {
      body: {
        wbtcPool: addressText(inputPool),
        proofCalldata: [...(proofs[index] ?? [])],
        newCommitment: commitmentText(note),
        outputToken: addressText(tokens.ETH),
        ...words,
      },
    });
  };
  const setQuote = (amount: bigint): void =>
    stack.chain.control.aggregator.setRate({ ...pair, sellAmount: SOLD_SATS, buyAmount: amount });

  /** Sets the rate and both market prices of WBTC to this share of the usual ones. */
  async function moveMarket(share: bigint): Promise<void> {
    setQuote((QUOTED * share) / 1_000n);
    stack.chain.setPrice('BTC/USD', { usdE8: (BTC_USD_E8 * share) / 1_000n });
    stack.chain.setPrice('WBTC/USD', { usdE8: (BTC_USD_E8 * share) / 1_000n });
    stack.chain.control.mine();
    await eventually('the price to be known', async () => {
      const { data } = await sotto.GET('/api/relayer/fee-estimate');
      return data?.prices.btcUsd === Number(BTC_USD_E8 * share) / 1e11;
    });
  }

  /** Sends a swap that meets a price lower by this share than its quote, in thousandths. */
  async function meetWorsePrice(
    index: number,
    words: Words,
    { quoted, lossMille }: { readonly quoted: bigint; readonly lossMille: bigint },
  ) {
    const { control } = stack.chain;
    control.pause();
    const asked = swap(index, words);
    await eventually(
      'the swap to be sent',
      () => stack.chain.waiting(accounts.swapOwner).length === 1,
    );
    setQuote((quoted * (1_000n - lossMille)) / 1_000n);
    control.resume();
    return asked;
  }
  const attempts = (): readonly unknown[] => stack.ledger().attempts;
  const ended = () =>
    eventually('every attempt to end', () =>
      stack.ledger().attempts.every(({ state }) => state !== 'accepted' && state !== 'broadcast'),
    );

  it('T1 a repeat by anybody is signed with its own words and the value of its day, and binds no later request', async () => {
    const first = await meetWorsePrice(
      NOTE.t1,
      { slippage: 0.005 },
      { quoted: QUOTED, lossMille: 20n },
    );
    expect(first.data).toMatchObject({
      execution_status: 'REVERTED',
      slippage: 0.005,
      floor: String(mille(QUOTED, 995n)),
    });
    await ended();

    // WBTC is 30 % dearer. A stranger repeats the public proof; the route brings 24 % less.
    await moveMarket(1_300n);
    const dearer = (QUOTED * 1_300n) / 1_000n;
    const stranger = await meetWorsePrice(
      NOTE.t1,
      { slippage: 0.001 },
      { quoted: dearer, lossMille: 240n },
    );
    expect(stranger.data).toMatchObject({
      execution_status: 'REVERTED',
      slippage: 0.001,
      floor: String(mille(dearer, 999n)),
    });
    await ended();

    // The owner's words bind the owner's swap alone.
    await moveMarket(1_300n);
    const minAmountOut = String((dearer * 9_985n) / 10_000n);
    const owner = await swap(NOTE.t1, { slippage: 0.01, minAmountOut });
    expect(owner.data).toMatchObject({
      execution_status: 'SUCCEEDED',
      outputAmount: `0x${dearer.toString(16)}`,
      floor: minAmountOut,
      slippage: 0.0015,
    });
  });

  it('T1 a stricter request meets 409 with the bounds in force, a looser one changes nothing', async () => {
    const { control } = stack.chain;
    control.pause();
    const asked = swap(NOTE.t1InFlight, { slippage: 0.01 });
    await eventually(
      'the swap to be sent',
      () => stack.chain.waiting(accounts.swapOwner).length === 1,
    );
    const floor = String(mille(QUOTED, 990n));
    for (const words of [{ slippage: 0.005 }, { slippage: 0.15, minAmountOut: String(QUOTED) }]) {
      const { error, response } = await swap(NOTE.t1InFlight, words);
      expect([response.status, error]).toEqual([
        409,
        expect.objectContaining({
          code: 'STRICTER_THAN_IN_FLIGHT',
          details: { submissionId: expect.any(String), minimum: floor, slippage: '0.01' },
        }),
      ]);
    }
    const looser = swap(NOTE.t1InFlight, { slippage: 0.15, minAmountOut: '1' });
    control.resume();
    const answers = await Promise.all([asked, looser]);
    for (const { data } of answers)
      expect(data).toMatchObject({ execution_status: 'SUCCEEDED', slippage: 0.01, floor });
    const [first, second] = answers.map(({ response }) => response.headers.get('location'));
    expect(second).toBe(first);
  });

  it('T2 a swap that reverts is reported so at once and never tried again by the service', async () => {
    const before = attempts().length;
    const { data } = await meetWorsePrice(
      NOTE.t2Tries,
      { slippage: 0.001 },
      { quoted: QUOTED, lossMille: 25n },
    );
    expect(data).toMatchObject({ execution_status: 'REVERTED', slippage: 0.001 });
    setQuote((QUOTED * 975n) / 1_000n);
    await ended();
    for (let block = 0; block < 5; block += 1) stack.chain.control.mine();
    expect(stack.ledger().attempts.slice(before)).toMatchObject([
      { attempt: 1, state: 'reverted' },
    ]);
  });

  it('T2 a least output of 1 does not switch the tolerance off', async () => {
    const { data } = await meetWorsePrice(
      NOTE.t2Least,
      { slippage: 0.005, minAmountOut: '1' },
      { quoted: QUOTED, lossMille: 20n },
    );
    expect(data).toMatchObject({
      execution_status: 'REVERTED',
      slippage: 0.005,
      floor: String(mille(QUOTED, 995n)),
    });
    await ended();
  });

  it('T2 the minimum counts the yield that is sold as well', async () => {
    const { control } = stack.chain;
    const { address } = inputPool;
    const [active = 0n] = await stack.chain.view(address, 'active_deposits');
    const share = inputPool.denomination / 20n;
    control.setStorage(address, 'accrued', share * active);
    const held = await stack.chain.wbtcOf(address);
    control.setStorage(
      tokens.WBTC.address,
      `balance:${address.toString(16)}`,
      held + share * active,
    );
    control.mine();
    const sold = SOLD_SATS + share;
    const quoted = (QUOTED * sold) / SOLD_SATS;
    const { data } = await swap(NOTE.t2Yield);
    expect(data).toMatchObject({
      execution_status: 'SUCCEEDED',
      outputAmount: `0x${quoted.toString(16)}`,
      floor: String(mille(quoted, 990n)),
    });
    control.setStorage(address, 'accrued', 0n);
  });

  it('T7 a quoted swap over 400 legs is refused before it is sent; the quote serves a shorter route', async () => {
    const { data: quote } = await sotto.POST('/api/relayer/quote', {
      body: { poolAddress: addressText(inputPool), operation: 'private_swap' },
    });
    const quoteId = quote?.quoteId ?? '';
    stack.chain.control.resetCounters();
    stack.chain.control.aggregator.addFault({
      endpoint: 'build',
      fault: { kind: 'answer', body: manyLegs(400) },
    });
    const refused = await swap(NOTE.t7, { quoteId });
    expect([refused.response.status, refused.error]).toEqual([
      422,
      expect.objectContaining({
        code: 'COST_EXCEEDS_QUOTE',
        details: { cost: expect.any(String), assumed: expect.any(String) },
      }),
    ]);
    expect(stack.chain.control.counters().calls['starknet_addInvokeTransaction']).toBeUndefined();
    const { data } = await swap(NOTE.t7, { quoteId });
    expect(data).toMatchObject({ execution_status: 'SUCCEEDED' });
  });
});

const hex = (value: bigint): string => `0x${value.toString(16)}`;

/** Calls of a swap that sells the amount in this many legs of one exchange. */
function manyLegs(count: number): object {
  const whole = 10n ** 12n;
  const legs = Array.from({ length: count }, (_, index) => [
    pair.sellToken,
    pair.buyToken,
    exchanges.first.address,
    // An equal part of what is left; the last leg takes the rest.
    whole / BigInt(count - index),
    0n,
  ]);
  const router = sandboxWorld.router;
  const swap = [
    pair.sellToken,
    SOLD_SATS,
    0n,
    pair.buyToken,
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
      contractAddress: hex(pair.sellToken),
      entrypoint: 'approve',
      calldata: [router, SOLD_SATS, 0n].map(hex),
    },
    { contractAddress: hex(router), entrypoint: 'multi_route_swap', calldata: swap.map(hex) },
  ];
}
