import type { Felt } from '@sotto/kernel';
import type { PoolToken } from '@sotto/market-core';
import type { VaultId } from '../vault.js';
import type { LeverageLayout } from './layout.js';

/** A vault of the network profile that can borrow against what it has supplied. */
export interface LeveragedVault {
  readonly id: VaultId;
  readonly address: Felt;
  /** Where the vault supplies and borrows. */
  readonly lendingPool: Felt;
  /** What it supplies. */
  readonly collateral: PoolToken;
  /** What it borrows. */
  readonly debt: PoolToken;
  readonly layout: LeverageLayout;
}
