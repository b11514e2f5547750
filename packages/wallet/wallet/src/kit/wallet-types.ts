import type { DepositAccount } from '../deposits/deposit-account.js';
import type { DepositEvent } from '../deposits/deposit-events.js';
import type { GuardOptions } from '../guard/admission.js';
import type { JournalOptions } from '../journeys/journal.js';
import type { NoteKeys } from '../notes/note-keys.js';
import type { Batch, PoolView } from '../pools/pool-view.js';
import type { Prover } from '../prover.js';
import type { Relayer } from '../relayers/relayers.js';
import type { WalletStorage } from '../storage.js';
import type { PrivateSwapEvent } from '../swaps/swap-events.js';
import type { WithdrawalEvent } from '../withdrawals/withdrawal-events.js';
import type { Action } from './action.js';
import type { DepositResult, SwapResult, WithdrawalResult } from './results.js';

/** Open pool of a wallet. */
export interface WalletPool {
  readonly view: PoolView;
  /** Address of the ERC-20 token as 0x hex; null for the swap pool. */
  readonly token: string | null;
  /** Amount of a deposit in the ERC-20 token's smallest unit; null for the swap pool. */
  readonly amount: bigint | null;
  /** Value of a leaf of the swap pool. */
  readonly leafValue?: (
    leafIndex: number,
  ) => { readonly token: string | undefined; readonly amount: bigint } | undefined;
}

/** Parts of a wallet. */
export interface WalletParts extends JournalOptions {
  readonly keys: NoteKeys;
  readonly pools: readonly WalletPool[];
  /** Pool of swapped notes; null if the wallet does not swap. */
  readonly swapPool: WalletPool | null;
  readonly relayers: readonly Relayer[];
  readonly storage: WalletStorage;
  readonly prover: Prover;
  /** Account that pays for deposits; null if the wallet does not deposit. */
  readonly account: DepositAccount | null;
}

/** Note of the wallet. Addresses, commitments and hashes are 0x hex. */
export interface WalletNote {
  /** Identifies the note to this wallet. The commitment is public; its owner is not. */
  readonly commitment: string;
  readonly pool: string;
  /** ERC-20 token of the note; null if it is unknown. */
  readonly token: string | null;
  /** Deposited amount, in the ERC-20 token's smallest unit; null if it is unknown. */
  readonly amount: bigint | null;
  /**
   * `depositing`: not on chain yet. `waiting`: on chain, and its batch is not. `active`: can be
   * withdrawn or swapped. `spent`: no value is left.
   */
  readonly status: 'depositing' | 'waiting' | 'active' | 'spent';
  readonly leafIndex: number | null;
  /** Batch whose size is the number of deposits that hide a withdrawal; null while it waits. */
  readonly batch: Batch | null;
  /** Time of the deposit's block as Unix time in ms; null if unknown. */
  readonly depositedAtMs: number | null;
  /** Transaction that spent the note; null while it is unspent. */
  readonly spentBy: string | null;
}

export interface WithdrawOptions extends GuardOptions {
  /** Maximum fee, in the smallest unit of the note's ERC-20 token. */
  readonly maxFee: bigint;
  /** Maximum random delay in ms of a swapped note. @default one hour */
  readonly waitForSwap?: number;
}

export interface SwapOptions extends GuardOptions {
  /** Address (0x hex) that the withdrawal of the new note pays. */
  readonly to: string;
  /** Minimum output, in the output token's smallest unit. */
  readonly minAmountOut: bigint;
  /** Maximum fee of the swap, in the smallest unit of the note's ERC-20 token. */
  readonly maxFee: bigint;
  /** Maximum fee of the new note's withdrawal, in the output token's smallest unit. */
  readonly maxWithdrawalFee: bigint;
  /** Slippage as a fraction. @default the relayer's default slippage */
  readonly slippage?: number;
  /** Maximum random delay in ms of the new note's withdrawal. @default one hour */
  readonly waitForSwap?: number;
}

/** Event of an action, with the note's commitment and its pool, both as 0x hex. */
export type WalletEvent = { readonly commitment: string; readonly pool: string } & (
  | ({ readonly action: 'deposit' } & DepositEvent)
  | ({ readonly action: 'withdrawal' } & WithdrawalEvent)
  | ({ readonly action: 'swap' } & PrivateSwapEvent)
);

/** Unfinished work that `Wallet.resumeAll` continues. */
export interface ResumedWork {
  readonly actions: readonly Action<DepositResult | WithdrawalResult | SwapResult>[];
  /**
   * Errors of unfinished work that can't be continued, for example because its stored record is
   * damaged or its account is not the wallet's account.
   */
  readonly errors: readonly unknown[];
}

/** Leaves unreadable records out. `Wallet.resumeAll` reports them. */
export const LEFT_OUT = { onUnreadable: (): void => undefined };
