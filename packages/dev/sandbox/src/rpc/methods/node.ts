import { z } from 'zod';
import { toHex } from '../../engine/felt.js';
import { SpecError } from '../../engine/spec-error.js';
import { defineMethod, type Method } from '../method.js';
import { invokeParam, OtherInvoke } from '../wire.js';

/** Methods about the node and the whole chain, and the method that receives transactions. */
export const nodeMethods: Readonly<Record<string, Method>> = {
  starknet_specVersion: defineMethod({}, () => '0.10.2'),
  starknet_chainId: defineMethod({}, (_params, { chain }) => toHex(chain.chainId)),
  starknet_syncing: defineMethod({}, () => false),
  starknet_blockNumber: defineMethod({}, (_params, context) => context.view().latest.header.number),
  starknet_blockHashAndNumber: defineMethod({}, (_params, context) => {
    const { header, hash } = context.view().latest;
    return { block_hash: toHex(hash ?? 0n), block_number: header.number };
  }),
  starknet_addInvokeTransaction: defineMethod(
    ({ chain }) => ({
      invoke_transaction: z.union([
        invokeParam(chain),
        OtherInvoke.transform(() => 'other version' as const),
      ]),
    }),
    ({ invoke_transaction: transaction }, { gateway, onDelivery }) => {
      if (transaction === 'other version') throw new SpecError(61);
      onDelivery(transaction);
      gateway.add(transaction);
      return { transaction_hash: toHex(transaction.hash) };
    },
  ),
};
