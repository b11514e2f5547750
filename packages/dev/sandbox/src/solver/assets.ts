/** Token on a chain, with its names in the two wire formats of the solver. */
export interface SolverAsset {
  /** Chain and symbol in Sotto's specification. */
  readonly chain: string;
  readonly symbol: string;
  /** Chain and symbol in 1Click. */
  readonly blockchain: string;
  readonly listedSymbol: string;
  readonly assetId: string;
  readonly decimals: number;
  /** Market price of one whole token, in 1e-4 USD. */
  readonly usdE4: bigint;
}

type Row = readonly [
  symbol: string,
  assetId: string,
  decimals: number,
  usdE4: bigint,
  listedSymbol?: string,
];

const CHAINS: readonly (readonly [chain: string, blockchain: string, rows: readonly Row[]])[] = [
  [
    'ethereum',
    'eth',
    [
      ['ETH', 'nep141:eth.omft.near', 18, 30_000_000n],
      ['USDC', 'nep141:eth-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.omft.near', 6, 10_000n],
      ['USDT', 'nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.omft.near', 6, 10_000n],
      [
        'WBTC',
        'nep141:eth-0x2260fac5e5542a773aa44fbcfedf7c193bc2c599.omft.near',
        8,
        1_000_000_000n,
      ],
      ['DAI', 'nep141:eth-0x6b175474e89094c44da98b954eedeac495271d0f.omft.near', 18, 10_000n],
    ],
  ],
  [
    'solana',
    'sol',
    [
      ['SOL', 'nep141:sol.omft.near', 9, 1_500_000n],
      ['USDC', 'nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near', 6, 10_000n],
      ['USDT', 'nep141:sol-c800a4bd850783ccb82c2b2c7e84175443606352.omft.near', 6, 10_000n],
    ],
  ],
  [
    'base',
    'base',
    [
      ['ETH', 'nep141:base.omft.near', 18, 30_000_000n],
      ['USDC', 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near', 6, 10_000n],
    ],
  ],
  [
    'arbitrum',
    'arb',
    [
      ['ETH', 'nep141:arb.omft.near', 18, 30_000_000n],
      ['USDC', 'nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near', 6, 10_000n],
      ['ARB', 'nep141:arb-0x912ce59144191c1204e64559fe8253a0e49e6548.omft.near', 18, 3_500n],
    ],
  ],
  [
    'polygon',
    'pol',
    [
      ['MATIC', 'nep245:v2_1.omni.hot.tg:137_11111111111111111111', 18, 2_200n, 'POL'],
      ['USDC', 'nep245:v2_1.omni.hot.tg:137_qiStmoQJDQPTebaPjgx5VBxZv6L', 6, 10_000n],
    ],
  ],
  [
    'avalanche',
    'avax',
    [
      ['AVAX', 'nep245:v2_1.omni.hot.tg:43114_11111111111111111111', 18, 240_000n],
      ['USDC', 'nep245:v2_1.omni.hot.tg:43114_3atVJH3r5c4GqiSYmg9fECvjc47o', 6, 10_000n],
    ],
  ],
  [
    'optimism',
    'op',
    [
      ['ETH', 'nep245:v2_1.omni.hot.tg:10_11111111111111111111', 18, 30_000_000n],
      ['USDC', 'nep245:v2_1.omni.hot.tg:10_A2ewyUyDp6qsue1jqZsGypkCxRJ', 6, 10_000n],
      ['OP', 'nep245:v2_1.omni.hot.tg:10_vLAiSt9KfUGKpw5cD3vsSyNYBo7', 18, 7_000n],
    ],
  ],
  [
    'near',
    'near',
    [
      ['NEAR', 'nep141:wrap.near', 24, 25_000n, 'wNEAR'],
      [
        'USDC',
        'nep141:17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1',
        6,
        10_000n,
      ],
    ],
  ],
  ['starknet', 'starknet', [['STRK', 'nep141:starknet.omft.near', 18, 430n]]],
];

/**
 * Tokens that the solver trades. Names and ids are real ones of the intents network, while prices
 * are invented.
 */
export const SOLVER_ASSETS: readonly SolverAsset[] = CHAINS.flatMap(([chain, blockchain, rows]) =>
  rows.map(([symbol, assetId, decimals, usdE4, listedSymbol = symbol]) => ({
    chain,
    symbol,
    blockchain,
    listedSymbol,
    assetId,
    decimals,
    usdE4,
  })),
);

/** Formats an amount of smallest units as whole tokens, without trailing zeros. */
export function tokensText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return digits.slice(0, digits.length - decimals) + (fraction === '' ? '' : `.${fraction}`);
}
