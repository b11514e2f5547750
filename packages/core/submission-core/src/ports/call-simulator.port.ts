import type { Felt, Felts } from '@sotto/kernel';
import type { GasUsed } from '../domain/gas-used.js';

export interface SimulatedCall {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly calldata: Felts;
}

/** A successful simulation as an account's transaction has the gas that it would use. */
export type SimulationResult =
  | {
      readonly ok: true;
      readonly gas?: GasUsed;
      /** Calls of the watched entry point, in the order of their execution. */
      readonly watched?: readonly WatchedCall[];
    }
  | { readonly ok: false; readonly reason: string };

/** A call that a contract made within the simulated transaction. */
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
 * Runs a call on the node's state and throws its effects away: no nonce is used, no fee paid, no
 * signature needed.
 *
 * - Without `as` the call has no caller: use it only for calls that any caller may make.
 * - With `as` it runs as a transaction of that account, which is then the caller; a success has the
 *   gas that the transaction would use,
 *   but for the account's own validation and the transfer of the fee: some hundredths of a
 *   withdrawal.
 * - Resolves a revert as a value, with the contract's own words.
 * - Rejects with a `DomainError` when the node can't answer, or does not know the account.
 */
export abstract class CallSimulator {
  abstract simulate(
    call: SimulatedCall,
    as?: Felt,
    options?: SimulationOptions,
  ): Promise<SimulationResult>;
}
