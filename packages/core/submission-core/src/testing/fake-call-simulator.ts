import type { DomainError, Felt } from '@sotto/kernel';
import type { GasUsed } from '../domain/gas-used.js';
import type {
  CallSimulator,
  SimulatedCall,
  SimulationOptions,
  SimulationResult,
  WatchedCall,
} from '../ports/call-simulator.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

interface CallBy extends SimulatedCall, Pick<SimulationOptions, 'at'> {
  /**
   * Account that sends the simulated transaction; absent if the call is simulated without a caller.
   */
  readonly as?: Felt;
}

/** Simulates every call successfully, except calls for which a test has set a revert. */
export class FakeCallSimulator implements CallSimulator {
  readonly #rejections: { readonly matches: (call: CallBy) => boolean; readonly reason: string }[] =
    [];
  readonly #simulated: CallBy[] = [];
  #gas: GasUsed = { l2Gas: 35_000_000n, l1Gas: 0n, l1DataGas: 5_000n };
  #failure: DomainError | null = null;
  #watched: readonly WatchedCall[] = [];

  /** @param strangers accounts that are not on the chain */
  constructor(private readonly strangers: readonly Felt[] = []) {}

  /** All calls that were simulated, in order. */
  get simulated(): readonly CallBy[] {
    return this.#simulated;
  }

  /**
   * Makes matching calls revert with `reason`.
   * @param matches @default every call
   */
  revert(reason: string, matches: (call: CallBy) => boolean = () => true): void {
    this.#rejections.push({ matches, reason });
  }

  /**
   * Sets the gas that every simulated transaction uses.
   * @default the specification's estimate of a withdrawal
   */
  use(gas: GasUsed): void {
    this.#gas = gas;
  }

  /** Sets the watched calls that every simulated transaction returns. */
  calls(watched: readonly WatchedCall[]): void {
    this.#watched = watched;
  }

  /** Makes every simulation reject with this error. Null makes later simulations succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async simulate(
    call: SimulatedCall,
    as?: Felt,
    { at, watch }: SimulationOptions = {},
  ): Promise<SimulationResult> {
    if (this.#failure !== null) throw this.#failure;
    if (as !== undefined && this.strangers.includes(as))
      throw new FakeUpstreamDown('no such account');
    const requested: CallBy = {
      ...call,
      ...(as === undefined ? {} : { as }),
      ...(at === undefined ? {} : { at }),
    };
    this.#simulated.push(requested);
    const rejection = this.#rejections.find(({ matches }) => matches(requested));
    if (rejection !== undefined) return { ok: false, reason: rejection.reason };
    if (as === undefined) return { ok: true };
    const gas = this.#gas;
    if (watch === undefined) return { ok: true, gas };
    const { to, entrypoint, calldata } = call;
    const own = entrypoint === watch ? [{ to, calldata }] : [];
    return { ok: true, gas, watched: [...own, ...this.#watched] };
  }
}
