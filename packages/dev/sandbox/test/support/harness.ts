import { hash } from 'starknet';
import { startSandbox, type Control, type SandboxOptions } from '../../src/index.js';
import { toHex } from '../../src/engine/felt.js';
import { rpcError, rpcResult, type RpcReply } from './rpc.js';
import { testGenesis } from './world.js';
import { wireInvoke, type InvokeChoices } from './wire-invoke.js';

/** Sandbox with the test contracts and a manual cadence, with helpers that send requests. */
export interface Harness {
  readonly url: string;
  readonly aggregatorUrl: string;
  readonly rewardsUrl: string;
  readonly control: Control;
  /** Returns the result of a call that must succeed. */
  result(method: string, params?: unknown): Promise<unknown>;
  /** Returns the error of a call that must fail. */
  error(method: string, params?: unknown): Promise<RpcReply['error']>;
  /** Sends an INVOKE that must be accepted, and returns its hash. */
  send(choices: InvokeChoices): Promise<string>;
  /**
   * Sends an INVOKE that must be rejected, checks that the mempool has not changed, and returns the
   * error.
   */
  refused(
    choices: InvokeChoices,
    changes?: Readonly<Record<string, unknown>>,
  ): Promise<RpcReply['error']>;
  status(transactionHash: string): Promise<unknown>;
  nonce(address: bigint, block?: unknown): Promise<unknown>;
  /** Returns the felts of a view call. */
  view(
    to: bigint,
    entrypoint: string,
    calldata?: readonly bigint[],
    block?: unknown,
  ): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startHarness(options: Partial<SandboxOptions> = {}): Promise<Harness> {
  const sandbox = await startSandbox({ genesis: testGenesis(), cadence: 'manual', ...options });
  const url = sandbox.rpcUrl;
  const result = (method: string, params: unknown = []): Promise<unknown> =>
    rpcResult(url, method, params);
  const error = (method: string, params: unknown = []): Promise<RpcReply['error']> =>
    rpcError(url, method, params);
  return {
    url,
    aggregatorUrl: sandbox.aggregatorUrl,
    rewardsUrl: sandbox.rewardsUrl,
    control: sandbox.control,
    result,
    error,
    send: async (choices) => {
      const { hash: expected, body } = wireInvoke(choices);
      await result('starknet_addInvokeTransaction', [body]);
      return expected;
    },
    refused: async (choices, changes = {}) => {
      const before = sandbox.control.waiting().length;
      const rejection = await error('starknet_addInvokeTransaction', [
        { ...wireInvoke(choices).body, ...changes },
      ]);
      if (sandbox.control.waiting().length !== before)
        throw new Error('a refusal has changed the pool');
      return rejection;
    },
    status: (transactionHash) => result('starknet_getTransactionStatus', [transactionHash]),
    nonce: (address, block = 'pre_confirmed') =>
      result('starknet_getNonce', [block, toHex(address)]),
    view: (to, entrypoint, calldata = [], block = 'pre_confirmed') =>
      result('starknet_call', [functionCall(to, entrypoint, calldata), block]),
    stop: () => sandbox.stop(),
  };
}

/** Creates a FUNCTION_CALL as in the specification. */
export function functionCall(
  to: bigint,
  entrypoint: string,
  calldata: readonly bigint[] = [],
): Readonly<Record<string, unknown>> {
  return {
    contract_address: toHex(to),
    entry_point_selector: toHex(BigInt(hash.getSelectorFromName(entrypoint))),
    calldata: calldata.map(toHex),
  };
}
