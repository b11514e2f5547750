import type { Felt } from '@sotto/kernel';
import type { CallSimulator, GasUsed, SimulatedCall, SimulationResult } from '@sotto/relayer-core';
import type { ResourceBounds } from '@sotto/submission-core';
import { z } from 'zod';
import { calldataText } from './calldata-text.js';
import { executeJson, invokeJson } from './invoke-transaction.js';
import { revertReason } from './revert-reason.js';
import { isRefusal, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { SeenNonces } from './seen-nonces.js';
import { selectorOf } from './selectors.js';
import { LATEST, WireNumber, WireU64 } from './wire.js';

/** What the call returns is not looked at. */
const AnyResult = z.array(z.unknown());

const Reverted = z
  .object({ revert_reason: z.string() })
  .transform(({ revert_reason: reason }): SimulationResult => {
    return { ok: false, reason: revertReason(reason) };
  });
/** A trace without these fields shows no call, so it can't show that one went well. */
const Executed = z.object({ calls: z.array(z.unknown()), is_reverted: z.literal(false) });
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
/** The simulation of one invoke transaction. */
const Simulated = z
  .tuple([
    z.union([
      z
        .object({ transaction_trace: traceOf(Reverted) })
        .transform(({ transaction_trace: trace }) => trace.execute_invocation),
      z
        .object({ transaction_trace: traceOf(Executed), fee_estimation: Gas })
        .transform(({ fee_estimation: gas }): SimulationResult => ({ ok: true, gas })),
    ]),
  ])
  .transform(([simulated]) => simulated);

/** Neither is needed: there is no signature, and the balance does not have to cover the bounds. */
const SKIPPED_TEXT = JSON.stringify(['SKIP_VALIDATE', 'SKIP_FEE_CHARGE']);
const LATEST_TEXT = JSON.stringify(LATEST);

/**
 * Amounts limit a simulation too: these are the largest that a withdrawal or swap is sent with
 * (spec, Limits). Nothing is paid, so no price.
 */
const BOUNDS: ResourceBounds = {
  l2Gas: { maxAmount: 1_200_000_000n, maxPriceFri: 0n },
  l1Gas: { maxAmount: 256n, maxPriceFri: 0n },
  l1DataGas: { maxAmount: 20_480n, maxPriceFri: 0n },
  tipFri: 0n,
};

/** A nonce moves once in a block at most, and a round is far shorter than a block. */
const ROUNDS = 4;

/**
 * Simulates on the newest accepted block: by `starknet_call` where anybody may be the caller, which
 * runs the contract's entry point without a sending account; else by
 * `starknet_simulateTransactions`, as the one call of an unsigned transaction of the account. That
 * takes the account's nonce: the one that was seen last, and another round only where it has moved
 * since.
 */
export class StarknetCallSimulator implements CallSimulator {
  /** @param seenNonces those that others have read: they spare the read before the simulation */
  constructor(
    private readonly node: StarknetNode,
    private readonly seenNonces: SeenNonces = new SeenNonces(),
  ) {}

  async simulate(call: SimulatedCall, as?: Felt): Promise<SimulationResult> {
    return as === undefined ? this.#call(call) : this.#transact(call, as);
  }

  async #call({ to, entrypoint, calldata }: SimulatedCall): Promise<SimulationResult> {
    const selector = selectorOf(entrypoint);
    const params = Buffer.concat([
      Buffer.from(
        `{"block_id":${LATEST_TEXT},"request":{"contract_address":"${to}","entry_point_selector":"${selector}","calldata":[`,
      ),
      calldataText(calldata),
      Buffer.from(']}}'),
    ]);
    try {
      await this.node.call({ method: 'starknet_call', params, result: AnyResult });
      return { ok: true };
    } catch (error) {
      if (isRefusal(error, RpcCode.contractError))
        return { ok: false, reason: revertReason(error.data) };
      throw error;
    }
  }

  async #transact(call: SimulatedCall, account: Felt): Promise<SimulationResult> {
    let nonce = this.seenNonces.of(account) ?? (await this.#nonceOf(account));
    for (let round = 1; ; round += 1) {
      // In one request: what was seen may be a block old. Only a changed nonce shows that; texts
      // differ between nodes.
      const [beside, simulation] = await Promise.allSettled([
        this.#nonceOf(account),
        this.#run(call, account, nonce),
      ]);
      if (simulation.status === 'fulfilled') return simulation.value;
      const refusal: unknown = simulation.reason;
      if (!isRefusal(refusal, RpcCode.transactionExecutionError) || round === ROUNDS) throw refusal;
      const present =
        beside.status === 'fulfilled' && beside.value !== nonce
          ? beside.value
          : // What was read beside it may be of the block before: one read afterwards is not.
            await this.#nonceOf(account);
      if (present === nonce) throw refusal;
      nonce = present;
    }
  }

  async #nonceOf(account: Felt): Promise<bigint> {
    const nonce = await this.node.call({
      method: 'starknet_getNonce',
      params: { block_id: LATEST, contract_address: account },
      result: WireNumber,
    });
    this.seenNonces.note(account, nonce);
    return nonce;
  }

  async #run(
    { calldata, ...target }: SimulatedCall,
    sender: Felt,
    nonce: bigint,
  ): Promise<SimulationResult> {
    const { bytes } = invokeJson(
      { sender, signature: [], nonce, bounds: BOUNDS },
      executeJson(target, calldata),
    );
    const params = Buffer.concat([
      Buffer.from(`{"block_id":${LATEST_TEXT},"simulation_flags":${SKIPPED_TEXT},"transactions":[`),
      bytes,
      Buffer.from(']}'),
    ]);
    return this.node.call({ method: 'starknet_simulateTransactions', params, result: Simulated });
  }
}
