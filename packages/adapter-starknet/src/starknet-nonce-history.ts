import { toFelt, type Felt } from '@sotto/kernel';
import type { NonceHistory } from '@sotto/submission-core';
import { hash } from 'starknet';
import { z } from 'zod';
import { isRefusal, NodeMalformedAnswer, RpcCode } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { AcceptedBlockStatus, BlockNumber, WireFelt, WireNumber } from './wire.js';

/** Protocol limit of transactions in a block is far lower; a node that answers more is not believed. */
const MAX_TRANSACTIONS = 20_000;

/** Of a transaction only what says whose nonce it took. Kinds that take none have no sender. */
const BlockTransaction = z.object({
  transaction_hash: WireFelt,
  sender_address: WireFelt.optional(),
  nonce: WireNumber.optional(),
  type: z.string(),
  contract_address_salt: WireFelt.optional(),
  class_hash: WireFelt.optional(),
  constructor_calldata: z.array(WireFelt).optional(),
});
const BlockWithTransactions = z.object({
  status: AcceptedBlockStatus,
  block_number: BlockNumber,
  transactions: z.array(BlockTransaction).max(MAX_TRANSACTIONS),
});
type BlockTransaction = z.infer<typeof BlockTransaction>;

/** Finds transactions by the account's nonce at block heights: the newest blocks first, since that is where one is looked for. */
export class StarknetNonceHistory implements NonceHistory {
  constructor(private readonly node: NodeClient) {}

  async takerOf(account: Felt, nonce: bigint): Promise<Felt | null> {
    const head = await this.node.call({ method: 'starknet_blockNumber', params: {}, result: BlockNumber });
    if ((await this.#nonceAfter(account, head)) <= nonce) return null;
    const block = await this.#blockThatPassed(account, nonce, head);
    const { transactions, block_number: found } = await this.node.call({
      method: 'starknet_getBlockWithTxs',
      params: { block_id: { block_number: block } },
      result: BlockWithTransactions,
    });
    const taker = transactions.find((transaction) => senderOf(transaction) === account && transaction.nonce === nonce);
    // Without the transaction in hand nothing is known: a reorg came in between, or the node contradicts itself.
    if (found !== block || taker === undefined)
      throw new NodeMalformedAnswer('the block that passed the nonce does not have its transaction');
    return taker.transaction_hash;
  }

  /** The lowest block after which the account's nonce is above `nonce`; after `head` it is. */
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
      return await this.node.call({ method: 'starknet_getNonce', params, result: WireNumber });
    } catch (error) {
      // Before its deployment an account has taken no nonce.
      if (isRefusal(error, RpcCode.contractNotFound)) return 0n;
      throw error;
    }
  }
}

/** The deployment of an account takes its nonce 0 and names the account only by what its address is computed from. */
function senderOf(transaction: BlockTransaction): Felt | undefined {
  const { sender_address: sender, type, contract_address_salt: salt, class_hash: classHash, constructor_calldata: calldata } = transaction;
  if (sender !== undefined || type !== 'DEPLOY_ACCOUNT') return sender;
  if (salt === undefined || classHash === undefined || calldata === undefined) return undefined;
  return toFelt(hash.calculateContractAddressFromHash(salt, classHash, calldata, 0));
}
