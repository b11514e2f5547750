import type { Felt } from '@sotto/kernel';
import type { NonceHistory } from '@sotto/submission-core';
import { z } from 'zod';
import { MAX_TRANSACTIONS, senderOf, SentTransaction } from './block-transaction.js';
import { isRejection, NodeMalformedAnswer, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { AcceptedBlockStatus, BlockNumber, WireFelt, WireU64 } from './wire.js';

const BlockWithTransactions = z.object({
  status: AcceptedBlockStatus,
  block_number: BlockNumber,
  transactions: z
    .array(SentTransaction.extend({ transaction_hash: WireFelt }))
    .max(MAX_TRANSACTIONS),
});

/**
 * Finds the transaction that consumed a nonce, by comparing the account's nonce at different block
 * heights. Searches the newest blocks first, because most requested nonces are recent.
 */
export class StarknetNonceHistory implements NonceHistory {
  constructor(private readonly node: StarknetNode) {}

  async consumerOf(account: Felt, nonce: bigint): Promise<Felt | null> {
    const head = await this.node.call({
      method: 'starknet_blockNumber',
      params: {},
      result: BlockNumber,
    });
    if ((await this.#nonceAfter(account, head)) <= nonce) return null;
    const block = await this.#blockThatPassed(account, nonce, head);
    const { transactions, block_number: found } = await this.node.call({
      method: 'starknet_getBlockWithTxs',
      params: { block_id: { block_number: block } },
      result: BlockWithTransactions,
    });
    const consumer = transactions.find(
      (transaction) => senderOf(transaction) === account && transaction.nonce === nonce,
    );
    // Return the transaction only if it is in the block found by the search. A mismatch means that
    // a reorg happened between the reads, or that the node contradicts itself.
    if (found !== block || consumer === undefined)
      throw new NodeMalformedAnswer({
        message: 'the block that passed the nonce does not have its transaction',
      });
    return consumer.transaction_hash;
  }

  /**
   * Returns the first block after which the account's nonce exceeds `nonce`. Precondition: the
   * account's nonce at `head` exceeds `nonce`.
   */
  async #blockThatPassed(account: Felt, nonce: bigint, head: number): Promise<number> {
    let passed = head;
    let notPassed = -1;
    for (let step = 1; passed - step >= 0; step *= 2) {
      const block = passed - step;
      if ((await this.#nonceAfter(account, block)) <= nonce) {
        notPassed = block;
        break;
      }
      passed = block;
    }
    while (passed - notPassed > 1) {
      const middle = Math.floor((passed + notPassed) / 2);
      if ((await this.#nonceAfter(account, middle)) > nonce) passed = middle;
      else notPassed = middle;
    }
    return passed;
  }

  async #nonceAfter(account: Felt, block: number): Promise<bigint> {
    const params = { block_id: { block_number: block }, contract_address: account };
    try {
      return await this.node.call({ method: 'starknet_getNonce', params, result: WireU64 });
    } catch (error) {
      // An undeployed account has consumed no nonce.
      if (isRejection(error, RpcCode.contractNotFound)) return 0n;
      throw error;
    }
  }
}
