import type { Fault } from '@sotto/kernel';
import type { CallSimulator, SimulatedCall, SimulationResult } from '../ports/call-simulator.port.js';
import { FakeUpstreamDown } from './fake-upstream-down.js';

/** Lets every call succeed that it was not told to refuse. */
export class FakeCallSimulator implements CallSimulator {
  readonly #refusals: { readonly matches: (call: SimulatedCall) => boolean; readonly reason: string }[] = [];
  readonly #simulated: SimulatedCall[] = [];
  #fault: Fault | null = null;

  /** Every call it was asked to run, in order. */
  get simulated(): readonly SimulatedCall[] {
    return this.#simulated;
  }

  /** Calls that match revert with `reason`. @param matches @default every call */
  revert(reason: string, matches: (call: SimulatedCall) => boolean = () => true): void {
    this.#refusals.push({ matches, reason });
  }

  /** Every simulation rejects with it until null is given. */
  fail(fault: Fault | null = new FakeUpstreamDown('the node is down')): void {
    this.#fault = fault;
  }

  async simulate(call: SimulatedCall): Promise<SimulationResult> {
    if (this.#fault !== null) throw this.#fault;
    this.#simulated.push(call);
    const refusal = this.#refusals.find(({ matches }) => matches(call));
    return refusal === undefined ? { ok: true } : { ok: false, reason: refusal.reason };
  }
}
