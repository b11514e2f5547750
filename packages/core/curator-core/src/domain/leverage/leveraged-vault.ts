import type { Felt } from '@sotto/kernel';
import type { PoolToken } from '@sotto/market-core';
import type { VaultId } from '../vault.js';
import type { LeverageLayout } from './layout.js';

/** A vault of the network profile that can borrow against its collateral. */
export interface LeveragedVault {
  readonly id: VaultId;
  readonly address: Felt;
  /** Lending pool in which the vault supplies and borrows. */
  readonly lendingPool: Felt;
  /** ERC-20 token that the vault supplies. */
  readonly collateral: PoolToken;
  /** ERC-20 token that the vault borrows. */
  readonly debt: PoolToken;
  readonly layout: LeverageLayout;
}
