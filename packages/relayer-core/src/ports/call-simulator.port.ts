import type { Felt, Felts } from '@sotto/kernel';

export interface SimulatedCall {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly calldata: Felts;
}

export type SimulationResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Runs a call on the node's latest accepted state without a transaction. Rejects with a `Fault` when the node can't answer. */
export interface CallSimulator {
  simulate(call: SimulatedCall): Promise<SimulationResult>;
}

export const CallSimulator: unique symbol = Symbol.for('@sotto/relayer-core/CallSimulator');
