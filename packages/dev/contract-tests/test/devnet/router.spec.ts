import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { selectorOf, shortStringFelt } from '@sotto/adapter-starknet';
import { u256ToHalves } from '@sotto/kernel';
import { describeOnDevnet } from '../support/describe-on-devnet.js';
import { DevnetChain, type ContractCall, type Outcome } from '../support/devnet-chain.js';

const WHOLE = 10n ** 12n;
const BRANCH = BigInt(shortStringFelt('branch'));
const SWAP = BigInt(selectorOf('Swap'));
const SOLD = 20_000n;
/**
 * Exchange rates: a sat is worth 300 units of the second ERC-20 token. Two units of the second
 * token are worth one unit of the third token.
 */
const RATES = { first: 300n, second: 2n };
const BOUGHT = SOLD * RATES.first;
const UNKNOWN_EXCHANGE = 0xbadn;

interface Order {
  readonly sellAmount: bigint;
  readonly buyToken: bigint;
  readonly minimum: bigint;
  readonly beneficiary: bigint;
  readonly feeBps: bigint;
  readonly integrator: bigint;
  /** Routes, each encoded for the router. */
  readonly routes: readonly (readonly bigint[])[];
}

describeOnDevnet('the router', () => {
  let chain: DevnetChain;
  let router: bigint;
  let cheap: bigint;
  let dear: bigint;
  let tokens: { readonly a: bigint; readonly b: bigint; readonly c: bigint };
  let order: Order;
  beforeAll(async () => {
    chain = await DevnetChain.start();
    const { owner } = chain;
    const token = (symbol: string): Promise<bigint> =>
      chain.deploy('Erc20', { name: symbol, symbol, decimals: 8, minter: owner });
    tokens = { a: await token('A'), b: await token('B'), c: await token('C') };
    router = await chain.deploy('Router', { owner });
    cheap = await chain.deploy('Exchange', { owner, feeBps: 0 });
    dear = await chain.deploy('Exchange', { owner, feeBps: 10 });
    for (const exchange of [cheap, dear]) {
      const { a, b, c } = tokens;
      const reserves = [b, c].map((held) => ({
        contract: held,
        entrypoint: 'mint',
        calldata: [exchange, ...u256ToHalves(10n ** 18n)],
      }));
      await chain.send(
        ...reserves,
        { contract: router, entrypoint: 'set_exchange', calldata: [exchange, 1n] },
        rate(exchange, [a, b], RATES.first),
        rate(exchange, [b, c], RATES.second),
      );
    }
    await chain.send({
      contract: tokens.a,
      entrypoint: 'mint',
      calldata: [owner, ...u256ToHalves(10n * SOLD)],
    });
  });
  afterAll(() => chain.stop());

  beforeEach(() => {
    const { a, b } = tokens;
    const routes = [[a, b, ...direct(cheap)]];
    order = {
      sellAmount: SOLD,
      buyToken: b,
      minimum: BOUGHT,
      beneficiary: chain.owner,
      feeBps: 0n,
      integrator: 0n,
      routes,
    };
  });

  const swapCall = ({
    sellAmount,
    buyToken,
    minimum,
    beneficiary,
    feeBps,
    integrator,
    routes,
  }: Order): ContractCall => ({
    contract: router,
    entrypoint: 'multi_route_swap',
    calldata: [
      tokens.a,
      ...u256ToHalves(sellAmount),
      buyToken,
      ...u256ToHalves(0n),
      ...u256ToHalves(minimum),
      beneficiary,
      feeBps,
      integrator,
      BigInt(routes.length),
      ...routes.flat(),
    ],
  });
  const approve = (amount: bigint): ContractCall => ({
    contract: tokens.a,
    entrypoint: 'approve',
    calldata: [router, ...u256ToHalves(amount)],
  });
  const swap = (changes: Partial<Order> = {}): Promise<Outcome> =>
    chain.send(approve(SOLD), swapCall({ ...order, ...changes }));
  const balance = async (token: bigint, account = chain.owner): Promise<bigint> => {
    const [low = 0n] = await chain.view({
      contract: token,
      entrypoint: 'balance_of',
      calldata: [account],
    });
    return low;
  };

  it('the router pays the bought amount of the exchange to its caller, and emits an event', async () => {
    const before = [await balance(tokens.a), await balance(tokens.b)] as const;
    const { revertReason, events } = await swap();
    expect(revertReason).toBeUndefined();
    expect([await balance(tokens.a), await balance(tokens.b)]).toEqual([
      before[0] - SOLD,
      before[1] + BOUGHT,
    ]);
    expect(events.filter(({ from }) => from === router)).toEqual([
      {
        from: router,
        keys: [SWAP],
        data: [
          chain.owner,
          tokens.a,
          ...u256ToHalves(SOLD),
          tokens.b,
          ...u256ToHalves(BOUGHT),
          chain.owner,
        ],
      },
    ]);
  });

  it('the router executes routes of several steps', async () => {
    const { a, b, c } = tokens;
    const routes = [
      [a, b, ...direct(cheap, WHOLE / 4n)],
      [a, b, ...direct(dear, WHOLE, [1n, 2n])],
      [b, c, ...direct(cheap)],
    ];
    const bought =
      ((SOLD / 4n) * RATES.first + (((SOLD * 3n) / 4n) * RATES.first * 9_990n) / 10_000n) *
      RATES.second;
    const before = await balance(c);
    expect(await swap({ buyToken: c, minimum: bought, routes })).toMatchObject({
      revertReason: undefined,
    });
    expect(await balance(c)).toBe(before + bought);
  });

  it('the router pays an integrator its fee from the bought amount', async () => {
    const [fee, before] = [(BOUGHT * 500n) / 10_000n, await balance(tokens.b)];
    expect(await swap({ minimum: BOUGHT - fee, feeBps: 500n, integrator: 0x1e9n })).toMatchObject({
      revertReason: undefined,
    });
    expect([await balance(tokens.b), await balance(tokens.b, 0x1e9n)]).toEqual([
      before + BOUGHT - fee,
      fee,
    ]);
  });

  it('the router sells through a branch’s alternative exchange if this exchange pays better than the principal exchange', async () => {
    const { a, b } = tokens;
    const branch = (principal: bigint, alternative: bigint) => [
      [a, b, BRANCH, ...direct(principal), 1n, ...direct(alternative, WHOLE / 2n)],
    ];
    const half = (SOLD / 2n) * RATES.first;
    const better = half + (half * 9_990n) / 10_000n;
    expect(await swap({ minimum: better, routes: branch(dear, cheap) })).toMatchObject({
      revertReason: undefined,
    });
    expect(
      (await swap({ minimum: better + 1n, routes: branch(dear, cheap) })).revertReason,
    ).toContain('Insufficient tokens received');
    expect(await swap({ routes: branch(cheap, dear) })).toMatchObject({ revertReason: undefined });
  });

  it.each<[string, string, () => Partial<Order>]>([
    [
      'another beneficiary',
      'Beneficiary is not the caller',
      () => ({ beneficiary: chain.stranger }),
    ],
    ['less than the minimum', 'Insufficient tokens received', () => ({ minimum: BOUGHT + 1n })],
    ['nothing to sell', 'Token from amount is 0', () => ({ sellAmount: 0n })],
    [
      'more than the caller has',
      'Token from balance is too low',
      () => ({ sellAmount: 10n ** 12n }),
    ],
    ['no routes', 'Routes is empty', () => ({ routes: [] })],
    [
      'a route from another token',
      'Invalid token from',
      () => ({ routes: [[tokens.c, tokens.b, ...direct(cheap)]] }),
    ],
    [
      'a route to another token',
      'Invalid token to',
      () => ({ routes: [[tokens.a, tokens.c, ...direct(cheap)]] }),
    ],
    [
      'an exchange it does not know',
      'Unknown exchange',
      () => ({ routes: [[tokens.a, tokens.b, ...direct(UNKNOWN_EXCHANGE)]] }),
    ],
    [
      'a part of nothing',
      'Invalid route percent',
      () => ({ routes: [[tokens.a, tokens.b, ...direct(cheap, 0n)]] }),
    ],
    [
      'more than all',
      'Invalid route percent',
      () => ({ routes: [[tokens.a, tokens.b, ...direct(cheap, WHOLE + 1n)]] }),
    ],
    [
      'a rest',
      'Residual tokens',
      () => ({ minimum: 0n, routes: [[tokens.a, tokens.b, ...direct(cheap, WHOLE / 2n)]] }),
    ],
    [
      'a dear integrator',
      'Integrator fees are too high',
      () => ({ feeBps: 501n, integrator: 0x1e9n }),
    ],
    [
      'a closed market',
      'No liquidity',
      () => ({ buyToken: tokens.c, routes: [[tokens.a, tokens.c, ...direct(cheap)]] }),
    ],
  ])('the router rejects a swap with %s: %s', async (_what, reason, changes) => {
    const before = await balance(tokens.a);
    expect((await swap(changes())).revertReason).toContain(reason);
    expect(await balance(tokens.a)).toBe(before);
  });

  it('the router sells only tokens that its caller has approved', async () => {
    const { revertReason } = await chain.send(approve(SOLD - 1n), swapCall(order));
    expect(revertReason).toContain('ERC20: insufficient allowance');
  });

  it('only the router’s owner can change the router and its exchanges', async () => {
    const { a, b } = tokens;
    for (const call of [
      { contract: router, entrypoint: 'set_exchange', calldata: [UNKNOWN_EXCHANGE, 1n] },
      rate(cheap, [a, b], 1n),
    ]) {
      expect((await chain.sendAsStranger(call)).revertReason).toContain('Not owner');
    }
    expect(
      await chain.view({
        contract: router,
        entrypoint: 'is_exchange',
        calldata: [UNKNOWN_EXCHANGE],
      }),
    ).toEqual([0n]);
    expect(await chain.view({ contract: cheap, entrypoint: 'rate', calldata: [a, b] })).toEqual([
      1n,
      0n,
      RATES.first,
      0n,
    ]);
  });
});

/** Returns a route step that uses one exchange. */
function direct(
  exchange: bigint,
  percent = WHOLE,
  params: readonly bigint[] = [],
): readonly bigint[] {
  return [exchange, percent, BigInt(params.length), ...params];
}

/**
 * Returns the call that sets the price of one unit of the first ERC-20 token, in units of the
 * second token.
 */
function rate(
  exchange: bigint,
  [sellToken, buyToken]: readonly [bigint, bigint],
  worth: bigint,
): ContractCall {
  return {
    contract: exchange,
    entrypoint: 'set_rate',
    calldata: [sellToken, buyToken, ...u256ToHalves(1n), ...u256ToHalves(worth)],
  };
}
