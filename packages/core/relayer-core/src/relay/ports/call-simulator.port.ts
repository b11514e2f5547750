import type { Felt, Felts } from '@sotto/kernel';
import type { GasUsed } from '../../fees/domain/fee.js';

export interface SimulatedCall {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly calldata: Felts;
}

/** A success that was tried as an account's transaction says what that would use. */
export type SimulationResult =
  { readonly ok: true; readonly gas?: GasUsed } | { readonly ok: false; readonly reason: string };

/**
 * Runs a call on the node's latest accepted state and throws its effects away: no nonce is used, no
 * fee paid, no signature needed.
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
  abstract simulate(call: SimulatedCall, as?: Felt): Promise<SimulationResult>;
}
