import type { Felt } from '@sotto/kernel';
import type { RejectionCause } from '../../domain/events.js';
import type { SendAnswer } from '../../ports/chain.port.js';
import { isUnanswered } from './send-results.js';

/**
 * Number of consecutive rejections of a call after which a no-op replaces the call. The bytes of
 * the call may still be broadcast at that time.
 */
const REFUSED_TOO_OFTEN = 3;

interface Rejections {
  readonly forPrice: Set<Felt>;
  readonly forNonce: Set<Felt>;
  /** Hashes of transactions whose last send no node has accepted. */
  readonly unanswered: Set<Felt>;
  ofCall: number;
  code: string;
}

/**
 * Counts rejections that prove nothing, because the bytes may still be broadcast. The counters
 * decide only which transaction fills a nonce, and when bytes are sent again.
 */
export class RejectionCounters {
  readonly #byNonce = new Map<bigint, Rejections>();

  note(
    nonce: bigint,
    hash: Felt,
    { cause, code }: { readonly cause: RejectionCause; readonly code: string },
  ): void {
    const rejections = this.#of(nonce);
    if (cause === 'price') rejections.forPrice.add(hash);
    if (cause !== 'call') return;
    rejections.ofCall += 1;
    rejections.code = code;
  }

  noteAnswer(nonce: bigint, hash: Felt, answer: SendAnswer): void {
    const { unanswered } = this.#of(nonce);
    if (isUnanswered(answer)) unanswered.add(hash);
    else unanswered.delete(hash);
  }

  /** Returns the hashes of this nonce's transactions whose last send no node has accepted. */
  unanswered(nonce: bigint): ReadonlySet<Felt> {
    return this.#byNonce.get(nonce)?.unanswered ?? new Set();
  }

  refusedForPrice(nonce: bigint): ReadonlySet<Felt> {
    return this.#byNonce.get(nonce)?.forPrice ?? new Set();
  }

  noteNonceRefused(nonce: bigint, hash: Felt): void {
    this.#of(nonce).forNonce.add(hash);
  }

  refusedForNonce(nonce: bigint): ReadonlySet<Felt> {
    return this.#byNonce.get(nonce)?.forNonce ?? new Set();
  }

  /**
   * Returns the code of the last rejection if the call of this nonce was rejected too often;
   * otherwise null.
   */
  refusedTooOften(nonce: bigint): string | null {
    const rejections = this.#byNonce.get(nonce);
    return rejections !== undefined && rejections.ofCall >= REFUSED_TOO_OFTEN
      ? rejections.code
      : null;
  }

  forget(nonce: bigint): void {
    this.#byNonce.delete(nonce);
  }

  /**
   * Drops the counters of all nonces that are not in `nonces`: these nonces are settled or belong
   * to another instance.
   */
  keepOnly(nonces: ReadonlySet<bigint>): void {
    for (const nonce of this.#byNonce.keys()) if (!nonces.has(nonce)) this.#byNonce.delete(nonce);
  }

  #of(nonce: bigint): Rejections {
    const rejections = this.#byNonce.get(nonce) ?? {
      forPrice: new Set(),
      forNonce: new Set(),
      unanswered: new Set(),
      ofCall: 0,
      code: '',
    };
    this.#byNonce.set(nonce, rejections);
    return rejections;
  }
}
