/** Account with a known key. */
export interface WorldAccount {
  readonly address: bigint;
  readonly privateKey: bigint;
}

export interface WorldPool {
  readonly address: bigint;
  readonly token: bigint;
  /** Denomination in the token's smallest unit. */
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

/** Contracts and accounts of a chain that the demonstration uses. */
export interface World {
  readonly accounts: Readonly<Record<AccountName, WorldAccount>>;
  readonly tokens: Readonly<Record<'WBTC' | 'USDC' | 'STRK', { readonly address: bigint }>>;
  readonly pools: { readonly sentinel_1x: WorldPool };
  readonly vaults: Readonly<Record<'sentinel' | 'apex' | 'turbo', { readonly address: bigint }>>;
  /** Contract of recurring WBTC purchases. */
  readonly purchases: { readonly address: bigint };
  /** Lending pools; `prime` lends USDC to the vault `turbo`. */
  readonly lendingPools: { readonly prime: { readonly address: bigint } };
}

/** Running starknet-devnet with its contracts and doubles. */
export interface RunningSite {
  readonly world: World;
  readonly rpcUrl: string;
  /** File of the service's network profile. */
  readonly networkProfile: string;
  readonly aggregatorUrl: string;
  readonly bridgeUrl: string;
  /** URL for commands to the bridge solver. */
  readonly solverControlUrl: string;
  readonly rewardsUrl: string;
  /** Resolves, never rejects, with the name of the first process that ended. */
  readonly ended: Promise<string>;
  /** Mints WBTC for an owner. */
  readonly mintWbtc: (owner: bigint, sats: bigint) => Promise<void>;
  /** Stops everything; resolves once it is gone. */
  stop(): Promise<void>;
}
