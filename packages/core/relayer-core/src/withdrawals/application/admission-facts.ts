import type { DomainError, Felt, Felts } from '@sotto/kernel';
import type { ProofCalldata } from '@sotto/groth16/layout';
import type { Requested, Attempt, SimulationResult } from '@sotto/submission-core';
import type { FeeTokenPrices, PoolToken } from '@sotto/market-core';
import { checksOf, type Check, type Known } from '../../relay/application/check.js';
import type { NotePool } from '../../pools/domain/pool.js';
import type { Citation } from '../../fees/domain/quote-citation.js';
import type { PinStanding } from '../../pools/domain/swap-pin.js';
import type { WithdrawalStatement } from '../../pools/domain/withdrawal.js';
import type { WithdrawalFacts } from '../../pools/ports/pool-reader.port.js';

/** Parsed withdrawal request, with the request's key and fingerprint in the ledger. */
export interface WithdrawalRequest {
  readonly pool: NotePool;
  /**
   * Proof calldata with its length felt, which is the raw calldata of `withdraw(Span<felt252>)`.
   * With STRK for the recipient, its transfer follows; see `withRecipientGas`.
   */
  readonly calldata: Felts;
  /** STRK that the transaction gives to the recipient of the proof, in fri; 0 for none. */
  readonly recipientGasFri: bigint;
  readonly statement: WithdrawalStatement;
  readonly key: string;
  readonly requested: Requested;
  /**
   * Effect and fingerprint, computed only from the terms that the calldata of the request's call
   * shows on chain.
   */
  readonly shown: Requested;
}

/**
 * State of the pool and the withdrawal, with the hash of the transaction that spent the note, if
 * known.
 */
interface ChainFacts extends WithdrawalFacts {
  readonly spentBy?: Felt | null;
}

/** Cost for the relayer of withdrawing or swapping one note of the pool, at current gas prices. */
export interface WithdrawalCost extends FeeTokenPrices {
  readonly fri: bigint;
  /** Cost in fri if the call uses the gas that fee estimates and quotes assume. */
  readonly assumedFri: bigint;
  /** Token in which the fee is paid. */
  readonly token: PoolToken;
  /**
   * Smallest fee that covers the cost and the STRK for the recipient, in the token's smallest unit.
   */
  readonly feeToken: bigint;
  /**
   * Price of the STRK for the recipient, in the token's smallest unit, rounded up; 0 for none.
   * `fri` and `assumedFri` are costs of gas and do not contain it.
   */
  readonly recipientGas: bigint;
}

/** All facts on which the admission checks depend. */
export interface Facts {
  readonly pool: NotePool;
  readonly proof: ProofCalldata;
  readonly request: WithdrawalRequest;
  /** Quote that the request cites, as it was stored when the admission began. */
  readonly citation: Citation;
  /** Last attempt under the request's key. */
  readonly last: Attempt | null;
  /**
   * Error if the queue is full. Null if the queue has room, or if the request needs no slot in the
   * queue.
   */
  readonly queue: DomainError | null;
  /**
   * Error if the pool admits no new attempt; null if it does. Decided when the admission of the
   * request began.
   */
  readonly gate: DomainError | null;
  /** Result of comparing the swap's terms with the pin of its note. */
  readonly pin: PinStanding;
  readonly pairingHolds: boolean;
  readonly chain: ChainFacts;
  readonly cost: WithdrawalCost;
  readonly simulation: SimulationResult;
}

export type AdmissionFacts = Known<Facts>;

export type WithdrawalCheck = Check<Facts>;

/** Creates an admission check of a withdrawal or private swap. */
export const check = checksOf<Facts>();

/**
 * Returns the leaf that the withdrawal spends if the note is a swap output. Null for notes of other
 * pools, whose proofs reveal only the batch.
 */
export function leafIndexOf({ pool, statement }: WithdrawalRequest): number | null {
  return pool.kind === 'swap_output' ? statement.batchStart : null;
}
