import type { Felt } from '@sotto/kernel';
import type { z } from 'zod';
import type { NodeCall, NodeClient } from './rpc/node-client.js';
import { selectorOf } from './selectors.js';
import { LATEST } from './wire.js';

/** A view of a contract, its arguments as felts on the wire. */
export interface ViewCall<T> {
  readonly contract: Felt;
  readonly entrypoint: string;
  readonly calldata?: readonly Felt[];
  readonly result: z.ZodType<T>;
}

/** The read of a view at the newest accepted block. */
export function viewCall<T>({ contract, entrypoint, calldata = [], result }: ViewCall<T>): NodeCall<T> {
  const request = { contract_address: contract, entry_point_selector: selectorOf(entrypoint), calldata };
  return { method: 'starknet_call', params: { request, block_id: LATEST }, result };
}

/** Calls a view at the newest accepted block. */
export async function callView<T>(node: NodeClient, view: ViewCall<T>): Promise<T> {
  return node.call(viewCall(view));
}
