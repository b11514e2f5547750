import { toHex } from '../../engine/felt.js';
import { defineMethod, type Method } from '../method.js';
import {
  renderHeader,
  renderReceipt,
  renderTransaction,
  renderTransactionWithHash,
} from '../render.js';
import { BlockIdParam, ResponseFlags } from '../wire.js';

const blockAndFlags = {
  block_id: BlockIdParam,
  response_flags: ResponseFlags,
};

/** Methods that read blocks. */
export const blockMethods: Readonly<Record<string, Method>> = {
  starknet_getBlockWithTxHashes: defineMethod(
    { block_id: BlockIdParam },
    ({ block_id: id }, context) => {
      const block = context.view().block(id);
      return {
        ...renderHeader(block),
        transactions: block.inclusions.map(({ transaction }) => toHex(transaction.hash)),
      };
    },
  ),
  starknet_getBlockWithTxs: defineMethod(
    blockAndFlags,
    ({ block_id: id, response_flags: flags }, context) => {
      const block = context.view().block(id);
      return {
        ...renderHeader(block),
        transactions: block.inclusions.map(({ transaction }) =>
          renderTransactionWithHash(transaction, flags),
        ),
      };
    },
  ),
  starknet_getBlockWithReceipts: defineMethod(
    blockAndFlags,
    ({ block_id: id, response_flags: flags }, context) => {
      const block = context.view().block(id);
      const transactions = block.inclusions.map((inclusion) => ({
        transaction: renderTransaction(inclusion.transaction, flags),
        receipt: renderReceipt(inclusion, block.status),
      }));
      return { ...renderHeader(block), transactions };
    },
  ),
  starknet_getBlockTransactionCount: defineMethod(
    { block_id: BlockIdParam },
    ({ block_id: id }, context) => context.view().block(id).inclusions.length,
  ),
};
