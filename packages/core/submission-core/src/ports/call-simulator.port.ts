import type { Felt, Felts } from '@sotto/kernel';
import type { GasUsed } from '../domain/gas-used.js';

export interface SimulatedCall {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly calldata: Felts;
}

/**
 * Result of a simulation. If the call was simulated as an account's transaction, a success includes
 * the gas that the transaction would use.
 */
export type SimulationResult =
  | {
      readonly ok: true;
      readonly gas?: GasUsed;
      /**
       * Calls of the watched entry point that the simulated transaction made, in the order of their
       * execution.
       */
      readonly watched?: readonly WatchedCall[];
    }
  | { readonly ok: false; readonly reason: string };

/** Call that a contract made within the simulated transaction. */
export type WatchedCall = Omit<SimulatedCall, 'entrypoint'>;

export interface SimulationOptions {
  /**
   * State on which the call is simulated: the newest block at ACCEPTED_ON_L2, or the pre-confirmed
   * block.
   * @default latest
   */
  readonly at?: 'latest' | 'pre_confirmed';
  /**
   * Entry point whose calls are returned. Only valid for a simulation as an account's transaction.
   */
  readonly watch?: string;
}

/**
 * Simulates a call on the node's state and discards its effects. No nonce, fee or signature is
 * needed.
 *
 * - If `as` is absent, the call has no caller: use this only for calls that any caller may make.
 * - If `as` is set, the call is simulated as a transaction of that account, which is the caller. A
 *   success includes the gas that the transaction would use. The account's validation and the fee
 *   transfer are not included; they use a few hundredths of a withdrawal's gas.
 * - If the call reverts, the promise resolves to a value with the contract's text.
 * - Rejects with a `DomainError` if the node can't answer, or does not know the account.
 */
export abstract class CallSimulator {
  abstract simulate(
    call: SimulatedCall,
    as?: Felt,
    options?: SimulationOptions,
  ): Promise<SimulationResult>;
}
