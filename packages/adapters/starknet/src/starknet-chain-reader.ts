import { DomainError, systemClock, toFelt, type Clock, type Felt } from '@sotto/kernel';
import {
  MAX_CONFIRMED,
  type AccountState,
  type BlockRef,
  type ChainEvidence,
  type ChainHead,
  type ChainReader,
  type TransactionStatus,
} from '@sotto/submission-core';
import { blockHashUnlessAbsent, HEAD, readBlockHashAt } from './block-head.js';
import { CHAIN_ID } from './chain-id.js';
import { LATEST_BLOCK } from './latest-block.js';
import { L1_HEIGHT, L1Height } from './l1-height.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { SeenNonces } from './seen-nonces.js';
import { furthest, UNREAD, TransactionStatuses } from './transaction-statuses.js';
import { callView } from './views.js';
import { LATEST, ReturnedU256, WireU64 } from './wire.js';

/** STRK, the fee token of every network. Source: Starknet's token list. */
export const STRK_TOKEN = toFelt(
  '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
);

/**
 * Time after which a comparison of all nodes no longer waits for a node that has not responded, in
 * milliseconds.
 */
const SLOW_NODE_MS = 2_000;

export interface ChainReaderSettings {
  /** Address of the fee token. @default STRK */
  readonly feeToken?: Felt;
  /**
   * Time for which the L1 height is cached, in milliseconds. Each read of the height transfers a
   * whole block, and the height changes at most every few minutes.
   * @default 5_000
   */
  readonly l1MaxAgeMs?: number;
  /**
   * Time for which a node that rejected the block tag `l1_accepted` is not queried for this tag
   * again, in milliseconds.
   * @default 300_000
   */
  readonly l1RetryMs?: number;
  /**
   * Returns the node with this name if the node works and is not the node that reads use; null
   * otherwise.
   * @default always null
   */
  readonly otherNode?: (name: string) => StarknetNode | null;
  /**
   * Returns all nodes from which chain heads may be read. A node that responds too slowly is left
   * out when the heads are compared.
   * @default only the node that reads use
   */
  readonly nodes?: () => readonly StarknetNode[];
  /** Receives the nonces that are read together with a head. @default the nonces are discarded */
  readonly seenNonces?: SeenNonces;
  /** Clock. @default the system clock */
  readonly clock?: Clock;
}

/**
 * Reads the chain head and transaction statuses from one node. One request reads the height and the
 * accounts of a head, but the accounts may be one block newer than the height. Statuses need a
 * second request for the receipts of accepted transactions.
 */
export class StarknetChainReader implements ChainReader {
  readonly #feeToken: Felt;
  readonly #seenNonces: SeenNonces;
  readonly #l1Height: L1Height;
  readonly #otherNode: (name: string) => StarknetNode | null;
  readonly #nodes: () => readonly StarknetNode[];
  readonly #clock: Clock;
  /** Closing reads that have not begun, by their first block. */
  readonly #closing = new Map<
    string,
    { readonly heights: Set<number>; readonly read: Promise<ChainEvidence> }
  >();

  constructor(
    private readonly node: StarknetNode,
    {
      feeToken = STRK_TOKEN,
      l1MaxAgeMs = 5_000,
      l1RetryMs = 300_000,
      otherNode = () => null,
      nodes = () => [node],
      seenNonces = new SeenNonces(),
      clock = systemClock,
    }: ChainReaderSettings = {},
  ) {
    this.#seenNonces = seenNonces;
    this.#feeToken = feeToken;
    this.#otherNode = otherNode;
    this.#nodes = nodes;
    this.#clock = clock;
    this.#l1Height = new L1Height(node, { maxAgeMs: l1MaxAgeMs, retryMs: l1RetryMs, clock });
  }

