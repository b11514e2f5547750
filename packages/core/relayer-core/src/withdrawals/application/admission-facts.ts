import type { DomainError, Felt, Felts, Result } from '@sotto/kernel';
import type { ProofCalldata } from '@sotto/groth16/layout';
import type { Asked, Attempt, SimulationResult } from '@sotto/submission-core';
import type { FeeTokenPrices, PoolToken } from '@sotto/market-core';
import type { NotePool } from '../../pools/domain/pool.js';
import type { Citation } from '../../fees/domain/quote-citation.js';
import type { PinStanding } from '../../pools/domain/swap-pin.js';
import type { WithdrawalStatement } from '../../pools/domain/withdrawal.js';
import type { WithdrawalFacts } from '../../pools/ports/pool-reader.port.js';

/** Parsed withdrawal: its statement, and its key and fingerprint in the ledger. */
export interface WithdrawalRequest {
  readonly pool: NotePool;
  /**
   * Proof calldata with its length felt, which is the raw calldata of `withdraw(Span<felt252>)`.
   */
  readonly calldata: Felts;
  readonly statement: WithdrawalStatement;
  readonly key: string;
  readonly asked: Asked;
  /** The part of `asked` that its call on chain shows: all terms that are in calldata. */
  readonly shown: Asked;
}

/** State of the pool and the withdrawal, with the transaction that spent the note, if known. */
interface ChainFacts extends WithdrawalFacts {
  readonly spentBy?: Felt | null;
}

/** Current cost of a note for the relayer. */
export interface WithdrawalCost extends FeeTokenPrices {
  readonly fri: bigint;
  /** Cost with the gas that fee estimates and quotes assume. */
  readonly assumedFri: bigint;
  /** Token in which the fee is paid. */
  readonly token: PoolToken;
  /** Smallest fee that covers the cost, in the token's smallest unit. */
  readonly feeToken: bigint;
}

/** All facts that the admission checks use. */
export interface Facts {
  readonly pool: NotePool;
  readonly proof: ProofCalldata;
  readonly request: WithdrawalRequest;
  /** Quote that the request cites, as stored when the admission began. */
  readonly citation: Citation;
  /** Last attempt under the request's key. */
  readonly last: Attempt | null;
  /** Error if the queue is full; null if it has room, or if the request needs no place. */
  readonly queue: DomainError | null;
  /**
   * Error if no attempt may begin in the pool, as judged when the admission began; null if one may.
   */
  readonly gate: DomainError | null;
  /** Comparison of a swap's terms with the pin of its note. */
  readonly pin: PinStanding;
  readonly pairingHolds: boolean;
  readonly chain: ChainFacts;
  readonly cost: WithdrawalCost;
  readonly simulation: SimulationResult;
}

/** Facts read so far. A fact that has not been read is absent. */
export type AdmissionFacts = { readonly [Name in keyof Facts]?: Result<Facts[Name]> };

/**
 * Returns the leaf that a swap output's withdrawal spends; null for notes of other pools, whose
 * proofs reveal only the batch.
 */
export function leafIndexOf({ pool, statement }: WithdrawalRequest): number | null {
  return pool.kind === 'swap_output' ? statement.batchStart : null;
}
