import { z } from 'zod';
import { SpecError } from '../../engine/spec-error.js';
import type { TransactionView } from '../../engine/view.js';
import type { JsonObject } from '../../json.js';
import { defineMethod, type Method } from '../method.js';
import { renderIncluded, renderTransactionWithHash } from '../render.js';
import { BlockIdParam, Felt, ResponseFlags } from '../wire.js';

/** Methods that read transactions. */
export const transactionMethods: Readonly<Record<string, Method>> = {
  starknet_getTransactionStatus: defineMethod(
    { transaction_hash: Felt },
    ({ transaction_hash: hash }, context) => renderStatus(context.view().transaction(hash)),
  ),
  starknet_getTransactionByHash: defineMethod(
    { transaction_hash: Felt, response_flags: ResponseFlags },
    ({ transaction_hash: hash, response_flags: flags }, context) => {
      const found = context.view().transaction(hash);
      return renderTransactionWithHash(
        found.stage === 'INCLUDED' ? found.inclusion.transaction : found.transaction,
        flags,
      );
    },
  ),
  starknet_getTransactionByBlockIdAndIndex: defineMethod(
    { block_id: BlockIdParam, index: z.int().nonnegative(), response_flags: ResponseFlags },
    ({ block_id: id, index, response_flags: flags }, context) => {
      const inclusion = context.view().block(id).inclusions[index];
      if (inclusion === undefined) throw new SpecError(27);
      return renderTransactionWithHash(inclusion.transaction, flags);
    },
  ),
  starknet_getTransactionReceipt: defineMethod(
    { transaction_hash: Felt },
    ({ transaction_hash: hash }, context) => {
      const found = context.view().transaction(hash);
      if (found.stage !== 'INCLUDED') throw new SpecError(29);
      const { block, inclusion } = found;
      return renderIncluded(inclusion, block.status, {
        number: block.header.number,
        hash: block.hash,
      });
    },
  ),
};

function renderStatus(found: TransactionView): JsonObject {
  if (found.stage !== 'INCLUDED') return { finality_status: found.stage };
  const { block, inclusion } = found;
  if (inclusion.revertReason === undefined)
    return { finality_status: block.status, execution_status: 'SUCCEEDED' };
  return {
    finality_status: block.status,
    execution_status: 'REVERTED',
    failure_reason: inclusion.revertReason,
  };
}
