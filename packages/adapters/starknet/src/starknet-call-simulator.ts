import { Felts, publicRevertReason, type Felt } from '@sotto/kernel';
import type {
  CallSimulator,
  GasUsed,
  SimulatedCall,
  SimulationOptions,
  SimulationResult,
  WatchedCall,
  ResourceBounds,
} from '@sotto/submission-core';
import { z } from 'zod';
import { calldataText } from './calldata-text.js';
import { executeJson, invokeJson, mainCalldata } from './invoke-transaction.js';
import { isPrivateAction } from './private-action-transaction.js';
import { proofFactsFault } from './proof-facts-fault.js';
import { revertReason } from './revert-reason.js';
import { isRejection, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { SeenNonces } from './seen-nonces.js';
import { selectorOf } from './selectors.js';
import { LATEST, WireFelt, WireNumber, WireU64 } from './wire.js';

/** The return value of the simulated call is not used. */
const AnyResult = z.array(z.unknown());

const Reverted = z
  .object({ revert_reason: z.string() })
  .transform(({ revert_reason: reason }): SimulationResult => {
    return { ok: false, reason: revertReason(reason) };
  });
/**
 * Schema of a successful trace. Both fields are required: a trace that lacks one of them does not
 * prove success.
 */
const Executed = z.object({ calls: z.array(z.unknown()), is_reverted: z.literal(false) });
/** One call of a trace, without its inner calls. */
const TracedCall = z.object({
  contract_address: WireFelt,
  entry_point_selector: WireFelt,
  calldata: z.array(z.unknown()),
  calls: z.array(z.unknown()),
});
const Words = z.array(WireNumber);
const traceOf = <T extends z.ZodType>(execution: T) =>
  z.object({ type: z.literal('INVOKE'), execute_invocation: execution });
const Gas = z
  .object({ l2_gas_consumed: WireU64, l1_gas_consumed: WireU64, l1_data_gas_consumed: WireU64 })
  .transform(
    ({
      l2_gas_consumed: l2Gas,
      l1_gas_consumed: l1Gas,
      l1_data_gas_consumed: l1DataGas,
    }): GasUsed => ({
      l2Gas,
      l1Gas,
      l1DataGas,
    }),
  );
/**
 * Schema of the response to a simulation of one invoke transaction. @param watch selector of the
 * entry point whose calls are extracted from the trace; null for none
 */
const simulatedOf = (watch: Felt | null) =>
  z
    .tuple([
      z.union([
        z
          .object({ transaction_trace: traceOf(Reverted) })
          .transform(({ transaction_trace: trace }) => trace.execute_invocation),
        z
          .object({ transaction_trace: traceOf(Executed), fee_estimation: Gas })
          .transform(
            ({ transaction_trace: trace, fee_estimation: gas }, context): SimulationResult => {
              if (watch === null) return { ok: true, gas };
              const watched = watchedIn(trace.execute_invocation.calls, watch);
              if (watched !== null) return { ok: true, gas, watched };
              context.addIssue({ code: 'custom', message: 'a call of the trace is unreadable' });
              return z.NEVER;
            },
          ),
      ]),
    ])
    .transform(([simulated]) => simulated);
const PLAIN = simulatedOf(null);

/**
 * Returns the calls of the entry point `watch` in a trace, in the order of execution; null if one
 * of these calls is unreadable.
 */
function watchedIn(calls: readonly unknown[], watch: Felt): readonly WatchedCall[] | null {
  const watched: WatchedCall[] = [];
  // The traversal uses a stack instead of recursion, because the node determines the depth of the
  // trace.
  const open = calls.toReversed();
  while (open.length > 0) {
    const call = TracedCall.safeParse(open.pop());
    if (!call.success) return null;
    const {
      contract_address: to,
      entry_point_selector: selector,
      calldata,
      calls: inner,
    } = call.data;
    if (selector === watch) {
      const words = Words.safeParse(calldata);
      if (!words.success) return null;
      watched.push({ to, calldata: Felts.of(words.data) });
    }
    open.push(...inner.toReversed());
  }
  return watched;
}

/**
 * Simulations skip validation and fee: the transaction has no signature, and the account's balance
 * may be lower than the resource bounds.
 */
const SKIPPED_TEXT = JSON.stringify(['SKIP_VALIDATE', 'SKIP_FEE_CHARGE']);

/**
 * A node applies resource bounds also to a simulation. The amounts here are the highest amounts of
 * a withdrawal or swap (spec, Limits). Prices are zero, because a simulation pays nothing.
 */
const BOUNDS: ResourceBounds = {
  l2Gas: { maxAmount: 1_200_000_000n, maxPriceFri: 0n },
  l1Gas: { maxAmount: 256n, maxPriceFri: 0n },
  l1DataGas: { maxAmount: 20_480n, maxPriceFri: 0n },
  tipFri: 0n,
};

/**
 * Maximum number of simulation runs with different nonces. A nonce changes at most once per block,
 * and a run is far shorter than a block.
 */
const ROUNDS = 4;

type BlockTag = NonNullable<SimulationOptions['at']>;

/**
 * Simulates calls on the newest accepted block or the pre-confirmed block. A call without a sender
 * is simulated with `starknet_call`, which is sufficient for entry points that any caller may use.
 * A call with a sender is simulated with `starknet_simulateTransactions`, as the only call of an
 * unsigned transaction of this account. A simulated transaction needs the account's nonce. The last
 * seen nonce is tried first, and the simulation is repeated only if the nonce has changed.
 *
 * Private actions are simulated with their proof facts and proof. A node that does not accept the
 * facts does not execute anything; this counts as a revert, unless the node's head is too low.
 */
export class StarknetCallSimulator implements CallSimulator {
  /**
   * @param node for calls that run untrusted contracts, an `UntrustedNode`
   * @param seenNonces nonces that other adapters have read; a seen nonce saves a read before the
   *   simulation
   */
  constructor(
    private readonly node: Pick<StarknetNode, 'call'>,
    private readonly seenNonces: SeenNonces = new SeenNonces(),
  ) {}

  async simulate(
    call: SimulatedCall,
    as?: Felt,
    { at = LATEST, watch }: SimulationOptions = {},
  ): Promise<SimulationResult> {
    if (as === undefined) return this.#call(call, at);
    return this.#transact(call, as, at, watch === undefined ? null : selectorOf(watch));
  }

  async #call(
    { to, entrypoint, calldata }: SimulatedCall,
    at: BlockTag,
  ): Promise<SimulationResult> {
    // `starknet_call` has no field for proof facts, so every such call would revert.
    if (isPrivateAction({ to, entrypoint }))
      throw new Error('private actions are simulated as a transaction of an account');
    const selector = selectorOf(entrypoint);
    const params = Buffer.concat([
      Buffer.from(
        `{"block_id":"${at}","request":{"contract_address":"${to}","entry_point_selector":"${selector}","calldata":[`,
      ),
      // `starknet_call` executes one call. No account would pay for a transfer that follows it.
      calldataText(mainCalldata({ to, entrypoint }, calldata)),
      Buffer.from(']}}'),
    ]);
    try {
      await this.node.call({ method: 'starknet_call', params, result: AnyResult });
      return { ok: true };
    } catch (error) {
      if (isRejection(error, RpcCode.contractError))
        return { ok: false, reason: revertReason(error.data) };
      throw error;
    }
  }

  async #transact(
    call: SimulatedCall,
    account: Felt,
    at: BlockTag,
    watch: Felt | null,
  ): Promise<SimulationResult> {
    const seen = at === LATEST ? this.seenNonces.of(account) : undefined;
    let nonce = seen ?? (await this.#nonceOf(account, at));
    for (let round = 1; ; round += 1) {
      // One request contains the nonce read and the simulation, because the seen nonce may be a
      // block old. Only a changed nonce proves that the seen nonce was old; error texts differ
      // between nodes.
      const [beside, simulation] = await Promise.allSettled([
        this.#nonceOf(account, at),
        this.#run(call, account, nonce, at, watch),
      ]);
      if (simulation.status === 'fulfilled') return simulation.value;
      const rejection: unknown = simulation.reason;
      const fault = isPrivateAction(call) ? factsRejectionOf(rejection) : null;
      if (fault !== null) return fault;
      if (!isRejection(rejection, RpcCode.transactionExecutionError) || round === ROUNDS)
        throw rejection;
      const present =
        beside.status === 'fulfilled' && beside.value !== nonce
          ? beside.value
          : // The nonce that was read together with the simulation may be one block old, so read the nonce again.
            await this.#nonceOf(account, at);
      if (present === nonce) throw rejection;
      nonce = present;
    }
  }

  async #nonceOf(account: Felt, at: BlockTag): Promise<bigint> {
    const nonce = await this.node.call({
      method: 'starknet_getNonce',
      params: { block_id: at, contract_address: account },
      result: WireNumber,
    });
    // Only nonces of accepted blocks are cached.
    if (at === LATEST) this.seenNonces.note(account, nonce);
    return nonce;
  }

  async #run(
    { calldata, ...target }: SimulatedCall,
    sender: Felt,
    nonce: bigint,
    at: BlockTag,
    watch: Felt | null,
  ): Promise<SimulationResult> {
    const { bytes } = invokeJson(
      { sender, signature: [], nonce, bounds: BOUNDS },
      executeJson(target, calldata),
    );
    const params = Buffer.concat([
      Buffer.from(`{"block_id":"${at}","simulation_flags":${SKIPPED_TEXT},"transactions":[`),
      bytes,
      Buffer.from(']}'),
    ]);
    const result = watch === null ? PLAIN : simulatedOf(watch);
    return this.node.call({ method: 'starknet_simulateTransactions', params, result });
  }
}

/**
 * Returns the result for proof facts that the node rejects; null for any other failure, and for
 * facts that the node may accept a few blocks later.
 */
function factsRejectionOf(rejection: unknown): SimulationResult | null {
  if (!isRejection(rejection, RpcCode.transactionExecutionError)) return null;
  const fault = proofFactsFault(JSON.stringify(rejection.data) ?? '');
  if (fault === null || fault.isTransient) return null;
  return { ok: false, reason: publicRevertReason(fault.text) };
}
