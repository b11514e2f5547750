import { u256FromHalves, u256ToHalves } from '@sotto/kernel';
import { shortString } from 'starknet';
import type { ContractCall } from '../node/chain-node.js';
import type { SetUp } from '../plan/plan.js';
import type { DeployedStack } from './deployed-stack.js';
import {
  ACCOUNTS,
  CROWD,
  EXCHANGE_RESERVES,
  LENDING,
  LENDING_POOLS,
  MAYER_MULTIPLE_E18,
  OTHER_PRICES,
  PRICE_SOURCES,
  TOKENS,
  USERS,
  USER_FUNDS,
  type NETWORK_TOKENS,
  type TokenSymbol,
} from './description.js';
import { mapValues } from './map-values.js';

/** Exchange rate as two amounts of equal value, each in its token's smallest unit. */
interface Rate {
  readonly sell: TokenSymbol;
  readonly buy: TokenSymbol;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/**
 * Returns rates between all ERC-20 tokens, computed from their prices. Rates are ratios of
 * integers, which avoids rounding.
 */
function ratesBetweenTokens(): readonly Rate[] {
  const tokens = Object.values(TOKENS);
  return tokens.flatMap((sell) =>
    tokens
      .filter((buy) => buy !== sell)
      .map((buy) => ({
        sell: sell.symbol,
        buy: buy.symbol,
        sellAmount: buy.usdPrice.price * 10n ** BigInt(sell.usdPrice.decimals + sell.decimals),
        buyAmount: sell.usdPrice.price * 10n ** BigInt(buy.usdPrice.decimals + buy.decimals),
      })),
  );
}

/** Amounts of STRK and ETH that the deployer transfers, in smallest units. */
export interface Funding {
  /** Amount of STRK for each signing account, in fri. */
  readonly strkEachFri: bigint;
  /** Amounts for each exchange. A token that is omitted can't be bought. */
  readonly reserves: Readonly<Partial<Record<keyof typeof NETWORK_TOKENS, bigint>>>;
}

const UNLIMITED = 2n ** 256n - 1n;
const SPOT_ENTRY = 0n;
const IS_LIVE = 1n;
const NO_TIME = 0n;
/**
 * Index of a lending pool's debt among the felts of `asset_config`. `RESERVE_AT` and `SCALE_AT` are
 * the indexes of reserve and scale. One u256 precedes the debt, and two u256 precede the reserve.
 */
const DEBT_AT = 2;
const RESERVE_AT = 4;
const SCALE_AT = 10;

/** Plans all states that the stack needs in addition to its contracts. */
export function planSetUps(stack: DeployedStack, funding: Funding): readonly SetUp[] {
  return [
    ...prices(stack),
    ...exchanges(stack),
    ...markets(stack),
    ...loans(stack),
    ...purchases(stack),
    ...funds(stack, funding),
    ...approvals(stack),
  ];
}

function prices({ oracle }: DeployedStack): SetUp[] {
  const pairs = [
    ...Object.values(TOKENS).map(({ symbol, usdPrice }) => [`${symbol}/USD`, usdPrice] as const),
    ...Object.entries(OTHER_PRICES),
  ];
  return pairs.map(([pair, { price, decimals }]) => {
    const pairId = BigInt(shortString.encodeShortString(pair));
    return {
      name: `price of ${pair}`,
      view: call(oracle, 'get_data_median', SPOT_ENTRY, pairId),
      isDone: ([shown, shownDecimals]) => shown === price && shownDecimals === BigInt(decimals),
      calls: [
        call(oracle, 'set_price', pairId, price, BigInt(decimals), NO_TIME, PRICE_SOURCES, IS_LIVE),
      ],
    };
  });
}

function exchanges({ router, exchanges: all, tokens }: DeployedStack): SetUp[] {
  return Object.values(all).flatMap(({ address, name }) => [
    {
      name: `${name} at the router`,
      view: call(router, 'is_exchange', address),
      isDone: ([known]) => known === 1n,
      calls: [call(router, 'set_exchange', address, 1n)],
    },
    ...ratesBetweenTokens().map(({ sell, buy, sellAmount, buyAmount }): SetUp => {
      const pair = [tokens[sell].address, tokens[buy].address];
      const rate = [...u256ToHalves(sellAmount), ...u256ToHalves(buyAmount)];
      return {
        name: `rate of ${sell} in ${buy} at ${name}`,
        view: call(address, 'rate', ...pair),
        isDone: (shown) => rate.every((felt, index) => shown[index] === felt),
        calls: [call(address, 'set_rate', ...pair, ...rate)],
      };
    }),
  ]);
}

function markets({ lendingPools }: DeployedStack): SetUp[] {
  return Object.values(
    mapValues(LENDING_POOLS, ({ name, market }, key): SetUp => {
      const { address, asset } = lendingPools[key];
      return {
        name: `market of ${name}`,
        view: call(address, 'asset_config', asset),
        isDone: (shown) =>
          u256At(shown, RESERVE_AT) === market.reserve &&
          u256At(shown, DEBT_AT) === market.nominalDebtE18,
        calls: [setMarket(address, asset, market)],
      };
    }),
  );
}

/**
 * Plans the market for loans. The market is set only once, because users change it by borrowing.
 */
function loans({ lendingPools, tokens }: DeployedStack): SetUp[] {
  const { address } = lendingPools[LENDING.pool];
  const asset = tokens.USDC.address;
  const { market } = LENDING;
  return [
    {
      name: 'USDC to be borrowed',
      view: call(address, 'asset_config', asset),
      isDone: (shown) => u256At(shown, SCALE_AT) === market.scale,
      calls: [
        setMarket(address, asset, market),
        call(asset, 'mint', address, ...u256ToHalves(market.reserve)),
      ],
    },
  ];
}

function purchases({ purchases: { address } }: DeployedStack): SetUp[] {
  return [
    {
      name: 'Mayer Multiple',
      view: call(address, 'get_mayer_multiple'),
      isDone: (shown) => u256At(shown, 0) !== 0n,
      calls: [call(address, 'set_mayer_multiple', ...u256ToHalves(MAYER_MULTIPLE_E18))],
    },
  ];
}

function setMarket(
  pool: bigint,
  asset: bigint,
  market: typeof LENDING.market | (typeof LENDING_POOLS)[keyof typeof LENDING_POOLS]['market'],
): ContractCall {
  const figures = [
    market.reserve,
    market.nominalDebtE18,
    market.rateAccumulatorE18,
    market.fullUtilizationRateE18,
    market.scale,
  ];
  return call(pool, 'set_market', asset, ...figures.flatMap(u256ToHalves));
}

function funds(
  { tokens, accounts, exchanges: all }: DeployedStack,
  { strkEachFri, reserves }: Funding,
): SetUp[] {
  const { STRK, ETH, WBTC, USDC } = tokens;
  const signing = Object.values(
    mapValues(ACCOUNTS, ({ signs }, name) => (signs ? [accounts[name].address] : [])),
  ).flat();
  const toExchanges = (token: bigint, entrypoint: 'transfer' | 'mint', amount: bigint): SetUp[] =>
    Object.values(all).map(({ address, name }) =>
      fund(`reserves of ${name}`, { token, entrypoint, owner: address, amount }),
    );
  const toUsers = (token: bigint, amount: bigint): SetUp[] =>
    USERS.map((user) =>
      fund(`funds of ${user}`, {
        token,
        entrypoint: 'mint',
        owner: accounts[user].address,
        amount,
      }),
    );
  return [
    ...signing.map((owner) =>
      fund('STRK for gas', {
        token: STRK.address,
        entrypoint: 'transfer',
        owner,
        amount: strkEachFri,
      }),
    ),
    ...toUsers(WBTC.address, USER_FUNDS.WBTC),
    ...toUsers(USDC.address, USER_FUNDS.USDC),
    ...toExchanges(WBTC.address, 'mint', EXCHANGE_RESERVES.WBTC),
    ...toExchanges(USDC.address, 'mint', EXCHANGE_RESERVES.USDC),
    ...(reserves.STRK === undefined ? [] : toExchanges(STRK.address, 'transfer', reserves.STRK)),
    ...(reserves.ETH === undefined ? [] : toExchanges(ETH.address, 'transfer', reserves.ETH)),
  ];
}

interface Gift {
  readonly token: bigint;
  readonly entrypoint: 'transfer' | 'mint';
  readonly owner: bigint;
  readonly amount: bigint;
}

/**
 * Plans a transfer to an account. A later deployment repeats it only if the account has spent half
 * of the amount.
 */
function fund(name: string, { token, entrypoint, owner, amount }: Gift): SetUp {
  return {
    name,
    view: call(token, 'balance_of', owner),
    isDone: (balance) => u256At(balance, 0) * 2n >= amount,
    calls: [call(token, entrypoint, owner, ...u256ToHalves(amount))],
  };
}

function approvals({ pools, accounts }: DeployedStack): SetUp[] {
  return CROWD.flatMap((user) =>
    Object.entries(pools).map(([key, { address, token }]): SetUp => {
      const by = accounts[user].address;
      return {
        name: `approval of ${key} by ${user}`,
        by,
        view: call(token, 'allowance', by, address),
        isDone: (allowance) => u256At(allowance, 0) === UNLIMITED,
        calls: [call(token, 'approve', address, ...u256ToHalves(UNLIMITED))],
      };
    }),
  );
}

function call(contract: bigint, entrypoint: string, ...calldata: readonly bigint[]): ContractCall {
  return { contract, entrypoint, calldata };
}

/**
 * Returns the u256 at an index. Returns zero for an index beyond the end, which does not occur in
 * any plan.
 */
function u256At(felts: readonly bigint[], index: number): bigint {
  return u256FromHalves(felts[index] ?? 0n, felts[index + 1] ?? 0n);
}
