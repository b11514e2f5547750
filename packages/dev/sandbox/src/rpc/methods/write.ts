import { z } from 'zod';
import { toHex } from '../../engine/felt.js';
import { SpecError } from '../../engine/spec-error.js';
import { defineMethod, type Method } from '../method.js';
import { invokeParam, OtherInvoke } from '../wire.js';

/** The method that takes transactions. */
export const writeMethods: Readonly<Record<string, Method>> = {
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
