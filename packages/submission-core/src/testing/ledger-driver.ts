import { createHash } from 'node:crypto';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type { LaneClaim, NewSubmission, NonceTaker, SignedTransaction, SubmissionEvent } from '../domain/events.js';
import type { ResourceBounds } from '../domain/resource-bounds.js';
import type { Attempt, AttemptRef } from '../domain/rows.js';
import type { Ledger, Recorded } from '../ports/ledger.port.js';

const HOUR_MS = 3_600_000;
const DEFAULT_L2_PRICE_FRI = 24_000_000_000n;

/** A submission that nothing else resembles; the same name gives the same one. */
export function aSubmission(name: string, changes: Partial<NewSubmission> = {}): NewSubmission {
  return {
    key: `chain|pool|${name}`,
    id: `id-of-${name}`,
    fingerprint: `fingerprint of ${name}`,
    role: 'relay',
    target: { to: toFelt('0x9001'), entrypoint: 'withdraw' },
    calldata: Felts.of([3n, BigInt(name.length), digest(name)]),
    limits: { l2Gas: 1_200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n },
    // Above 2^63, as no integer column can hold it.
    terms: {
      feeAmount: 2n ** 64n,
      feeToken: toFelt('0x37b'),
      costFri: 2n ** 100n,
      strkUsdE8: 45_000_000n,
      feeTokenUsdE8: 9_500_000_000_000n,
    },
    deadlineMs: HOUR_MS,
    ...changes,
  };
}

/** Bytes that no key has signed, with bounds at one price of L2 gas. */
export function aSignedTransaction(name: string, l2PriceFri: bigint = DEFAULT_L2_PRICE_FRI): SignedTransaction {
  const bounds: ResourceBounds = {
    l2Gas: { maxAmount: 1_200_000_000n, maxPriceFri: l2PriceFri },
    l1Gas: { maxAmount: 256n, maxPriceFri: 2n ** 90n },
    l1DataGas: { maxAmount: 20_480n, maxPriceFri: 1n },
    tipFri: 0n,
  };
  return {
    hash: toFelt(digest(`${name} at ${l2PriceFri}`)),
    bounds,
    bytes: new TextEncoder().encode(`signed bytes of ${name} at ${l2PriceFri}`),
  };
}

export interface Broadcast {
  readonly attempt: Attempt;
  readonly transaction: SignedTransaction;
  readonly nonce: bigint;
}

/** Writes the usual events to a ledger from one leased lane, so that a test names only what it is about. */
export class LedgerDriver {
  static readonly lane: Felt = toFelt('0x1a2e');
  static readonly instance = 'instance-a';

  /** The fence of the last {@link lease}. */
  fence = 0n;
  atMs = 1_000;

  constructor(readonly ledger: Ledger) {}

  /** Registers the lane and leases it. */
  async lease(instance: string = LedgerDriver.instance, ttlMs = HOUR_MS): Promise<void> {
    await this.ledger.registerLane(LedgerDriver.lane, 'relay');
    const lane = await this.ledger.lease(LedgerDriver.lane, instance, ttlMs);
    if (lane === null) throw new Error('another instance holds the lane');
    this.fence = lane.fence;
  }

  at(nonce: bigint): LaneClaim {
    return { lane: LedgerDriver.lane, nonce, fence: this.fence };
  }

  request(name: string, changes: Partial<NewSubmission> = {}): Promise<Recorded> {
    return this.ledger.record({ type: 'request', submission: aSubmission(name, changes), atMs: this.atMs });
  }

  prepare(attempt: AttemptRef, nonce: bigint, transaction: SignedTransaction, claim = true): Promise<Recorded> {
    return this.ledger.record({ type: 'prepare', ...this.at(nonce), attempt, transaction, claim, atMs: this.atMs });
  }

  claim(nonce: bigint, hash: Felt): Promise<Recorded> {
    return this.ledger.record({ type: 'claim', ...this.at(nonce), hash, atMs: this.atMs });
  }

  settle(
    nonce: bigint,
    taker: NonceTaker,
    loser: Extract<SubmissionEvent, { type: 'settle' }>['loser'] = { to: 'accepted' },
  ): Promise<Recorded> {
    return this.ledger.record({ type: 'settle', ...this.at(nonce), taker, loser, atMs: this.atMs });
  }

  succeed({ nonce, transaction }: Broadcast): Promise<Recorded> {
    return this.settle(nonce, took(transaction.hash));
  }

  /** A new submission, accepted. */
  async accepted(name: string): Promise<Attempt> {
    return written(await this.request(name));
  }

  /** A new submission with its first send claimed. */
  async broadcast(name: string, nonce: bigint): Promise<Broadcast> {
    return this.#signed(name, nonce, true);
  }

  /** A new submission with a nonce, and no send claimed. */
  async prepared(name: string, nonce: bigint): Promise<Broadcast> {
    return this.#signed(name, nonce, false);
  }

  async #signed(name: string, nonce: bigint, claim: boolean): Promise<Broadcast> {
    const transaction = aSignedTransaction(name);
    const attempt = written(await this.prepare(await this.accepted(name), nonce, transaction, claim));
    return { attempt, transaction, nonce };
  }
}

/** One of our hashes took a nonce: it succeeded unless said otherwise. */
export function took(hash: Felt, changes: Partial<NonceTaker> = {}): NonceTaker {
  return { hash, execution: 'SUCCEEDED', revertReason: null, feeFri: 2n ** 70n, ...changes };
}

function written(recorded: Recorded): Attempt {
  if (!recorded.written) throw new Error(`the ledger stood back: ${recorded.because}`);
  if (recorded.attempt === null) throw new Error('the event was about no attempt');
  return recorded.attempt;
}

/** 248 bits, so that it always is a felt. */
function digest(text: string): bigint {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(2)}`);
}

/** A transaction that is not in the ledger: somebody else signed with the lane's key. */
export const foreign: NonceTaker = took(toFelt('0xf0e16'));