  async head(accounts: readonly Felt[]): Promise<ChainHead> {
    const [head, l1BlockNumber] = await Promise.all([
      this.#headOf(this.node, accounts),
      this.#l1Height.read(),
    ]);
    for (const [account, { nonce }] of head.accounts) this.#seenNonces.note(account, nonce);
    return { ...head, l1BlockNumber: this.#l1Height.below(head.blockNumber, l1BlockNumber) };
  }

  async heads(accounts: readonly Felt[]): Promise<readonly ChainHead[]> {
    const over = new AbortController();
    const late = this.#clock.sleep(SLOW_NODE_MS, over.signal).then(() => null);
    const reads = this.#nodes().map(async (node) => this.#headOf(node, accounts));
    try {
      const inTime = await Promise.allSettled(
        reads.map(async (read) => Promise.race([read, late])),
      );
      const heads = inTime.flatMap((end) =>
        end.status === 'fulfilled' && end.value !== null ? [end.value] : [],
      );
      // If all nodes are slow or fail, return the first head or throw the first failure.
      return heads.length > 0 ? heads : [await Promise.race(reads)];
    } finally {
      over.abort('over');
    }
  }

  /** Reads the chain head from the given node only, without the L1 height. */
  async #headOf(node: StarknetNode, accounts: readonly Felt[]): Promise<ChainHead> {
    const [block, chainId, ...states] = await Promise.all([
      node.call(LATEST_BLOCK),
      node.call(CHAIN_ID),
      ...accounts.map(async (account) => this.#account(node, account)),
    ]);
    const read = accounts.flatMap((account, index) => {
      const state = states[index] ?? null;
      return state === null ? [] : [[account, state] as const];
    });
    return { ...block, chainId, l1BlockNumber: null, accounts: new Map(read) };
  }

  async transactionStatuses(
    hashes: readonly Felt[],
    sentTo: ReadonlyMap<Felt, string> = new Map(),
  ): Promise<readonly TransactionStatus[]> {
    const unique = [...new Set(hashes)];
    const [statuses, others] = await Promise.all([
      new TransactionStatuses(this.node).of(unique),
      this.#byNodesSentTo(unique, sentTo),
    ]);
    return hashes.map((hash) => furthest(statuses.get(hash) ?? UNREAD, others.get(hash)));
  }

  async blockHash(number: number): Promise<Felt | null> {
    return readBlockHashAt(this.node, number);
  }

  /**
   * Confirms that the given heights belong to one chain, by reading the hashes of their blocks. The
   * block at the height of the first parameter is read last. If its hash is unchanged, a node that
   * processes a batch in order had this block during all earlier reads. Calls of the same turn with
   * the same first block share a request if one batch can contain all their heights.
   */
  async confirm(first: BlockRef, heights: readonly number[]): Promise<ChainEvidence> {
    const requested = new Set(heights.filter((height) => height !== first.number));
    if (requested.size > MAX_CONFIRMED)
      throw new RangeError('more heights than one batch can hold');
    const key = `${first.number} ${first.hash}`;
    const open = this.#closing.get(key);
    if (open !== undefined && new Set([...open.heights, ...requested]).size <= MAX_CONFIRMED) {
      for (const height of requested) open.heights.add(height);
      return open.read;
    }
    const read = new Promise<void>((resolve) => void setImmediate(resolve)).then(async () => {
      if (this.#closing.get(key)?.read === read) this.#closing.delete(key);
      return this.#confirm(first, [...requested]);
    });
    this.#closing.set(key, { heights: requested, read });
    return read;
  }

  async #confirm({ number, hash }: BlockRef, heights: readonly number[]): Promise<ChainEvidence> {
    const requested = heights.concat(number);
    const [last, l1BlockNumber, ...hashes] = await this.node.together([
      HEAD,
      L1_HEIGHT,
      ...requested.map(blockHashUnlessAbsent),
    ]);
    return {
      first: { number, hash },
      last: { number: last.block_number, hash: last.block_hash },
      blocks: new Map(
        requested.flatMap((height, index) => {
          const shown = hashes[index] ?? null;
          return shown === null ? [] : [[height, shown] as const];
        }),
      ),
      l1BlockNumber,
    };
  }

  /**
   * Reads the state of an account; null if the node responds but cannot read this account. If the
   * node does not respond, all reads of the head fail.
   */
  async #account(node: StarknetNode, account: Felt): Promise<AccountState | null> {
    try {
      const [nonce, balanceFri] = await Promise.all([
        node.call({
          method: 'starknet_getNonce',
          params: { block_id: LATEST, contract_address: account },
          result: WireU64,
        }),
        callView(node, {
          contract: this.#feeToken,
          entrypoint: 'balanceOf',
          calldata: [account],
          result: ReturnedU256,
        }),
      ]);
      return { nonce, balanceFri };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return null;
    }
  }

  /**
   * Reads the status of each transaction from the node to which the transaction was sent. Skips the
   * node that all reads use.
   */
  async #byNodesSentTo(
    hashes: readonly Felt[],
    sentTo: ReadonlyMap<Felt, string>,
  ): Promise<ReadonlyMap<Felt, TransactionStatus>> {
    const names = [...new Set(hashes.flatMap((hash) => sentTo.get(hash) ?? []))];
    const answers = await Promise.all(
      names.map(async (name) => {
        const node = this.#otherNode(name);
        if (node === null) return [];
        try {
          const sent = hashes.filter((hash) => sentTo.get(hash) === name);
          return [...(await new TransactionStatuses(node).of(sent))];
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          return [];
        }
      }),
    );
    return new Map(answers.flat());
  }
}
