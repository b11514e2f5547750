import type { SigningAccount } from '@sotto/adapter-starknet';
import { toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';

const Address = z.string().transform(BigInt);
const Contract = z.object({ address: Address });
const KeyedAccount = z.object({ address: Address, privateKey: Address });
const Lending = z.object({ address: Address, asset: Address });
const Vault = z.object({ address: Address, strategy: Address });

/** Schema of {@link ChainWorld} as JSON; felts are hex. */
export const ChainWorld = z.object({
  chainId: z.string(),
  tokens: z.object({ STRK: Contract, WBTC: Contract, USDC: Contract, ETH: Contract }),
  oracle: Address,
  pools: z.object({ sentinel_1x: Contract, sentinel_2x: Contract, swap_input_1: Contract }),
  swapPool: Contract,
  exchanges: z.object({ first: Contract }),
  vaults: z.object({
    sentinel: Vault,
    citadel: Vault,
    trident: Vault,
    delta_neutral: Vault,
    turbo: Vault,
    apex: Vault,
  }),
  purchases: Contract,
  lendingPools: z.object({ prime: Lending, partner_xbtc: Lending }),
  /**
   * Accounts of the stack. `crowd1` has WBTC and has approved the pools; `feeCollector` signs no
   * transactions.
   */
  accounts: z.object({
    lane1: KeyedAccount,
    lane2: KeyedAccount,
    swapOwner: KeyedAccount,
    curator: KeyedAccount,
    crowd1: KeyedAccount,
    feeCollector: Contract,
  }),
});
/**
 * Names and addresses of the development stack on one chain. Every node has the same contracts, but
 * at different addresses.
 */
export type ChainWorld = z.output<typeof ChainWorld>;
type KeyedAccount = z.output<typeof KeyedAccount>;

/** Converts a test account to the type `SigningAccount` of the adapters. */
export function signingAccount({ address, privateKey }: KeyedAccount): SigningAccount {
  return { address: toFelt(address), privateKey: `0x${privateKey.toString(16)}` };
}

/** Returns the relayer's lanes. */
export function lanesOf({ accounts }: ChainWorld): readonly [Felt, Felt] {
  return [toFelt(accounts.lane1.address), toFelt(accounts.lane2.address)];
}
