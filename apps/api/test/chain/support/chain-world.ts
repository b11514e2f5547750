import { z } from 'zod';

const Integer = z.string().transform(BigInt);
const Contract = z.object({ address: Integer });
const Account = z.object({ address: Integer, publicKey: Integer, privateKey: Integer });
const Token = z.object({
  address: Integer,
  name: z.string(),
  symbol: z.string(),
  decimals: z.int(),
});
const Pool = z.object({
  address: Integer,
  token: Integer,
  denomination: Integer,
  maxFeeBps: z.int(),
});
const Exchange = z.object({ address: Integer, name: z.string(), feeBps: Integer });
const Vault = z.object({ address: Integer, strategy: Integer });
const LendingPool = z.object({
  address: Integer,
  name: z.string(),
  asset: Integer,
  vaultToken: z.object({ address: Integer, symbol: z.string() }),
});

/** Schema of {@link ChainWorld} as JSON, with integers in hex. */
export const ChainWorld = z.object({
  chainId: z.string(),
  tokens: z.object({ STRK: Token, ETH: Token, WBTC: Token, USDC: Token }),
  pools: z.object({
    sentinel_1x: Pool,
    sentinel_2x: Pool,
    stable_10: Pool,
    swap_input_1: Pool,
    swap_input_2: Pool,
  }),
  swapPool: Contract,
  router: Integer,
  /** Address of the contract with which the pools verify proofs. */
  verifier: Integer,
  guard: z.object({ address: Integer, classHash: Integer }),
  exchanges: z.object({ first: Exchange, second: Exchange }),
  vaults: z.object({
    sentinel: Vault,
    citadel: Vault,
    trident: Vault,
    delta_neutral: Vault,
    turbo: Vault,
    apex: Vault,
  }),
  /** Contract for recurring purchases of WBTC. */
  purchases: Contract,
  lendingPools: z.object({ prime: LendingPool, partner_xbtc: LendingPool }),
  /**
   * Accounts of the stack. `crowd1` owns WBTC and USDC and has approved the pools; `lane3` may
   * deposit for `crowd1`. `buyer` owns USDC. The recipients sign nothing.
   */
  accounts: z.object({
    lane1: Account,
    lane2: Account,
    lane3: Account,
    swapOwner: Account,
    curator: Account,
    keeper1: Account,
    treasury: Account,
    buyer: Account,
    crowd1: Account,
    recipient1: Account,
    recipient2: Account,
    recipient3: Account,
  }),
});
/**
 * Contracts and accounts of the development stack on one chain. Every node has the same contracts
 * and accounts, but at different addresses.
 */
export type ChainWorld = z.output<typeof ChainWorld>;

export type PoolKey = keyof ChainWorld['pools'];
export type VaultId = keyof ChainWorld['vaults'];
export type WorldAccount = z.output<typeof Account>;
