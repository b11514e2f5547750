/** An account whose private key is known. */
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

/** Contracts and accounts of the chain that the demonstration uses. */
export interface World {
  readonly accounts: Readonly<Record<AccountName, WorldAccount>>;
  readonly tokens: Readonly<Record<'WBTC' | 'USDC' | 'STRK', { readonly address: bigint }>>;
  readonly pools: { readonly sentinel_1x: WorldPool };
  readonly vaults: Readonly<Record<'sentinel' | 'apex' | 'turbo', { readonly address: bigint }>>;
  /** Contract of recurring WBTC purchases. */
  readonly purchases: { readonly address: bigint };
  /** The network's own privacy pool; absent on devnet. */
  readonly privacyPool?: { readonly address: bigint };
  /** Lending pools. The pool `prime` lends USDC to the vault `turbo`. */
  readonly lendingPools: { readonly prime: { readonly address: bigint } };
}

/** A running starknet-devnet, with its contracts and HTTP doubles. */
export interface RunningSite {
  readonly world: World;
  readonly rpcUrl: string;
  /** Path of the network profile that the service reads. */
  readonly networkProfile: string;
  readonly aggregatorUrl: string;
  readonly bridgeUrl: string;
  /** URL at which the bridge solver accepts control commands. */
  readonly solverControlUrl: string;
  readonly rewardsUrl: string;
  /** Resolves with the name of the first process that ends. Never rejects. */
  readonly ended: Promise<string>;
  /** Mints WBTC for an owner. */
  readonly mintWbtc: (owner: bigint, sats: bigint) => Promise<void>;
  /** Stops all processes. Resolves when they have ended. */
  stop(): Promise<void>;
}
