import type { Felt } from '@sotto/kernel';
import type { NodeCall } from './rpc/starknet-node.js';
import { WireFelt } from './wire.js';

/** Reads the id of the chain that the node serves. */
export const CHAIN_ID: NodeCall<Felt> = {
  method: 'starknet_chainId',
  params: {},
  result: WireFelt,
  shows: (chainId) => ({ chainId }),
};
