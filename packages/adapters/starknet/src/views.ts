import type { Felt } from '@sotto/kernel';
import type { z } from 'zod';
import type { NodeCall, StarknetNode } from './rpc/starknet-node.js';
import { selectorOf } from './selectors.js';
import { LATEST } from './wire.js';

/** Call of a contract's view. The arguments are felts in wire format. */
export interface ViewCall<T> {
  readonly contract: Felt;
  readonly entrypoint: string;
  readonly calldata?: readonly Felt[];
  /**
   * Block at which the view is read, by hash or as `pre_confirmed`. @default the newest accepted
   * block
   */
  readonly block?: Felt | 'pre_confirmed';
  readonly result: z.ZodType<T>;
}

/** Builds the node call that reads a view. */
export function viewCall<T>({
  contract,
  entrypoint,
  calldata = [],
  block,
  result,
}: ViewCall<T>): NodeCall<T> {
  const request = {
    contract_address: contract,
    entry_point_selector: selectorOf(entrypoint),
    calldata,
  };
  const isTag = block === undefined || block === 'pre_confirmed';
  const block_id = isTag ? (block ?? LATEST) : { block_hash: block };
  return { method: 'starknet_call', params: { request, block_id }, result };
}

export async function callView<T>(node: StarknetNode, view: ViewCall<T>): Promise<T> {
  return node.call(viewCall(view));
}
