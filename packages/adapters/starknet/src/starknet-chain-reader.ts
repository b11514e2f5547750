import { DomainError, systemClock, toFelt, type Clock, type Felt } from '@sotto/kernel';
import type {
  AccountState,
  ChainHead,
  ChainReader,
  TransactionStatus,
} from '@sotto/submission-core';
import { z } from 'zod';
import { HEAD, readBlockHashAt } from './block-head.js';
import { CHAIN_ID } from './chain-id.js';
import { LATEST_BLOCK } from './latest-block.js';
import { L1Height } from './l1-height.js';
import { revertReason } from './revert-reason.js';
import { isOfOneCall, isRefusal, NodeMalformedAnswer, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { SeenNonces } from './seen-nonces.js';
import { callView } from './views.js';
import {
  BlockNumber,
  ExecutionStatusText,
  LATEST,
  ReturnedU256,
  WireFelt,
  WireU64,
  WireU128,
} from './wire.js';

/** STRK, the token that fees are paid in on every network. Source: Starknet's token list. */
export const STRK_TOKEN = toFelt(
  '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
);

const NodeTransactionStatus = z.object({
  finality_status: z.enum([
    'RECEIVED',
    'CANDIDATE',
    'PRE_CONFIRMED',
    'ACCEPTED_ON_L2',
    'ACCEPTED_ON_L1',
  ]),
  execution_status: ExecutionStatusText.optional(),
  // The specification omits it without a failure; starknet-devnet returns null.
  failure_reason: z.string().nullish(),
});
const Receipt = z.object({
  transaction_hash: WireFelt,
  finality_status: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']),
  execution_status: ExecutionStatusText,
  revert_reason: z.string().optional(),
  actual_fee: z.object({ amount: WireU128, unit: z.literal('FRI') }),
  block_number: BlockNumber,
  block_hash: WireFelt.optional(),
});
type NodeTransactionStatus = z.infer<typeof NodeTransactionStatus>;
type Receipt = z.infer<typeof Receipt>;

const UNKNOWN: TransactionStatus = { kind: 'unknown' };
const UNREAD: TransactionStatus = { kind: 'unread' };

export interface ChainReaderSettings {
  /** The token that fees are paid in. @default STRK */
  readonly feeToken?: Felt;
  /**
   * For how long the height at L1 is used again. It is read by a whole block, and moves every few
   * minutes at most.
   * @default 5_000
   */
  readonly l1MaxAgeMs?: number;
  /** For how long a node is not asked again that refuses the tag `l1_accepted`. @default 300_000 */
  readonly l1RetryMs?: number;
  /** Hears of the nonces that a head was read with. @default nothing does */
  readonly seenNonces?: SeenNonces;
  /** @default the system's */
  readonly clock?: Clock;
}

/**
 * Head and transactions as one node sees them. The accounts of a head are read in the same request
 * as its height, but may be one block younger. Sightings take a second request when something is
 * accepted, for its receipt.
 */
export class StarknetChainReader implements ChainReader {
  readonly #feeToken: Felt;
  readonly #seenNonces: SeenNonces;
  readonly #l1Height: L1Height;

  constructor(
    private readonly node: StarknetNode,
    {
      feeToken = STRK_TOKEN,
      l1MaxAgeMs = 5_000,
      l1RetryMs = 300_000,
      seenNonces = new SeenNonces(),
      clock = systemClock,
    }: ChainReaderSettings = {},
  ) {
    this.#seenNonces = seenNonces;
    this.#feeToken = feeToken;
    this.#l1Height = new L1Height(node, { maxAgeMs: l1MaxAgeMs, retryMs: l1RetryMs, clock });
  }

  async head(accounts: readonly Felt[]): Promise<ChainHead> {
    const [block, chainId, l1BlockNumber, ...states] = await Promise.all([
      this.node.call(LATEST_BLOCK),
      this.node.call(CHAIN_ID),
      this.#l1Height.read(),
      ...accounts.map(async (account) => this.#account(account)),
    ]);
    const read = accounts.flatMap((account, index) => {
      const state = states[index] ?? null;
      return state === null ? [] : [[account, state] as const];
    });
    return {
      ...block,
      chainId,
      l1BlockNumber: this.#l1Height.below(block.blockNumber, l1BlockNumber),
      accounts: new Map(read),
    };
  }

  async transactionStatuses(hashes: readonly Felt[]): Promise<readonly TransactionStatus[]> {
    const unique = [...new Set(hashes)];
    const statuses = await Promise.allSettled(unique.map(async (hash) => this.#status(hash)));
    await this.#assertAnswered(statuses);
    const sightings = await Promise.all(
      unique.map(async (hash, index) => this.#sightingUnlessUnread(hash, statuses[index])),
    );
    const byHash = new Map(unique.map((hash, index) => [hash, sightings[index] ?? UNREAD]));
    return hashes.map((hash) => byHash.get(hash) ?? UNREAD);
  }

  async blockHash(number: number): Promise<Felt | null> {
    return readBlockHashAt(this.node, number);
  }

  /**
   * Null when the node can't read this account; when the node answers nothing, the head's other
   * reads fail too.
   */
  async #account(account: Felt): Promise<AccountState | null> {
    try {
      const [nonce, balanceFri] = await Promise.all([
        this.node.call({
          method: 'starknet_getNonce',
          params: { block_id: LATEST, contract_address: account },
          result: WireU64,
        }),
        callView(this.node, {
          contract: this.#feeToken,
          entrypoint: 'balanceOf',
          calldata: [account],
          result: ReturnedU256,
        }),
      ]);
      this.#seenNonces.note(account, nonce);
      return { nonce, balanceFri };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return null;
    }
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

  /** @throws the first error when the node has answered none of the questions */
  async #assertAnswered(answers: readonly PromiseSettledResult<unknown>[]): Promise<void> {
    const failures = answers.filter((answer) => answer.status === 'rejected');
    const [first] = failures;
    if (first === undefined || failures.length < answers.length) return;
    if (!failures.some(({ reason }) => isOfOneCall(reason))) throw first.reason;
    // Each request has failed on its own. A simple request shows whether the requests or the node
    // are at fault.
    await this.node.call(HEAD);
  }

  async #sightingUnlessUnread(
    hash: Felt,
    status: PromiseSettledResult<NodeTransactionStatus | null> | undefined,
  ): Promise<TransactionStatus> {
    if (status?.status !== 'fulfilled') return UNREAD;
    try {
      return await this.#sighting(hash, status.value);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return UNREAD;
    }
  }

  async #sighting(hash: Felt, status: NodeTransactionStatus | null): Promise<TransactionStatus> {
    if (status === null) return UNKNOWN;
    const {
      finality_status: finality,
      execution_status: execution,
      failure_reason: reason,
    } = status;
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

function reasonOf(
  execution: 'SUCCEEDED' | 'REVERTED',
  trace: string | null | undefined,
): string | null {
  return execution === 'REVERTED' ? revertReason(trace) : null;
}
