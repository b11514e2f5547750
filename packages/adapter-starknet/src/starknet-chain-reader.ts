import { toFelt, type Felt } from '@sotto/kernel';
import type { AccountState, ChainHead, ChainReader, TransactionSighting } from '@sotto/submission-core';
import { z } from 'zod';
import { readLatestBlock } from './latest-block.js';
import { revertReason } from './revert-reason.js';
import { isRefusal, NodeMalformedAnswer, RpcCode } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { callView } from './views.js';
import { BlockNumber, ExecutionStatusText, LATEST, ReturnedU256, WireFelt, WireNumber, WireU128 } from './wire.js';

/** STRK, the token that fees are paid in on every network. Source: Starknet's token list. */
export const STRK_TOKEN = toFelt('0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d');

const TransactionStatus = z.object({
  finality_status: z.enum(['RECEIVED', 'CANDIDATE', 'PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']),
  execution_status: ExecutionStatusText.optional(),
  // The specification leaves it out where there is none; starknet-devnet has null there.
  failure_reason: z.string().nullish(),
});
const Receipt = z.object({
  transaction_hash: WireFelt,
  finality_status: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']),
  execution_status: ExecutionStatusText,
  revert_reason: z.string().optional(),
  actual_fee: z.object({ amount: WireU128, unit: z.literal('FRI') }),
  block_number: BlockNumber,
});
type TransactionStatus = z.infer<typeof TransactionStatus>;
type Receipt = z.infer<typeof Receipt>;

const UNKNOWN: TransactionSighting = { kind: 'unknown' };

/**
 * Head and transactions as one node sees them. The accounts of a head are read in the same request as its height, but may be one
 * block younger. Sightings take a second request when something is accepted, for its receipt.
 */
export class StarknetChainReader implements ChainReader {
  /** @param feeToken @default STRK */
  constructor(
    private readonly node: NodeClient,
    private readonly feeToken: Felt = STRK_TOKEN,
  ) {}

  async head(accounts: readonly Felt[]): Promise<ChainHead> {
    const [block, states] = await Promise.all([
      readLatestBlock(this.node),
      Promise.all(accounts.map(async (account) => [account, await this.#account(account)] as const)),
    ]);
    return { ...block, accounts: new Map(states) };
  }

  async sightings(hashes: readonly Felt[]): Promise<readonly TransactionSighting[]> {
    const unique = [...new Set(hashes)];
    const statuses = await Promise.all(unique.map(async (hash) => this.#status(hash)));
    const sightings = await Promise.all(unique.map(async (hash, index) => this.#sighting(hash, statuses[index] ?? null)));
    const byHash = new Map(unique.map((hash, index) => [hash, sightings[index] ?? UNKNOWN]));
    return hashes.map((hash) => byHash.get(hash) ?? UNKNOWN);
  }

  async #account(account: Felt): Promise<AccountState> {
    const [nonce, balanceFri] = await Promise.all([
      this.node.call({
        method: 'starknet_getNonce',
        params: { block_id: LATEST, contract_address: account },
        result: WireNumber,
      }),
      callView(this.node, { contract: this.feeToken, entrypoint: 'balanceOf', calldata: [account], result: ReturnedU256 }),
    ]);
    return { nonce, balanceFri };
  }

  async #status(hash: Felt): Promise<TransactionStatus | null> {
    return this.#unlessUnknown(
      this.node.call({ method: 'starknet_getTransactionStatus', params: { transaction_hash: hash }, result: TransactionStatus }),
    );
  }

  async #receipt(hash: Felt): Promise<Receipt | null> {
    const receipt = await this.#unlessUnknown(
      this.node.call({ method: 'starknet_getTransactionReceipt', params: { transaction_hash: hash }, result: Receipt }),
    );
    if (receipt !== null && receipt.transaction_hash !== hash) {
      throw new NodeMalformedAnswer('the node gives the receipt of another transaction');
    }
    return receipt;
  }

  async #sighting(hash: Felt, status: TransactionStatus | null): Promise<TransactionSighting> {
    if (status === null) return UNKNOWN;
    const { finality_status: finality, execution_status: execution, failure_reason: reason } = status;
    if (finality === 'ACCEPTED_ON_L2' || finality === 'ACCEPTED_ON_L1') {
      const receipt = await this.#receipt(hash);
      return receipt === null ? UNKNOWN : sightingOf(receipt);
    }
    if (finality !== 'PRE_CONFIRMED' || execution === undefined) return { kind: 'waiting' };
    return { kind: 'pre_confirmed', execution, revertReason: reasonOf(execution, reason) };
  }

  async #unlessUnknown<T>(answer: Promise<T>): Promise<T | null> {
    try {
      return await answer;
    } catch (error) {
      if (isRefusal(error, RpcCode.transactionNotFound)) return null;
      throw error;
    }
  }
}

/** A reorg between status and receipt may have taken the acceptance back. */
function sightingOf({
  finality_status: finality,
  execution_status: execution,
  revert_reason: reason,
  ...receipt
}: Receipt): TransactionSighting {
  if (finality === 'PRE_CONFIRMED') return { kind: 'pre_confirmed', execution, revertReason: reasonOf(execution, reason) };
  return {
    kind: 'accepted',
    execution,
    revertReason: reasonOf(execution, reason),
    feeFri: receipt.actual_fee.amount,
    blockNumber: receipt.block_number,
  };
}

function reasonOf(execution: 'SUCCEEDED' | 'REVERTED', trace: string | null | undefined): string | null {
  return execution === 'REVERTED' ? revertReason(trace) : null;
}
