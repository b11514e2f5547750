import type { DomainError, Felt, Felts, Result } from '@sotto/kernel';
import type { ProofCalldata } from '@sotto/groth16/layout';
import type { Asked, Attempt, SimulationResult } from '@sotto/submission-core';
import type { FeeTokenPrices, PoolToken } from '@sotto/market-core';
import type { NotePool } from '../../pools/domain/pool.js';
import type { Citation } from '../../fees/domain/quote-citation.js';
import type { PinStanding } from '../../pools/domain/swap-pin.js';
import type { WithdrawalStatement } from '../../pools/domain/withdrawal.js';
import type { WithdrawalFacts } from '../../pools/ports/pool-reader.port.js';

/** A withdrawal that was understood: what it states, and by what the ledger knows it. */
export interface WithdrawalRequest {
  readonly pool: NotePool;
  /** With the length felt: as they stand, the raw calldata of `withdraw(Span<felt252>)`. */
  readonly calldata: Felts;
  readonly statement: WithdrawalStatement;
  readonly key: string;
  readonly asked: Asked;
  /** What its call on chain shows of that: the same, but for terms that no calldata holds. */
  readonly shown: Asked;
}

/**
 * The pool's word on a withdrawal, and which transaction spent its note where that was looked up.
 */
interface ChainFacts extends WithdrawalFacts {
  readonly spentBy?: Felt | null;
}

/** What the relayer spends on a note, now. */
export interface WithdrawalCost extends FeeTokenPrices {
  readonly fri: bigint;
  /** The same with the gas that fee estimates and quotes assume. */
  readonly assumedFri: bigint;
  /** What the fee is paid in. */
  readonly token: PoolToken;
  /** Smallest fee that covers it, in the token's smallest unit. */
  readonly feeToken: bigint;
}

/** All facts that the admission checks use. */
export interface Facts {
  readonly pool: NotePool;
  readonly proof: ProofCalldata;
  readonly request: WithdrawalRequest;
  /** The quote that the request cites, as the book knew it when the admission began. */
  readonly citation: Citation;
  /** Last attempt under the request's key. */
  readonly last: Attempt | null;
  /**
   * Why nothing more may wait for a lane; null when something may, or the request needs no place.
   */
  readonly queue: DomainError | null;
  /**
   * Why nothing may begin in the pool, as it was when the admission began; null when something may.
   */
  readonly gate: DomainError | null;
  /** Of a swap: how its terms stand against the pin of its note. */
  readonly pin: PinStanding;
  readonly pairingHolds: boolean;
  readonly chain: ChainFacts;
  readonly cost: WithdrawalCost;
  readonly simulation: SimulationResult;
}

/** The facts read so far. A fact that has not been read is absent. */
export type AdmissionFacts = { readonly [Name in keyof Facts]?: Result<Facts[Name]> };

/**
 * The leaf that a swap output's withdrawal spends; null for notes of other pools, whose proofs
 * reveal only the batch.
 */
export function leafIndexOf({ pool, statement }: WithdrawalRequest): number | null {
  return pool.kind === 'swap_output' ? statement.batchStart : null;
}
