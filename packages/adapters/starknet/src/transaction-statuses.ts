import { DomainError, type Felt } from '@sotto/kernel';
import type { TransactionStatus } from '@sotto/submission-core';
import { z } from 'zod';
import { HEAD } from './block-head.js';
import { revertReason } from './revert-reason.js';
import { isOfOneCall, isRejection, NodeMalformedAnswer, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { BlockNumber, ExecutionStatusText, WireFelt, WireU128, omittable } from './wire.js';

const NodeTransactionStatus = z.object({
  finality_status: z.enum([
    'RECEIVED',
    'CANDIDATE',
    'PRE_CONFIRMED',
    'ACCEPTED_ON_L2',
    'ACCEPTED_ON_L1',
  ]),
  execution_status: omittable(ExecutionStatusText),
  failure_reason: omittable(z.string()),
});
const Receipt = z.object({
  transaction_hash: WireFelt,
  finality_status: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']),
  execution_status: ExecutionStatusText,
  revert_reason: omittable(z.string()),
  actual_fee: z.object({ amount: WireU128, unit: z.literal('FRI') }),
  block_number: BlockNumber,
  block_hash: omittable(WireFelt),
});
type NodeTransactionStatus = z.infer<typeof NodeTransactionStatus>;
type Receipt = z.infer<typeof Receipt>;

const UNKNOWN: TransactionStatus = { kind: 'unknown' };
/** Status of a transaction that could not be read from the node. */
export const UNREAD: TransactionStatus = { kind: 'unread' };

/** Kinds of status, ordered by the strength of their evidence, from none to conclusive. */
const ORDER = [
  'unread',
  'unknown',
  'waiting',
  'pre_confirmed',
  'accepted',
] as const satisfies readonly TransactionStatus['kind'][];

/**
 * Returns the status from the node that reads use. If the node to which the bytes were sent reports
 * a more advanced status, returns that status instead. A receipt from the node to which the bytes
 * were sent is treated only as a pre-confirmed result: the receipt may belong to a fork, so it
 * settles no attempt. If that node does not know the hash, its response proves nothing.
 */
export function furthest(
  read: TransactionStatus,
  sentTo: TransactionStatus = UNREAD,
): TransactionStatus {
  const hint: TransactionStatus =
    sentTo.kind === 'accepted'
      ? { kind: 'pre_confirmed', execution: sentTo.execution, revertReason: sentTo.revertReason }
      : sentTo;
  return ORDER.indexOf(hint.kind) > ORDER.indexOf(read.kind) ? hint : read;
}

/**
 * Reads the statuses of transactions from one node. Receipts of accepted transactions need a second
 * request.
 */
export class TransactionStatuses {
  constructor(private readonly node: StarknetNode) {}

  /** @throws the first error if the node responded to none of the queries */
  async of(unique: readonly Felt[]): Promise<ReadonlyMap<Felt, TransactionStatus>> {
    const statuses = await Promise.allSettled(unique.map(async (hash) => this.#status(hash)));
    await this.#assertAnswered(statuses);
    const sightings = await Promise.all(
      unique.map(async (hash, index) => this.#statusUnlessUnread(hash, statuses[index])),
    );
    return new Map(unique.map((hash, index) => [hash, sightings[index] ?? UNREAD]));
  }

  async #status(hash: Felt): Promise<NodeTransactionStatus | null> {
    return this.#unlessUnknown(
      this.node.call({
        method: 'starknet_getTransactionStatus',
        params: { transaction_hash: hash },
        result: NodeTransactionStatus,
      }),
    );
  }

  async #receipt(hash: Felt): Promise<Receipt | null> {
    const receipt = await this.#unlessUnknown(
      this.node.call({
        method: 'starknet_getTransactionReceipt',
        params: { transaction_hash: hash },
        result: Receipt,
      }),
    );
    if (receipt !== null && receipt.transaction_hash !== hash) {
      throw new NodeMalformedAnswer({
        message: 'the node gives the receipt of another transaction',
      });
    }
    return receipt;
  }

  /** @throws the first error if the node responded to none of the queries */
  async #assertAnswered(answers: readonly PromiseSettledResult<unknown>[]): Promise<void> {
    const failures = answers.filter((answer) => answer.status === 'rejected');
    const [first] = failures;
    if (first === undefined || failures.length < answers.length) return;
    if (!failures.some(({ reason }) => isOfOneCall(reason))) throw first.reason;
    // Every query failed individually. A simple query shows whether the node or the failed queries
    // caused the failures.
    await this.node.call(HEAD);
  }

  async #statusUnlessUnread(
    hash: Felt,
    status: PromiseSettledResult<NodeTransactionStatus | null> | undefined,
  ): Promise<TransactionStatus> {
    if (status?.status !== 'fulfilled') return UNREAD;
    try {
      return await this.#reportedStatus(hash, status.value);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return UNREAD;
    }
  }

  async #reportedStatus(
    hash: Felt,
    status: NodeTransactionStatus | null,
  ): Promise<TransactionStatus> {
    if (status === null) return UNKNOWN;
    const {
      finality_status: finality,
      execution_status: execution,
      failure_reason: reason,
    } = status;
    if (finality === 'ACCEPTED_ON_L2' || finality === 'ACCEPTED_ON_L1') {
      const receipt = await this.#receipt(hash);
      return receipt === null ? UNKNOWN : statusOf(receipt);
    }
    if (finality !== 'PRE_CONFIRMED' || execution === undefined) return { kind: 'waiting' };
    return { kind: 'pre_confirmed', execution, revertReason: reasonOf(execution, reason) };
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

/**
 * Converts a receipt to a status. The receipt's finality may be lower than the finality in the
 * status that was read first, if a reorg happened between the two reads.
 */
function statusOf({
  finality_status: finality,
  execution_status: execution,
  revert_reason: reason,
  block_number: number,
  block_hash: hash,
  actual_fee: fee,
}: Receipt): TransactionStatus {
  if (finality === 'PRE_CONFIRMED')
    return { kind: 'pre_confirmed', execution, revertReason: reasonOf(execution, reason) };
  if (hash === undefined)
    throw new NodeMalformedAnswer({
      message: 'the node gives an accepted receipt without its block',
    });
  return {
    kind: 'accepted',
    execution,
    revertReason: reasonOf(execution, reason),
    feeFri: fee.amount,
    block: { number, hash },
  };
}

function reasonOf(execution: 'SUCCEEDED' | 'REVERTED', trace: string | undefined): string | null {
  return execution === 'REVERTED' ? revertReason(trace) : null;
}
