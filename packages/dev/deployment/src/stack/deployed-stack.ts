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
  /** Address of the ERC-20 token that is deposited. */
  readonly token: bigint;
  /** Value of one note, in the ERC-20 token's smallest unit. */
  readonly denomination: bigint;
  readonly maxFeeBps: number;
}

export interface StackExchange {
  readonly address: bigint;
  readonly name: string;
  /** Fee that the exchange deducts from every payment, in 1/10,000. */
  readonly feeBps: bigint;
}

export interface StackLendingPool {
  readonly address: bigint;
  readonly name: string;
  /** Address of the ERC-20 token that is lent. */
  readonly asset: bigint;
  /** Share token of lenders. No contract is deployed at its address. */
  readonly vaultToken: { readonly address: bigint; readonly symbol: string };
}

/** Addresses of a deployed stack. The names equal the names in the sandbox. */
export interface DeployedStack {
  /** Chain id as text, such as `SN_SEPOLIA`. */
  readonly chainId: string;
  readonly tokens: Readonly<Record<TokenSymbol, StackToken>>;
  readonly oracle: bigint;
  readonly verifier: bigint;
  /**
   * Guard contract. In a transaction, it compares view results with expected values before an
   * expensive call. A network profile may pin the guard's address.
   */
  readonly guard: { readonly address: bigint; readonly classHash: bigint };
  readonly pools: Readonly<Record<PoolKey, StackPool>>;
  readonly swapPool: { readonly address: bigint; readonly maxFeeBps: number };
  readonly router: bigint;
  readonly exchanges: Readonly<Record<ExchangeKey, StackExchange>>;
  readonly vaults: Readonly<
    Record<VaultId, { readonly address: bigint; readonly strategy: bigint }>
  >;
  /** Contract for recurring purchases of WBTC. */
  readonly purchases: { readonly address: bigint };
  readonly lendingPools: Readonly<Record<LendingPoolKey, StackLendingPool>>;
  /**
   * Accounts by name. `feeCollector` and the recipients are addresses without a contract; all other
   * accounts can sign.
   */
  readonly accounts: Readonly<Record<AccountName, KeyedAccount>>;
  /** Account that mints WBTC and USDC, and sets prices, rates and markets. */
  readonly owner: KeyedAccount;
  /** ERC-20 tokens that private swaps can buy, because the exchanges have reserves of them. */
  readonly outputTokens: readonly TokenSymbol[];
}
