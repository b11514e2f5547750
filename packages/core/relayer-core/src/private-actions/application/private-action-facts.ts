import type { DomainError, Felt, Felts } from '@sotto/kernel';
import type { Attempt, Requested, SimulationResult } from '@sotto/submission-core';
import { checksOf, type Check, type Known } from '../../relay/application/check.js';
import type { PrivacyPool } from '../../pools/domain/pool.js';
import type { ActionEffects, ApplyActionsCall } from '../../pools/domain/apply-actions-call.js';
import type { SignedOutsideCalls } from '../domain/outside-execution.js';
import type { PrivateActionCost, PrivateActionFeeMode } from '../domain/private-action-cost.js';
import type { PrivateActionPayload } from '../../pools/domain/private-action-payload.js';
import type { FactsRejection, ProofFacts } from '../domain/proof-facts.js';
import type { Sponsor } from '../domain/sponsors.js';
import type { PrivacyPoolFacts } from '../ports/privacy-pool-reader.port.js';

/** Payment of the actions to the relayer, in the smallest unit of a token that is served. */
export interface ActionFee {
  readonly token: Felt;
  readonly amount: bigint;
}

/** Parsed request with private actions, with its key and its fingerprint in the ledger. */
export interface PrivateActionRequest {
  readonly pool: PrivacyPool;
  readonly call: ApplyActionsCall;
  readonly facts: ProofFacts;
  readonly effects: ActionEffects;
  /** Content of the transaction, except the approval of the pool's fee. */
  readonly payload: Omit<PrivateActionPayload, 'poolFee'>;
  /** Calls of the user's account that run before the actions; null for none. */
  readonly outsideCalls: SignedOutsideCalls | null;
  readonly feeMode: PrivateActionFeeMode;
  /** First payment in a served token; null if there is none. */
  readonly fee: ActionFee | null;
  readonly key: string;
  readonly requested: Requested;
}

/** State of the pool, and the errors of the proof facts that do not agree with the state. */
export interface ReadPool extends PrivacyPoolFacts {
  readonly rejections: readonly FactsRejection[];
}

/**
 * Fee that this caller was promised, and the cost that the promise assumed. Both are in the
 * smallest unit of the fee's token, so a token that loses value raises the cost.
 */
export interface Promised {
  readonly amount: bigint;
  /** Assumed cost that the fee covers. */
  readonly costAmount: bigint;
}

/** All facts on which the checks of private actions depend. */
export interface Facts {
  readonly pool: PrivacyPool;
  readonly call: ApplyActionsCall;
  readonly proof: ProofFacts;
  readonly request: PrivateActionRequest;
  /** Sponsor of the request; null in the mode `default`. */
  readonly sponsor: Sponsor | null;
  readonly last: Attempt | null;
  /** Error if the queue is full, or null. */
  readonly queue: DomainError | null;
  /** Error of the circuit breaker, or null. */
  readonly gate: DomainError | null;
  readonly chain: ReadPool;
  readonly promised: Promised | null;
  readonly cost: PrivateActionCost;
  /**
   * Packed payload with the pool's present fee, as it is simulated. An adapter caches the text of
   * this object, so the attempt is submitted with the same object.
   */
  readonly calldata: Felts;
  readonly simulation: SimulationResult;
}

export type PrivateActionFacts = Known<Facts>;
export type PrivateActionCheck = Check<Facts>;
export const check = checksOf<Facts>();

/** Sizes up to which requests are accepted. */
export const LIMITS = {
  /** Felts of the calls. Source: below the network's limit of 5,000 felts of a transaction. */
  calldataFelts: 4_800,
  /** Bytes of the decoded proof. */
  proofBytes: 2 * 1_024 * 1_024,
  /** Storage addresses that the actions write once; each is one read of the node and one lock. */
  writeOnceAddresses: 64,
} as const;
