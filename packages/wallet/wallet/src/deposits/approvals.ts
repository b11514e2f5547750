import { WalletError } from '../errors.js';
import type { JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import type { NodeReader } from '../node/node-reader.js';
import { MEMPOOL_LIFETIME_MS } from '../relayers/relayed-request.js';
import { readAccount, readNextNonce, type AllowanceName } from './allowance.js';
import { ACCOUNT_TIMEOUT_MS } from './account-answer.js';
import type { ShownApproval } from './deposit-entry.js';

/** Approval that was requested from the account and may still land. */
export interface RequestedApproval {
  /** Amount as decimal digits, in the ERC-20 token's smallest unit. */
  readonly amount: string;
  /** Time of the request, as Unix time in ms. */
  readonly askedAtMs: number;
  /**
   * Time at which the account answered or rejected the request, as Unix time in ms. Null while the
   * account may still send the approval.
   */
  readonly endedAtMs: number | null;
  /** Transaction hash as reported by the account; null if the account reported none. */
  readonly transactionHash: string | null;
  /**
   * Highest nonce that the approval can have, as decimal digits: the account's next nonce after the
   * request had ended. Null until it was read.
   */
  readonly nonce: string | null;
}

/** Stored record of an allowance. All deposits of the account into the pool share it. */
export interface AllowanceEntry {
  /** Null or absent if no requested approval can land any more. */
  readonly approval?: RequestedApproval | null;
}

/** Storage of an allowance's record. A {@link JournalRun} implements it. */
export interface AllowanceRecord {
  readonly entry: AllowanceEntry;
  write(entry: AllowanceEntry): Promise<void>;
}

/** State of an allowance. `allowance` is undefined if there is no node to read it from. */
export type Standing =
  /** The allowance covers the amount. */
  | { readonly kind: 'sufficient'; readonly allowance: bigint }
  /** The allowance is too low, and a requested approval may still land. */
  | { readonly kind: 'pending'; readonly allowance: bigint | undefined }
  /** The allowance is too low, and no requested approval can land any more. */
  | { readonly kind: 'none'; readonly allowance: bigint | undefined }
  | { readonly kind: 'unreadable'; readonly error: JourneyError };

/**
 * Time in ms after which a sent approval can't become visible any more: the mempool drops it, or a
 * block that is ACCEPTED_ON_L2 contains it.
 */
const APPROVAL_LANDING_MS = MEMPOOL_LIFETIME_MS + 60_000;

/**
 * Approvals of one account for one pool. The chain decides if an approval is in force: the answer
 * of the account may be lost, and a rejected request may have been sent.
 */
export class Approvals {
  readonly #node: NodeReader | undefined;
  readonly #name: AllowanceName;
  readonly #record: AllowanceRecord;

  constructor(node: NodeReader | undefined, name: AllowanceName, record: AllowanceRecord) {
    this.#node = node;
    this.#name = name;
    this.#record = record;
  }

  /** True if there is a node to read the allowance from. */
  get isReadable(): boolean {
    return this.#node !== undefined;
  }

  /** Stores a request for an approval. Must be called before the request is sent. */
  async requested(amount: bigint): Promise<void> {
    await this.#write({
      amount: String(amount),
      askedAtMs: Date.now(),
      endedAtMs: null,
      transactionHash: null,
      nonce: null,
    });
  }

  /** Stores that the account answered, or that its request failed. */
  async ended(transactionHash: string | null): Promise<void> {
    const { approval } = this.#record.entry;
    if (approval) await this.#write({ ...approval, endedAtMs: Date.now(), transactionHash });
  }

  /** Stores that the owner refused the request, so that no approval was sent. */
  async refused(): Promise<void> {
    await this.#write(null);
  }

  /**
   * Stores that the pool has collected the amount of a deposit whose approval was requested until
   * this Unix time in ms. The approval has landed, so the account's next deposit need not wait for
   * it. @throws any error of the storage
   */
  async collected(requestedUntilMs: number): Promise<void> {
    const { approval } = this.#record.entry;
    if (approval && approval.askedAtMs <= requestedUntilMs) await this.#write(null);
  }

  /** @throws the signal's reason when the signal aborts; any error of the storage */
  async check(amount: bigint, signal: AbortSignal): Promise<Standing> {
    const pending = await this.#pending(signal);
    // Read the clock before the chain: only a read after the end of the time is evidence.
    const isOver = pending !== null && Date.now() >= endMs(pending);
    if (this.#node === undefined) {
      if (isOver) await this.#write(null);
      return { kind: pending === null || isOver ? 'none' : 'pending', allowance: undefined };
    }
    const highest = pending?.nonce ?? null;
    let allowance: bigint;
    let isPassed: boolean;
    try {
      const state = await readAccount(this.#node, this.#name, {
        withNonce: highest !== null,
        signal,
      });
      allowance = state.allowance;
      isPassed = highest !== null && state.nonce !== undefined && state.nonce > BigInt(highest);
    } catch (cause) {
      signal.throwIfAborted();
      const error = ownError('NODE_UNREACHABLE', { cause });
      const code = cause instanceof WalletError ? cause.code : error.code;
      return { kind: 'unreadable', error: { ...error, code } };
    }
    const hasLanded = pending !== null && allowance >= BigInt(pending.amount);
    if (pending !== null && (hasLanded || isPassed || isOver)) await this.#write(null);
    if (allowance >= amount) return { kind: 'sufficient', allowance };
    const mayLand = pending !== null && !hasLanded && !isPassed && !isOver;
    return { kind: mayLand ? 'pending' : 'none', allowance };
  }

  /**
   * Returns true or false as the chain shows it, or `unknown` if the chain can't be read or a
   * requested approval may still land.
   * @throws as {@link check}
   */
  async shown(signal: AbortSignal): Promise<ShownApproval> {
    const standing = await this.check(1n, signal);
    if (standing.kind === 'sufficient') return true;
    return standing.kind === 'none' && standing.allowance !== undefined ? false : 'unknown';
  }

  /** Returns the pending approval, after an attempt to read the highest nonce that it can have. */
  async #pending(signal: AbortSignal): Promise<RequestedApproval | null> {
    const { approval } = this.#record.entry;
    if (!approval) return null;
    const nowMs = Date.now();
    let { endedAtMs, nonce } = approval;
    // The clock was set back: the time of the mempool starts again.
    if (endedAtMs !== null && endedAtMs > nowMs) endedAtMs = nowMs;
    const askedAtMs = Math.min(approval.askedAtMs, nowMs);
    if (endedAtMs !== null && nonce === null && this.#node !== undefined) {
      const next = await readNextNonce(this.#node, this.#name.owner, signal);
      nonce = next === undefined ? null : String(next);
    }
    const read = { ...approval, askedAtMs, endedAtMs, nonce };
    const isNews =
      askedAtMs !== approval.askedAtMs ||
      endedAtMs !== approval.endedAtMs ||
      nonce !== approval.nonce;
    if (isNews) await this.#write(read);
    return read;
  }

  async #write(approval: RequestedApproval | null): Promise<void> {
    await this.#record.write({ ...this.#record.entry, approval });
  }
}

/** Returns the Unix time in ms from which the approval can't land any more. */
function endMs({ askedAtMs, endedAtMs }: RequestedApproval): number {
  // An account that has not answered may send the approval until its time ends.
  return (endedAtMs ?? askedAtMs + ACCOUNT_TIMEOUT_MS) + APPROVAL_LANDING_MS;
}
