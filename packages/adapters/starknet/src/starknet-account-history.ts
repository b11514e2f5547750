import type { Felt } from '@sotto/kernel';
import type {
  AccountHistory,
  AccountRange,
  AccountTransaction,
  BlockRef,
} from '@sotto/submission-core';
import { z } from 'zod';
import { MAX_TRANSACTIONS, senderOf, SentTransaction } from './block-transaction.js';
import { HEAD } from './block-head.js';
import type { ContractCall, GuardCalls } from './guard-calls.js';
import { withPrivateActionsJoined } from './private-action-calls.js';
import { withRecipientGasJoined } from './recipient-gas-calls.js';
import { CALLED_ENTRYPOINTS, decodeExecute, namesOf } from './execute-calls.js';
import { revertReason } from './revert-reason.js';
import { isRejection, NodeMalformedAnswer, NodeUnavailable, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import {
  AcceptedBlockStatus,
  BlockNumber,
  BlockTimestamp,
  ExecutionStatusText,
  NONCE_BOUND,
  WireFelt,
  WireU128,
  omittable,
} from './wire.js';

const Executed = z.object({
  transaction_hash: WireFelt,
  execution_status: ExecutionStatusText,
  revert_reason: omittable(z.string()),
  actual_fee: z.object({ amount: WireU128, unit: z.literal('FRI') }),
});
/**
 * Block with unparsed receipts. Blocks are large, so transactions of other accounts are not parsed.
 */
const BlockWithReceipts = z.object({
  status: AcceptedBlockStatus,
  block_number: BlockNumber,
  block_hash: WireFelt,
  parent_hash: WireFelt,
  transactions: z
    .array(z.object({ transaction: SentTransaction.loose(), receipt: z.unknown() }))
    .max(MAX_TRANSACTIONS),
});
const BlockTime = z.object({
  status: AcceptedBlockStatus,
  block_number: BlockNumber,
  timestamp: BlockTimestamp,
});
const Invocation = z.object({ type: z.literal('INVOKE'), calldata: z.array(z.string()) });
const NamedTransaction = SentTransaction.extend({ transaction_hash: WireFelt }).loose();
const Receipt = Executed.extend({
  finality_status: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']),
  block_number: BlockNumber,
  block_hash: omittable(WireFelt),
});
type BlockWithReceipts = z.infer<typeof BlockWithReceipts>;
type Consumer = AccountTransaction['consumer'];

export interface AccountHistorySettings {
  /**
   * Names of the entry points that are recognised in calls. @default the entry points that Sotto's
   * transactions call
   */
  readonly entrypoints?: readonly string[];
  /** Number of blocks that are read concurrently; each may be several megabytes. @default 4 */
  readonly concurrency?: number;
  /**
   * Recognises a guard call and removes it from the calls of a transaction. So a transaction is
   * assigned to the same submission with and without the guard call. @default no call is removed
   */
  readonly guardCalls?: GuardCalls | undefined;
  /**
   * STRK token. As in the ledger's calldata, two calls are joined with the call of a submission: a
   * transfer of STRK with its withdrawal, and an approval of STRK with its private actions.
   * @default no call is joined
   */
  readonly strkToken?: Felt | undefined;
}

/**
 * Reads the transactions of accounts from whole blocks. The node does not need an index of
 * transactions by account.
 */
export class StarknetAccountHistory implements AccountHistory {
  readonly #names: ReadonlyMap<Felt, string>;
  readonly #concurrency: number;
  readonly #guardCalls: GuardCalls | null;
  readonly #strkToken: Felt | null;

  constructor(
    private readonly node: StarknetNode,
    {
      entrypoints = CALLED_ENTRYPOINTS,
      concurrency = 4,
      guardCalls,
      strkToken,
    }: AccountHistorySettings = {},
  ) {
    this.#strkToken = strkToken ?? null;
    this.#guardCalls = guardCalls ?? null;
    this.#names = namesOf(entrypoints);
    this.#concurrency = concurrency;
  }

  async transactions(accounts: readonly Felt[], from: number, to: number): Promise<AccountRange> {
    const wanted = new Set(accounts);
    const sent: AccountTransaction[] = [];
    let last: BlockRef | null = null;
    for (let first = from; first <= to; first += this.#concurrency) {
      const numbers = Array.from(
        { length: Math.min(this.#concurrency, to - first + 1) },
        (_, index) => first + index,
      );
      for (const block of await Promise.all(numbers.map(async (number) => this.#block(number)))) {
        // Reject a mix of blocks from two forks: it could omit the transactions that were rolled
        // back and also their replacements.
        if (last !== null && block.parent_hash !== last.hash)
          throw new NodeUnavailable({ message: 'the chain was rolled back while it was read' });
        last = { number: block.block_number, hash: block.block_hash };
        sent.push(...this.#sentBy(wanted, block));
      }
    }
    return { sent, last };
  }

  async transaction(hash: Felt, accounts: readonly Felt[]): Promise<AccountTransaction | null> {
    const params = { transaction_hash: hash };
    const [transaction, receipt] = await Promise.all([
      this.#unlessUnknown(
        this.node.call({
          method: 'starknet_getTransactionByHash',
          params,
          result: NamedTransaction,
        }),
      ),
      this.#unlessUnknown(
        this.node.call({ method: 'starknet_getTransactionReceipt', params, result: Receipt }),
      ),
    ]);
    if (transaction === null || receipt === null || receipt.finality_status === 'PRE_CONFIRMED')
      throw new NodeUnavailable({ message: 'the node has the transaction in no accepted block' });
    const sender = senderOf(transaction);
    if (sender === undefined || !accounts.includes(sender)) return null;
    if (transaction.transaction_hash !== hash || receipt.transaction_hash !== hash) {
      throw new NodeMalformedAnswer({ message: 'the node gives another transaction' });
    }
    const { block_number: number, block_hash: blockHash } = receipt;
    if (blockHash === undefined)
      throw new NodeMalformedAnswer({
        message: 'the node gives an accepted receipt without its block',
      });
    return this.#transactionOf(
      sender,
      transaction,
      consumerOf(receipt, { number, hash: blockHash }),
    );
  }

  async blockAt(timestamp: number): Promise<number> {
    const { block_number: head } = await this.node.call(HEAD);
    // The requested time is usually recent. Read blocks below the head and double the distance from
    // the head in each step; then bisect the last interval.
    let after = head;
    let before = -1;
    for (let step = 1; after - step >= 0; step *= 2) {
      const number = after - step;
      if ((await this.#timestampOf(number)) < timestamp) {
        before = number;
        break;
      }
      after = number;
    }
    while (after - before > 1) {
      const middle = Math.floor((after + before) / 2);
      if ((await this.#timestampOf(middle)) < timestamp) before = middle;
      else after = middle;
    }
    return after;
  }

  async #timestampOf(number: number): Promise<number> {
    const params = { block_id: { block_number: number } };
    const block = await this.node.call({
      method: 'starknet_getBlockWithTxHashes',
      params,
      result: BlockTime,
    });
    if (block.block_number !== number)
      throw new NodeMalformedAnswer({ message: 'the node gives another block' });
    return block.timestamp;
  }

  async #block(number: number): Promise<BlockWithReceipts> {
    const params = { block_id: { block_number: number } };
    const block = await this.node.call({
      method: 'starknet_getBlockWithReceipts',
      params,
      result: BlockWithReceipts,
    });
    if (block.block_number !== number)
      throw new NodeMalformedAnswer({ message: 'the node gives another block' });
    return block;
  }

  #sentBy(
    accounts: ReadonlySet<Felt>,
    { transactions, block_number: number, block_hash: hash }: BlockWithReceipts,
  ): AccountTransaction[] {
    return transactions.flatMap(({ transaction, receipt }) => {
      const sender = senderOf(transaction);
      if (sender === undefined || !accounts.has(sender)) return [];
      return this.#transactionOf(
        sender,
        transaction,
        consumerOf(checked(Executed, receipt), { number, hash }),
      );
    });
  }

  #transactionOf(
    sender: Felt,
    transaction: SentTransaction,
    consumer: Consumer,
  ): AccountTransaction {
    const { nonce } = transaction;
    if (nonce === undefined || nonce >= NONCE_BOUND)
      throw new NodeMalformedAnswer({ message: 'the node gives a transaction without a nonce' });
    const invocation = Invocation.safeParse(transaction);
    const calls = invocation.success ? decodeExecute(invocation.data.calldata, this.#names) : null;
    return {
      sender,
      nonce,
      consumer,
      calls: calls === null ? null : this.#carried(calls),
    };
  }

  /** Returns the calls as the ledger stores them: without the guard, and with joined calls. */
  #carried(calls: readonly ContractCall[]): readonly ContractCall[] {
    const token = this.#strkToken;
    const actions = withPrivateActionsJoined(calls, token);
    const joined = token === null ? actions : withRecipientGasJoined(actions, token);
    return this.#guardCalls?.withoutGuard(joined) ?? joined;
  }

  async #unlessUnknown<T>(answer: Promise<T>): Promise<T | null> {
    try {
      return await answer;
    } catch (error) {
      if (isRejection(error, RpcCode.transactionNotFound)) return null;
      throw error;
    }
  }
}

function consumerOf(
  { transaction_hash: hash, ...receipt }: z.infer<typeof Executed>,
  block: Consumer['block'],
): Consumer {
  const { execution_status: execution, revert_reason: reason, actual_fee: fee } = receipt;
  return {
    hash,
    execution,
    revertReason: execution === 'REVERTED' ? revertReason(reason) : null,
    feeFri: fee.amount,
    block,
  };
}

/**
 * Parses fields that are read only from transactions of the requested accounts. @throws
 * NodeMalformedAnswer
 */
function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new NodeMalformedAnswer({
      message: 'the node’s answer violates the specification',
    });
  return parsed.data;
}
