import type { BlockContext, CallContext, TransactionContext } from './contract.js';
import { Revert } from './contract.js';
import { CallFailure, OutOfGas, type FailedFrame } from './failure.js';
import { selectorOf } from './felt.js';
import { Overlay } from './state.js';
import type { World } from './world.js';

/** Counter of L2 gas with a limit. */
export class GasMeter {
  #used = 0n;

  constructor(readonly limit: bigint) {}

  get used(): bigint {
    return this.#used;
  }

  /**
   * Adds used gas. If the sum exceeds the limit, the used amount is set to the limit. @throws
   * OutOfGas if the sum exceeds the limit
   */
  use(amount: bigint): void {
    this.#used += amount;
    if (this.#used <= this.limit) return;
    this.#used = this.limit;
    throw new OutOfGas();
  }
}

/** State shared by all calls of one execution. */
export interface CallEnvironment {
  readonly world: World;
  readonly chainId: bigint;
  readonly block: BlockContext;
  readonly transaction: TransactionContext;
  readonly gas: GasMeter;
  /**
   * Number that the next event of this execution gets. Events of all contracts are counted
   * together.
   */
  nextEvent: number;
}

/** Call of an entry point, which is identified by its selector. */
export interface CallRequest {
  readonly to: bigint;
  readonly selector: bigint;
  readonly calldata: readonly bigint[];
  readonly caller: bigint;
}

/** Event with its position in the sequence of all events of the execution. */
export interface OrderedEvent {
  readonly order: number;
  readonly from: bigint;
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

/** Call that has finished, with its trace. */
export interface Invocation extends CallRequest {
  readonly classHash: bigint;
  readonly result: readonly bigint[];
  readonly calls: readonly Invocation[];
  readonly events: readonly OrderedEvent[];
  /** L2 gas used by this call and its nested calls. */
  readonly l2Gas: bigint;
}

/**
 * Runs an entry point on `state`. If the call does not succeed, `state` does not change.
 * @throws CallFailure if the call reverts, OutOfGas if the limit is exceeded
 */
export function runCall(
  environment: CallEnvironment,
  state: Overlay,
  request: CallRequest,
): Invocation {
  const contract = environment.world.contractAt(request.to, state);
  const frame: FailedFrame = {
    address: request.to,
    classHash: contract?.model.classHash ?? 0n,
    selector: request.selector,
  };
  if (contract === undefined)
    throw new CallFailure(
      frame,
      `Requested contract address 0x${request.to.toString(16)} is not deployed.`,
    );
  const entrypoint = contract.entrypoint(request.selector);
  if (entrypoint === undefined) throw new CallFailure(frame, 'ENTRYPOINT_NOT_FOUND');

  const gasBefore = environment.gas.used;
  const changes = new Overlay(state);
  const calls: Invocation[] = [];
  const events: OrderedEvent[] = [];
  const callBySelector: CallContext['callBySelector'] = (to, selector, calldata) => {
    const nested = runCall(environment, changes, { to, selector, calldata, caller: request.to });
    calls.push(nested);
    return [...nested.result];
  };
  const context: CallContext = {
    self: request.to,
    caller: request.caller,
    chainId: environment.chainId,
    block: environment.block,
    transaction: environment.transaction,
    get: (key) => changes.storage(request.to, key),
    set: (key, value) => {
      changes.setStorage(request.to, key, value);
    },
    call: (to, name, calldata) => callBySelector(to, selectorOf(name), calldata),
    callBySelector,
    emit: (keys, data) => {
      events.push({
        order: environment.nextEvent,
        from: request.to,
        keys: [...keys],
        data: [...data],
      });
      environment.nextEvent += 1;
    },
    useL2Gas: (amount) => {
      environment.gas.use(amount);
    },
  };
  const result = framed(frame, () => entrypoint(context, request.calldata));
  changes.mergeInto(state);
  return {
    ...request,
    classHash: contract.model.classHash,
    result,
    calls,
    events,
    l2Gas: environment.gas.used - gasBefore,
  };
}

/** Returns the events of a call and its nested calls in the order of emission. */
export function eventsOf(invocation: Invocation): OrderedEvent[] {
  const all = [...invocation.events, ...invocation.calls.flatMap(eventsOf)];
  return all.toSorted((left, right) => left.order - right.order);
}

/**
 * Runs `action` and adds `frame` to any failure. If the code of a model throws an error, the error
 * is handled as a failed call.
 */
export function framed<T>(frame: FailedFrame, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof OutOfGas) throw error;
    if (error instanceof CallFailure) throw new CallFailure(frame, error);
    if (error instanceof Revert) throw new CallFailure(frame, error.message);
    throw new CallFailure(
      frame,
      `the contract model failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
