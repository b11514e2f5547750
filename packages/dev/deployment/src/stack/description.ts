/** Contents of the development stack. The figures equal those of the sandbox. */

/**
 * Accounts of the stack. Signing accounts are deployed and have STRK; the other accounts only
 * receive payments.
 */
export const ACCOUNTS = {
  feeCollector: { signs: false },
  lane1: { signs: true },
  lane2: { signs: true },
  lane3: { signs: true },
  swapOwner: { signs: true },
  curator: { signs: true },
  keeper1: { signs: true },
  keeper2: { signs: true },
  treasury: { signs: true },
  buyer: { signs: true },
  depositor: { signs: true },
  crowd1: { signs: true },
  crowd2: { signs: true },
  recipient1: { signs: false },
  recipient2: { signs: false },
  recipient3: { signs: false },
} as const;
export type AccountName = keyof typeof ACCOUNTS;

/** Accounts that may deposit for users and deploy batches. */
export const LANES = ['lane1', 'lane2', 'lane3'] as const;
/** Accounts that have WBTC and USDC: users, and the treasury. */
export const USERS = ['depositor', 'buyer', 'crowd1', 'crowd2', 'treasury'] as const;
/**
 * Users who have approved an unlimited amount for every pool, so that their deposits can fill
 * batches.
 */
export const CROWD = ['crowd1', 'crowd2'] as const;

export const TOKENS = {
  STRK: {
    name: 'Starknet Token',
    symbol: 'STRK',
    decimals: 18,
    usdPrice: { price: 4_000_000n, decimals: 8 },
  },
  ETH: {
    name: 'Ether',
    symbol: 'ETH',
    decimals: 18,
    usdPrice: { price: 350_000_000_000n, decimals: 8 },
  },
  WBTC: {
    name: 'Wrapped BTC',
    symbol: 'WBTC',
    decimals: 8,
    usdPrice: { price: 10_000_000_000_000n, decimals: 8 },
  },
  USDC: {
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    usdPrice: { price: 1_000_000n, decimals: 6 },
  },
} as const;
export type TokenSymbol = keyof typeof TOKENS;

/** ERC-20 tokens that exist at the same address on every public network and on devnet. */
export const NETWORK_TOKENS = {
  STRK: 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn,
  ETH: 0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n,
} as const;

/** Price pairs of the oracle in addition to the pairs of {@link TOKENS}. */
export const OTHER_PRICES = { 'BTC/USD': TOKENS.WBTC.usdPrice } as const;
export const PRICE_SOURCES = 10n;

export const POOLS = {
  sentinel_1x: { token: 'WBTC', kind: 'withdraw', denomination: 20_000n },
  sentinel_2x: { token: 'WBTC', kind: 'withdraw', denomination: 40_000n },
  stable_10: { token: 'USDC', kind: 'stable', denomination: 10_000_000n },
  swap_input_1: { token: 'WBTC', kind: 'swap_input', denomination: 20_000n },
  swap_input_2: { token: 'WBTC', kind: 'swap_input', denomination: 40_000n },
} as const;
export type PoolKey = keyof typeof POOLS;
/** Maximum fee in 1/10,000: the protocol's default. */
export const MAX_FEE_BPS = 500;

/** Exchanges with the same rates. The second exchange deducts a higher fee. */
export const EXCHANGES = {
  first: { name: 'Sandbox AMM', feeBps: 0n },
  second: { name: 'Sandbox Orders', feeBps: 10n },
} as const;
export type ExchangeKey = keyof typeof EXCHANGES;

/**
 * Names of each vault's method that deploys funds: first the name in the specification, then the
 * name in the live contract if it differs.
 */
export const VAULTS = {
  sentinel: ['deploy_to_lending', 'deploy_to_vesu'],
  citadel: ['stake_to_staking', 'stake_to_endur'],
  trident: ['execute_staking_loop'],
  delta_neutral: ['deploy_collateral'],
  turbo: ['deploy_to_lending', 'deploy_to_vesu'],
  apex: ['deploy_split'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type VaultId = keyof typeof VAULTS;

/**
 * Published configuration of the WBTC market in the protocol's first pool. Only the target rate is
 * not published; the sandbox chooses it.
 */
export const LENDING_CURVE = {
  minTargetUtilization: 78_000n,
  targetUtilization: 80_000n,
  maxTargetUtilization: 82_000n,
  zeroUtilizationRate: 0n,
  minFullUtilizationRate: 13_035_786_672n,
  maxFullUtilizationRate: 44_569_649_971n,
  halfLifeSeconds: 432_000n,
  targetRateE18: 2n * 10n ** 17n,
} as const;

const LENT = {
  rateAccumulatorE18: 125n * 10n ** 16n,
  fullUtilizationRateE18: 20_000_000_000n,
  scale: 10n ** 8n,
} as const;

/**
 * Lending pools. In the first pool, 40 of 100 BTC are lent out; in the second pool, 75 of 100 BTC.
 * Share tokens have their mainnet addresses, but no contract is deployed there.
 */
export const LENDING_POOLS = {
  prime: {
    slug: 'prime',
    name: 'Prime',
    shownAs: 'Vesu PRIME',
    vaultToken: {
      address: 0x4ecb0667140b9f45b067d026953ed79f22723f1cfac05a7b26c3ac06c88f56cn,
      symbol: 'vWBTC',
    },
    risk: { label: 'Low', level: 1 },
    market: { ...LENT, reserve: 60n * 10n ** 8n, nominalDebtE18: 32n * 10n ** 18n },
  },
  partner_xbtc: {
    slug: 'partner-xbtc',
    name: 'Re7 xBTC',
    shownAs: 'Vesu Re7 xBTC',
    vaultToken: {
      address: 0x131cc09160f144ec5880a0bc1a0633999030fa6a546388b5d0667cb171a52a0n,
      symbol: 'vWBTC-Re7xBTC',
    },
    risk: { label: 'Low-Medium', level: 2 },
    market: { ...LENT, reserve: 25n * 10n ** 8n, nominalDebtE18: 60n * 10n ** 18n },
  },
} as const;
export type LendingPoolKey = keyof typeof LENDING_POOLS;

/** Lending of USDC with WBTC as collateral, which the turbo vault uses. */
export const LENDING = {
  pool: 'prime',
  maxLtvE18: 85n * 10n ** 16n,
  /** Market of the debt asset. Initially, no amount is lent. */
  market: {
    reserve: 10n ** 13n,
    nominalDebtE18: 0n,
    rateAccumulatorE18: 10n ** 18n,
    fullUtilizationRateE18: 20_000_000_000n,
    scale: 10n ** 6n,
  },
} as const;

/** Initial Mayer Multiple of the contract for recurring purchases, in 1e-18. */
export const MAYER_MULTIPLE_E18 = 9n * 10n ** 17n;

/** Initial amounts of the stack's ERC-20 tokens for each user, in the smallest unit. */
export const USER_FUNDS = { WBTC: 10n * 10n ** 8n, USDC: 10n ** 12n } as const;
/** Reserves of each exchange, in the smallest unit: far more than all users can swap. */
export const EXCHANGE_RESERVES = { WBTC: 3_000n * 10n ** 8n, USDC: 3n * 10n ** 14n } as const;
