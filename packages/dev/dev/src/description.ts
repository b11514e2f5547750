/** Account whose private key is public. Use it only for development, never for value. */
export interface DevAccount {
  readonly address: string;
  readonly privateKey: string;
}

export interface DevToken {
  readonly address: string;
  readonly decimals: number;
}

export interface DevPool {
  readonly address: string;
  readonly kind: 'withdraw' | 'stable' | 'swap_input';
  /** Symbol of the ERC-20 token that is deposited. */
  readonly token: TokenSymbol;
  /** Value of one note, in the ERC-20 token's smallest unit. */
  readonly denomination: bigint;
}

export type TokenSymbol = 'STRK' | 'ETH' | 'WBTC' | 'USDC';
export type PoolKey = 'sentinel_1x' | 'sentinel_2x' | 'stable_10' | 'swap_input_1' | 'swap_input_2';
/**
 * Names of the test accounts. `depositor` and `buyer` have 1,000 STRK, 10 WBTC and 1,000,000 USDC
 * and have approved no pool. `crowd1` and `crowd2` have the same amounts and have approved every
 * pool. The recipients have no funds.
 */
export type AccountName =
  'depositor' | 'buyer' | 'crowd1' | 'crowd2' | 'recipient1' | 'recipient2' | 'recipient3';

/** Bearer token for protected routes of the service. */
export interface Credential {
  readonly token: string;
  /**
   * True if the caller's settings contain the bearer token; false if it was generated for this run.
   */
  readonly isGiven: boolean;
}

/** Running service with the credentials of its protected routes. Addresses are 0x hex. */
export interface ServiceDescription {
  readonly serviceUrl: string;
  readonly credentials: { readonly curator: Credential; readonly operator: Credential };
  /**
   * Names of settings that the caller has set but the service does not use, because the stack
   * provides other values.
   */
  readonly unusedSettings: readonly string[];
  /** Path of the log file of the service's first process. */
  readonly serviceLog: string;
}

/** URLs of the stack's processes, and contracts and accounts of its chain. */
export interface DevDescription extends ServiceDescription {
  /** URL of Starknet's JSON-RPC, which pages of any origin may use. */
  readonly nodeUrl: string;
  /** URL for commands to the node, which the sandbox documents. */
  readonly controlUrl: string;
  /** URL of the helpers over HTTP; see {@link connectDev}. */
  readonly helpersUrl: string;
  /** URL of the aggregator: prices, quotes and swaps. */
  readonly aggregatorUrl: string;
  readonly bridgeUrl: string;
  /** URL for commands to the bridge solver. */
  readonly solverControlUrl: string;
  readonly rewardsUrl: string;
  /** Chain id as text, such as `SN_SEPOLIA`. */
  readonly chainId: string;
  /** Account whose key the service uses to sign quotes and its status. */
  readonly signer: { readonly address: string; readonly publicKey: string };
  /** Address that a proof must contain as its relayer. */
  readonly feeAddress: string;
  readonly tokens: Readonly<Record<TokenSymbol, DevToken>>;
  readonly pools: Readonly<Record<PoolKey, DevPool>>;
  /** Pool that stores the output of private swaps, whose input comes from `swap_input` pools. */
  readonly swapPool: { readonly address: string };
  readonly accounts: Readonly<Record<AccountName, DevAccount>>;
}

/** Description as JSON, in which each bigint is decimal text. */
export type DevDescriptionJson = Omit<DevDescription, 'pools'> & {
  readonly pools: Readonly<
    Record<PoolKey, Omit<DevPool, 'denomination'> & { readonly denomination: string }>
  >;
};

export function fromJson({ pools, ...rest }: DevDescriptionJson): DevDescription {
  const { sentinel_1x, sentinel_2x, stable_10, swap_input_1, swap_input_2 } = pools;
  return {
    ...rest,
    pools: {
      sentinel_1x: poolOf(sentinel_1x),
      sentinel_2x: poolOf(sentinel_2x),
      stable_10: poolOf(stable_10),
      swap_input_1: poolOf(swap_input_1),
      swap_input_2: poolOf(swap_input_2),
    },
  };
}

function poolOf(json: DevDescriptionJson['pools'][PoolKey]): DevPool {
  return { ...json, denomination: BigInt(json.denomination) };
}
