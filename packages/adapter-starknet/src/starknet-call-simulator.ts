import type { CallSimulator, SimulatedCall, SimulationResult } from '@sotto/relayer-core';
import { z } from 'zod';
import { revertReason } from './revert-reason.js';
import { isRefusal, RpcCode } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { selectorOf } from './selectors.js';
import { LATEST } from './wire.js';

/** What the call returns is not looked at. */
const AnyResult = z.array(z.unknown());

/**
 * Simulates by `starknet_call` on the newest accepted block. That runs the contract's entry point without a sending account, so
 * without nonce, bounds and balance: right for calls that anybody may make, as `withdraw` is, and for no others.
 */
export class StarknetCallSimulator implements CallSimulator {
  constructor(private readonly node: NodeClient) {}

  async simulate({ to, entrypoint, calldata }: SimulatedCall): Promise<SimulationResult> {
    const request = { contract_address: to, entry_point_selector: selectorOf(entrypoint), calldata: calldata.toHex() };
    try {
      await this.node.call({ method: 'starknet_call', params: { request, block_id: LATEST }, result: AnyResult });
      return { ok: true };
    } catch (error) {
      if (isRefusal(error, RpcCode.contractError)) return { ok: false, reason: revertReason(error.data) };
      throw error;
    }
  }
}
