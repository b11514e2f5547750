import type { PrivatePayment } from './action-felts.js';

export interface PrivacyProverOptions {
  /** URL of the node's JSON-RPC. */
  readonly rpcUrl: string;
  /**
   * URL of the sandbox's control interface. If it is set and the chain has too few blocks for a
   * proof, the prover mines them.
   */
  readonly controlUrl?: string | undefined;
  /**
   * Seed of notes, nullifiers and ciphertexts. Two provers with the same seed use the same notes,
   * so their requests exclude each other.
   */
  readonly seed: string;
  /** @default the sandbox's privacy pool */
  readonly pool?: bigint | undefined;
}

export interface ProofOptions {
  /**
   * Number of the block on which the actions are proven.
   * @default the newest block that simulations accept at the latest block
   */
  readonly baseBlock?: number | undefined;
  /**
   * Numbers of the notes that are spent, one for each token in the order of payments.
   * @default notes that this prover has not used yet
   */
  readonly notes?: readonly number[] | undefined;
  /**
   * Attestation of the depositor's screening.
   * @default `needed`: the request has one if the pool needs one
   */
  readonly screening?: 'needed' | 'never' | 'always' | undefined;
  /** Changes the facts before the proof is computed, to build false facts. */
  readonly changeFacts?: ((facts: bigint[]) => bigint[]) | undefined;
}

/** Request for the privacy pool. Felts are 0x hex without leading zeros. */
export interface PrivateRequest {
  readonly poolAddress: string;
  /** Calldata of `apply_actions`. */
  readonly calldata: readonly string[];
  readonly proofFacts: readonly string[];
  /** Proof as base64 text. */
  readonly proof: string;
  readonly baseBlock: { readonly number: number; readonly hash: string };
  /** Storage addresses that the actions write once. */
  readonly writeOnceAddresses: readonly string[];
}

/** Call of a user's account. */
export interface UserCall {
  readonly to: string;
  readonly entrypoint: string;
  readonly selector: string;
  readonly calldata: readonly string[];
}

/** Payment of the relayer's fee, which is the last payment of a request. */
export interface FeeOption {
  readonly fee?: PrivatePayment | undefined;
}
