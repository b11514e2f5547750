import type { Felt, Felts } from '@sotto/kernel';
import type { GasUsed } from '../domain/gas-used.js';

export interface SimulatedCall {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly calldata: Felts;
}

/**
 * Result of a simulation. A success as an account's transaction includes the gas that it would use.
 */
export type SimulationResult =
  | {
      readonly ok: true;
      readonly gas?: GasUsed;
      /** Calls of the watched entry point, in the order of their execution. */
      readonly watched?: readonly WatchedCall[];
    }
  | { readonly ok: false; readonly reason: string };

/** Call that a contract made within the simulated transaction. */
export type WatchedCall = Omit<SimulatedCall, 'entrypoint'>;

export interface SimulationOptions {
  /**
   * State that the call runs on: the newest block at ACCEPTED_ON_L2, or the pre-confirmed block.
   * @default latest
   */
  readonly at?: 'latest' | 'pre_confirmed';
  /** Entry point whose calls are returned. Only for transactions of an account. */
  readonly watch?: string;
}

/**
 * Runs a call on the node's state and discards its effects, without nonce, fee or signature.
 *
 * - The call has no caller without `as`: use this only for calls that any caller may make.
 * - With `as` it runs as a transaction of that account, which is then the caller. A success
 *   includes the gas that the transaction would use, except for the account's own validation and
 *   the fee transfer: a few hundredths of a withdrawal.
 * - Resolves a revert as a value, with the contract's own text.
 * - Rejects with a `DomainError` if the node can't answer, or does not know the account.
 */
export abstract class CallSimulator {
  abstract simulate(
    call: SimulatedCall,
    as?: Felt,
    options?: SimulationOptions,
  ): Promise<SimulationResult>;
}
