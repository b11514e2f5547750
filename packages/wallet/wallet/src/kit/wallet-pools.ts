import type { DepositSummary } from '../deposits/deposit.js';
import { WalletError } from '../errors.js';
import { toHex } from '../fields.js';
import type { Note } from '../notes/note.js';
import type { FoundNote } from '../notes/recover-notes.js';
import type { PoolView } from '../pools/pool-view.js';
import { parseRecipient } from '../recipient.js';
import { PrivateSwap } from '../swaps/private-swap.js';
import type { SwapResult, WithdrawalResult } from './results.js';
import { LEFT_OUT, type WalletNote, type WalletParts, type WalletPool } from './wallet-types.js';

/** Pools of a wallet, and the notes and payments in them. */
export class WalletPools {
  constructor(
    private readonly parts: Pick<WalletParts, 'pools' | 'swapPool' | 'keys' | 'storage'>,
  ) {}

  /** All pools of the wallet. */
  get all(): readonly WalletPool[] {
    const { pools, swapPool } = this.parts;
    return swapPool === null ? pools : [...pools, swapPool];
  }

  /** @throws WalletError POOL_UNKNOWN */
  at(address: string): WalletPool {
    const found = this.all.find(({ view }) => isSame(view.address, address));
    if (found === undefined)
      throw new WalletError('POOL_UNKNOWN', 'the wallet was created without this pool');
    return found;
  }

  /** @throws WalletError POOL_UNKNOWN */
  swapPool(): WalletPool {
    const { swapPool } = this.parts;
    if (swapPool === null)
      throw new WalletError('POOL_UNKNOWN', 'the wallet was created without a swap pool');
    return swapPool;
  }

  /**
   * Checks the recipient of a note's payment: no pool and no token of the wallet can spend it.
   * @throws WalletError RECIPIENT_MALFORMED, RECIPIENT_UNSPENDABLE
   */
  checkRecipient({ pool, commitment }: Pick<WalletNote, 'pool' | 'commitment'>, to: string): void {
    const leaf = this.at(pool).view.placeOf(BigInt(commitment))?.leafIndex;
    const ofNote = leaf === undefined ? null : this.#valueOf({ address: pool }, leaf).token;
    const contracts = this.all.flatMap(({ view, token }) => [view.address, token]);
    parseRecipient(
      to,
      [...contracts, ofNote].filter((contract) => contract !== null),
    );
  }

  /** Returns a deposit of the seed as a note. */
  noteOf(found: FoundNote): WalletNote {
    const { note, pool, leafIndex, status } = found;
    const place = pool.placeOf(note.commitment);
    return {
      commitment: toHex(note.commitment),
      pool: pool.address,
      ...this.#valueOf(pool, leafIndex),
      status,
      leafIndex,
      batch: place?.batch ?? null,
      depositedAtMs: place?.depositedAtMs ?? null,
      spentBy: status === 'spent' ? found.transactionHash : null,
    };
  }

  /** Returns the note of a deposit that is not on chain; nothing for another wallet's pool. */
  depositing({ commitment, pool, token, amount }: DepositSummary): readonly WalletNote[] {
    const none = { leafIndex: null, batch: null, depositedAtMs: null, spentBy: null };
    const isOwn = this.all.some(({ view }) => isSame(view.address, pool));
    return isOwn ? [{ commitment, pool, token, amount, status: 'depositing', ...none }] : [];
  }

  #valueOf(
    { address }: Pick<PoolView, 'address'>,
    leafIndex: number,
  ): Pick<WalletNote, 'token' | 'amount'> {
    const { token, amount, leafValue } = this.at(address);
    const value = leafValue?.(leafIndex);
    return { token: value?.token ?? token, amount: value?.amount ?? amount };
  }

  /** Returns the result of a settled withdrawal. */
  resultOf(
    pool: PoolView,
    note: Note,
    recipient: string,
    transactionHash: string,
  ): WithdrawalResult {
    const place = pool.placeOf(note.commitment);
    const payment = pool.paymentOf?.(note.nullifierHash);
    // Another tab may have begun the withdrawal again, to another recipient.
    const paidTo = pool.recipientOf?.(note.nullifierHash) ?? BigInt(recipient);
    return {
      commitment: toHex(note.commitment),
      pool: pool.address,
      token: place === undefined ? null : this.#valueOf(pool, place.leafIndex).token,
      amount: payment?.amount ?? null,
      fee: payment?.fee ?? null,
      recipient: paidTo === BigInt(recipient) ? recipient : toHex(paidTo),
      batch: place?.batch ?? null,
      transactionHash,
      seenAtMs: Date.now(),
    };
  }

  /** Returns the result of a swap. @throws any error of the storage */
  async swapResultOf(
    pool: PoolView,
    note: Note,
    id: string,
    named: string,
    { type, transactionHash }: { readonly type: string; readonly transactionHash: string },
  ): Promise<SwapResult> {
    const summary = (await PrivateSwap.list(this.parts.storage, LEFT_OUT)).find(
      (one) => one.id === id,
    );
    const recipient = summary?.recipient ?? named;
    const swapTransactionHash = summary?.transactionHash ?? null;
    if (type === 'withdrawn') {
      const paid = this.resultOf(pool, note, recipient, transactionHash);
      return { ...paid, outcome: 'withdrawn', swapTransactionHash };
    }
    const { view } = this.swapPool();
    const index = summary?.outputIndex ?? null;
    const { chainId, address } = view;
    const output = index === null ? note : this.parts.keys.note({ chainId, pool: address, index });
    const paid = this.resultOf(view, output, recipient, transactionHash);
    return { ...paid, commitment: toHex(note.commitment), outcome: 'swapped', swapTransactionHash };
  }
}

/** Returns true if two texts are the same felt. */
export function isSame(one: string, other: string): boolean {
  return BigInt(one) === BigInt(other);
}
