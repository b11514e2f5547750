/** An account whose key is public: for development, never for money. */
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
  /** Symbol of what is deposited. */
  readonly token: TokenSymbol;
  /** What one note is worth, in the token's smallest unit. */
  readonly denomination: bigint;
}

export type TokenSymbol = 'STRK' | 'ETH' | 'WBTC' | 'USDC';
export type PoolKey = 'sentinel_1x' | 'sentinel_2x' | 'stable_10' | 'swap_input_1' | 'swap_input_2';
/**
 * `depositor` and `buyer` hold 1,000 STRK, 10 WBTC and 1,000,000 USDC and have approved nothing;
 * the crowd holds as much and has approved every pool; recipients hold nothing.
 */
export type AccountName =
  'depositor' | 'buyer' | 'crowd1' | 'crowd2' | 'recipient1' | 'recipient2' | 'recipient3';

/** A bearer token of the service. */
export interface Credential {
  readonly token: string;
  /** Whether it is of the settings that were given, and not made for this run. */
  readonly isGiven: boolean;
}

/** A service that runs, and what opens its closed routes. Addresses are 0x hex. */
export interface ServiceDescription {
  readonly serviceUrl: string;
  readonly credentials: { readonly curator: Credential; readonly operator: Credential };
  /** Settings that were given and are not used, because the stack makes them itself. */
  readonly unusedSettings: readonly string[];
  /** Where the service's first process writes its log. */
  readonly serviceLog: string;
}

/** Where everything of the stack is, and what stands on its chain. */
export interface DevDescription extends ServiceDescription {
  /** Starknet's JSON-RPC, for pages of any origin as well. */
  readonly nodeUrl: string;
  /** Orders to the node, as the sandbox describes them. */
  readonly controlUrl: string;
  /** The helpers over HTTP; see {@link connectDev}. */
  readonly helpersUrl: string;
  /** Prices, quotes and swaps. */
  readonly aggregatorUrl: string;
  readonly bridgeUrl: string;
  /** Orders to the bridge solver. */
  readonly solverControlUrl: string;
  readonly rewardsUrl: string;
  /** The chain's id as text. */
  readonly chainId: string;
  /** The service's account, with whose key it signs quotes and status. */
  readonly signer: { readonly address: string; readonly publicKey: string };
  /** Who a proof has to name as the relayer. */
  readonly feeAddress: string;
  readonly tokens: Readonly<Record<TokenSymbol, DevToken>>;
  readonly pools: Readonly<Record<PoolKey, DevPool>>;
  /** Where private swaps put what the `swap_input` pools pay. */
  readonly swapPool: { readonly address: string };
  readonly accounts: Readonly<Record<AccountName, DevAccount>>;
}

/** As JSON: a bigint is decimal text. */
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
