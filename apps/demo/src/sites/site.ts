/** An account whose key is known. */
export interface WorldAccount {
  readonly address: bigint;
  readonly privateKey: bigint;
}

export interface WorldPool {
  readonly address: bigint;
  readonly token: bigint;
  /** In the token's smallest unit. */
  readonly denomination: bigint;
}

type AccountName =
  | 'feeCollector'
  | 'lane1'
  | 'lane3'
  | 'swapOwner'
  | 'curator'
  | 'keeper1'
  | 'treasury'
  | 'buyer'
  | 'depositor'
  | 'crowd1'
  | 'crowd2'
  | 'recipient1'
  | 'recipient2'
  | 'recipient3';

/** Of what stands on a chain, all that the demonstration names. */
export interface World {
  readonly accounts: Readonly<Record<AccountName, WorldAccount>>;
  readonly tokens: Readonly<Record<'WBTC' | 'USDC' | 'STRK', { readonly address: bigint }>>;
  readonly pools: { readonly sentinel_1x: WorldPool };
  readonly vaults: Readonly<Record<'sentinel' | 'apex' | 'turbo', { readonly address: bigint }>>;
  /** Recurring purchases of WBTC. */
  readonly purchases: { readonly address: bigint };
  /** The first one lends USDC to the vault `turbo`. */
  readonly lendingPools: { readonly prime: { readonly address: bigint } };
}

/** starknet-devnet that is up, with what stands on it and beside it. */
export interface RunningSite {
  readonly world: World;
  readonly rpcUrl: string;
  /** File of the service's network profile. */
  readonly networkProfile: string;
  readonly aggregatorUrl: string;
  readonly bridgeUrl: string;
  /** Takes orders to the bridge solver. */
  readonly solverControlUrl: string;
  readonly rewardsUrl: string;
  /** Resolves, never rejects, with the name of the first process that has ended. */
  readonly ended: Promise<string>;
  /** Makes WBTC for an owner out of nothing. */
  readonly mintWbtc: (owner: bigint, sats: bigint) => Promise<void>;
  /** Ends all of it; resolves when it is gone. */
  stop(): Promise<void>;
}
