import { toHex } from '../../engine/felt.js';
import { defineMethod, type Method } from '../method.js';

/** Methods about the node and the chain as a whole. */
export const nodeMethods: Readonly<Record<string, Method>> = {
  starknet_specVersion: defineMethod({}, () => '0.10.2'),
  starknet_chainId: defineMethod({}, (_params, { chain }) => toHex(chain.chainId)),
  starknet_syncing: defineMethod({}, () => false),
  starknet_blockNumber: defineMethod({}, (_params, context) => context.view().latest.header.number),
  starknet_blockHashAndNumber: defineMethod({}, (_params, context) => {
    const { header, hash } = context.view().latest;
    return { block_hash: toHex(hash ?? 0n), block_number: header.number };
  }),
};
