import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { NodeMalformedAnswer, RpcCode, isRejection } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { WireFelt } from './wire.js';

const ReceiptEvent = z.object({
  from_address: WireFelt,
  keys: z.array(WireFelt),
  data: z.array(z.unknown()),
});
export type ReceiptEvent = z.infer<typeof ReceiptEvent>;
const Receipt = z.object({ transaction_hash: WireFelt, events: z.array(ReceiptEvent) });

/**
 * Reads the events of a transaction from its receipt; null if the node has no receipt.
 * @throws NodeMalformedAnswer if the receipt belongs to another transaction
 */
export async function receiptOf(
  node: StarknetNode,
  transactionHash: Felt,
): Promise<z.infer<typeof Receipt> | null> {
  try {
    const params = { transaction_hash: transactionHash };
    const receipt = await node.call({
      method: 'starknet_getTransactionReceipt',
      params,
      result: Receipt,
    });
    if (receipt.transaction_hash !== transactionHash)
      throw new NodeMalformedAnswer({
        message: 'the node gives the receipt of another transaction',
      });
    return receipt;
  } catch (error) {
    if (isRejection(error, RpcCode.transactionNotFound)) return null;
    throw error;
  }
}
