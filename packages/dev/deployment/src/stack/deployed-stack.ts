import type { KeyedAccount } from '../node/sender.js';
import type {
  AccountName,
  ExchangeKey,
  LendingPoolKey,
  PoolKey,
  TokenSymbol,
  VaultId,
} from './description.js';

export interface StackToken {
  readonly address: bigint;
  readonly name: string;
  readonly symbol: TokenSymbol;
  readonly decimals: number;
}

export interface StackPool {
  readonly address: bigint;
  /** Address of what is deposited. */
  readonly token: bigint;
  /** In the token's smallest unit. */
  readonly denomination: bigint;
  readonly maxFeeBps: number;
}

export interface StackExchange {
  readonly address: bigint;
  readonly name: string;
  /** What it keeps of every amount that it pays, in 1/10,000. */
  readonly feeBps: bigint;
}

export interface StackLendingPool {
  readonly address: bigint;
  readonly name: string;
  /** Address of what it lends. */
  readonly asset: bigint;
  /** Stands for a share in the supply; no contract stands there. */
  readonly vaultToken: { readonly address: bigint; readonly symbol: string };
}

/** What stands where on a chain, by the names that the sandbox's world has as well. */
export interface DeployedStack {
  /** As a text, such as `SN_SEPOLIA`. */
  readonly chainId: string;
  readonly tokens: Readonly<Record<TokenSymbol, StackToken>>;
  readonly oracle: bigint;
  readonly verifier: bigint;
  /** Compares views before an expensive call; a profile may pin it. */
  readonly guard: { readonly address: bigint; readonly classHash: bigint };
  readonly pools: Readonly<Record<PoolKey, StackPool>>;
  readonly swapPool: { readonly address: bigint; readonly maxFeeBps: number };
  readonly router: bigint;
  readonly exchanges: Readonly<Record<ExchangeKey, StackExchange>>;
  readonly vaults: Readonly<
    Record<VaultId, { readonly address: bigint; readonly strategy: bigint }>
  >;
  /** Recurring purchases of WBTC. */
  readonly purchases: { readonly address: bigint };
  readonly lendingPools: Readonly<Record<LendingPoolKey, StackLendingPool>>;
  /** `feeCollector` and the recipients are addresses without a contract; the others can sign. */
  readonly accounts: Readonly<Record<AccountName, KeyedAccount>>;
  /** Mints WBTC and USDC, sets prices, rates and markets. */
  readonly owner: KeyedAccount;
  /** What private swaps can buy: tokens that the exchanges hold. */
  readonly outputTokens: readonly TokenSymbol[];
}
