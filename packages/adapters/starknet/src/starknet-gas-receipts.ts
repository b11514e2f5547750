import type { Felt } from '@sotto/kernel';
import type { GasReceipts } from '@sotto/relayer-core';
import type { GasUsed } from '@sotto/submission-core';
import { z } from 'zod';
import { isRejection, NodeMalformedAnswer, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { ExecutionStatusText, WireFelt } from './wire.js';

const Amount = z.int().nonnegative().transform(BigInt);
const Receipt = z.object({
  transaction_hash: WireFelt,
  finality_status: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']),
  execution_status: ExecutionStatusText,
  execution_resources: z.object({ l2_gas: Amount, l1_gas: Amount, l1_data_gas: Amount }),
});

/**
 * Reads from one node how much gas transactions used, by their receipts. Receipts that are
 * requested together share one request.
 */
export class StarknetGasReceipts implements GasReceipts {
  constructor(private readonly node: StarknetNode) {}

  async gasOf(transactionHash: Felt): Promise<GasUsed | null> {
    try {
      const params = { transaction_hash: transactionHash };
      const receipt = await this.node.call({
        method: 'starknet_getTransactionReceipt',
        params,
        result: Receipt,
      });
      if (receipt.transaction_hash !== transactionHash)
        throw new NodeMalformedAnswer({
          message: 'the node gives the receipt of another transaction',
        });
      const { l2_gas: l2Gas, l1_gas: l1Gas, l1_data_gas: l1DataGas } = receipt.execution_resources;
      const isAccepted =
        receipt.finality_status !== 'PRE_CONFIRMED' && receipt.execution_status === 'SUCCEEDED';
      return isAccepted ? { l2Gas, l1Gas, l1DataGas } : null;
    } catch (error) {
      if (isRejection(error, RpcCode.transactionNotFound)) return null;
      throw error;
    }
  }
}
