import type { Felt } from '@sotto/kernel';
import type { CallSimulator, SimulatedCall, SimulationResult } from '@sotto/relayer-core';
import type { ResourceBounds } from '@sotto/submission-core';
import { z } from 'zod';
import { executeCalldata, wireInvoke } from './invoke-transaction.js';
import { revertReason } from './revert-reason.js';
import { isRefusal, RpcCode } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { selectorOf } from './selectors.js';
import { LATEST, WireNumber } from './wire.js';

/** What the call returns is not looked at. */
const AnyResult = z.array(z.unknown());

const Reverted = z.object({ revert_reason: z.string() }).transform(({ revert_reason: reason }): SimulationResult => {
  return { ok: false, reason: revertReason(reason) };
});
/** A trace without these fields shows no call, so it can't show that one went well. */
const Executed = z.object({ calls: z.array(z.unknown()), is_reverted: z.literal(false) }).transform((): SimulationResult => ({ ok: true }));
/** The simulation of one invoke transaction. */
const Simulated = z
  .tuple([z.object({ transaction_trace: z.object({ type: z.literal('INVOKE'), execute_invocation: z.union([Reverted, Executed]) }) })])
  .transform(([{ transaction_trace: trace }]) => trace.execute_invocation);

/** Neither is needed: there is no signature, and the balance does not have to cover the bounds. */
const SKIPPED = ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'];

/** Amounts limit a simulation too: these are the largest that a withdrawal or swap is sent with (spec, Limits). Nothing is paid, so no price. */
const BOUNDS: ResourceBounds = {
  l2Gas: { maxAmount: 1_200_000_000n, maxPriceFri: 0n },
  l1Gas: { maxAmount: 256n, maxPriceFri: 0n },
  l1DataGas: { maxAmount: 20_480n, maxPriceFri: 0n },
  tipFri: 0n,
};

/**
 * Simulates on the newest accepted block: by `starknet_call` where anybody may be the caller, which runs the contract's entry point
 * without a sending account; else by `starknet_simulateTransactions`, as the one call of an unsigned transaction of the account. That
 * takes the account's nonce, so one more read before it.
 */
export class StarknetCallSimulator implements CallSimulator {
  constructor(private readonly node: NodeClient) {}

  async simulate(call: SimulatedCall, as?: Felt): Promise<SimulationResult> {
    return as === undefined ? this.#call(call) : this.#transact(call, as);
  }

  async #call({ to, entrypoint, calldata }: SimulatedCall): Promise<SimulationResult> {
    const request = { contract_address: to, entry_point_selector: selectorOf(entrypoint), calldata: calldata.toHex() };
    try {
      await this.node.call({ method: 'starknet_call', params: { request, block_id: LATEST }, result: AnyResult });
      return { ok: true };
    } catch (error) {
      if (isRefusal(error, RpcCode.contractError)) return { ok: false, reason: revertReason(error.data) };
      throw error;
    }
  }

  async #transact(call: SimulatedCall, account: Felt): Promise<SimulationResult> {
    const nonce = await this.#nonceOf(account);
    try {
      return await this.#run(call, account, nonce);
    } catch (error) {
      if (!isRefusal(error, RpcCode.transactionExecutionError)) throw error;
      // A block in between may have used the nonce up. That it has moved tells so; texts differ between nodes.
      const present = await this.#nonceOf(account);
      if (present === nonce) throw error;
      return this.#run(call, account, present);
    }
  }

  async #nonceOf(account: Felt): Promise<bigint> {
    return this.node.call({
      method: 'starknet_getNonce',
      params: { block_id: LATEST, contract_address: account },
      result: WireNumber,
    });
  }

  async #run({ calldata, ...target }: SimulatedCall, sender: Felt, nonce: bigint): Promise<SimulationResult> {
    const transaction = wireInvoke({ sender, calldata: executeCalldata(target, calldata), signature: [], nonce, bounds: BOUNDS });
    const params = { block_id: LATEST, transactions: [transaction], simulation_flags: SKIPPED };
    return this.node.call({ method: 'starknet_simulateTransactions', params, result: Simulated });
  }
}
