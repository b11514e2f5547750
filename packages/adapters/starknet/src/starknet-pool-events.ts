import { toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { DeployedLeaves, PoolDeposit, PoolEvents, SwapDeposit } from '@sotto/relayer-core';
import { z } from 'zod';
import { eventPages, type EventFilter } from './event-pages.js';
import { readLatestBlock } from './latest-block.js';
import {
  BATCH_DEPLOYED,
  BatchDeployed,
  DEPOSIT,
  Deposit,
  SWAP_DEPOSIT,
  SwapDepositEvent,
} from './pool-event-layouts.js';
import { receiptOf, type ReceiptEvent } from './receipt.js';
import { NodeMalformedAnswer, NodeUnavailable } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { selectorOf } from './selectors.js';
import { BlockNumber, LATEST, WireFelt } from './wire.js';

/**
 * Maximum number of events per page. All events of a Merkle tree of depth 10 fit on one page.
 * Source: the limit of nodes in use.
 */
const CHUNK_SIZE = 1_000;
/**
 * Page size of a search for the transaction that spent a note. A note is spent once, so a search
 * finds at most one event.
 */
const SPENDER_CHUNK_SIZE = 10;
const DEFAULT_MAX_PAGES = 50;
/**
 * Number of the newest blocks that each query reads again, because a reorg may have changed them.
 */
const DEFAULT_UNSETTLED_BLOCKS = 200;

const Batch = BatchDeployed.transform((batch) => ({ batch }));
const PoolEvent = z.object({
  from_address: WireFelt,
  block_number: BlockNumber,
  keys: z.array(WireFelt),
  data: z.array(z.unknown()),
});

/**
 * Event of an accepted block. An event without a block hash would belong to a pre-confirmed block,
 * and pre-confirmed blocks are not requested.
 */
const Emitted = z.object({
  from_address: WireFelt,
  keys: z.array(WireFelt),
  transaction_hash: WireFelt,
  block_hash: WireFelt,
  block_number: BlockNumber,
});

export interface PoolEventsSettings {
  /**
   * Heights of the blocks in which the pools were deployed. Blocks below this height are not
   * searched.
   * @default 0 for an unlisted pool
   */
  readonly deployedAt?: ReadonlyMap<Felt, number>;
  /** Address of the pool with the events `SwapDeposit` and `SwapWithdraw`. @default none */
  readonly swapPool?: Felt | null;
  /**
   * Maximum pages per query. A node searches a limited number of blocks per page, so a page may
   * contain no event.
   * @default 50
   */
  readonly maxPages?: number;
  /** Number of the newest blocks that each query reads again. @default 200 */
  readonly unsettledBlocks?: number;
}

interface Noted {
  readonly blockNumber: number;
  readonly event: z.infer<typeof Deposit> | z.infer<typeof Batch>;
}

/** Cached events of a pool, with the height up to which they were read. */
interface Known {
  readonly noted: readonly Noted[];
  /** Height of the highest block whose events were read; -1 if no block was read. */
  readonly upTo: number;
}

const NOTHING: Known = { noted: [], upTo: -1 };

/**
 * Reads the events of pools. Deposit and batch events are cached, and later queries read only newer
 * blocks. A failed query does not change the cache. Receipts are read from all blocks, including
 * the pre-confirmed block. Events of other contracts in a receipt are ignored.
 */
export class StarknetPoolEvents implements PoolEvents {
  readonly #known = new Map<Felt, Known>();

  constructor(
    private readonly node: StarknetNode,
    private readonly settings: PoolEventsSettings = {},
  ) {}

  async agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]> {
    if (count === 0) return [];
    const { blockNumber, timestamp } = await readLatestBlock(this.node);
    const noted = await this.#upTo(pool, blockNumber);
    const times = new Map(
      noted.flatMap(({ event }) =>
        'leafIndex' in event ? [[event.leafIndex, event.timeSeconds]] : [],
      ),
    );
    return Array.from({ length: count }, (_, index) => {
      const time = times.get(first + index);
      if (time === undefined)
        throw new NodeUnavailable({
          message: 'the node does not show a deposit that the pool has',
        });
      return Math.max(0, timestamp - time);
    });
  }

  async batchesOf(pool: Felt): Promise<readonly DeployedLeaves[]> {
    const { blockNumber } = await readLatestBlock(this.node);
    const noted = await this.#upTo(pool, blockNumber);
    return noted.flatMap(({ event }) => ('batch' in event ? [event.batch] : []));
  }

  async depositOf(pool: Felt, transactionHash: Felt): Promise<PoolDeposit | null> {
    const receipt = await receiptOf(this.node, transactionHash);
    if (receipt === null) return null;
    const own = receipt.events.filter(({ from_address: from }) => from === pool);
    const deposit = only(named(own, DEPOSIT), Deposit);
    if (deposit === null) return null;
    const { commitment, leafIndex } = deposit;
    return { commitment, leafIndex, batch: only(named(own, BATCH_DEPLOYED), BatchDeployed) };
  }

  async swapDepositOf(transactionHash: Felt): Promise<SwapDeposit | null> {
    const receipt = await receiptOf(this.node, transactionHash);
    if (receipt === null) return null;
    const { swapPool = null } = this.settings;
    const own = receipt.events.filter(({ from_address: from }) => from === swapPool);
    return only(named(own, SWAP_DEPOSIT), SwapDepositEvent);
  }

  /**
   * Searches the node's event index by key for `Withdrawal { #[key] nullifier_hash: u256, … }`. In
   * the swap pool, searches for `SwapWithdraw { #[key] nullifier_hash: u256, … }`.
   */
  async spenderOf(pool: Felt, nullifierHash: bigint): Promise<Felt | null> {
    const { deployedAt, swapPool = null, maxPages = DEFAULT_MAX_PAGES } = this.settings;
    const keys = [
      selectorOf(pool === swapPool ? 'SwapWithdraw' : 'Withdrawal'),
      ...u256ToHalves(nullifierHash).map((half) => toFelt(half)),
    ];
    const filter: EventFilter = {
      from_block: { block_number: deployedAt?.get(pool) ?? 0 },
      to_block: LATEST,
      address: pool,
      keys: keys.map((key) => [key]),
    };
    const paged = { event: Emitted, chunkSize: SPENDER_CHUNK_SIZE, maxPages };
    for await (const { events, isLast } of eventPages(this.node, filter, paged)) {
      const [event] = events;
      if (event !== undefined) return transactionOf(event, pool, keys);
      if (isLast) return null;
    }
    throw new NodeUnavailable({
      message: 'the event search exceeds the maximum number of pages',
    });
  }

  async #upTo(pool: Felt, height: number): Promise<readonly Noted[]> {
    const { deployedAt, unsettledBlocks = DEFAULT_UNSETTLED_BLOCKS } = this.settings;
    const known = this.#known.get(pool) ?? NOTHING;
    const from = Math.max(
      deployedAt?.get(pool) ?? 0,
      Math.min(known.upTo, height) - unsettledBlocks + 1,
    );
    const settled = known.noted.filter(({ blockNumber }) => blockNumber < from);
    const noted = [...settled, ...(await this.#read(pool, from, height))];
    this.#known.set(pool, { noted, upTo: height });
    return noted;
  }

  async #read(pool: Felt, from: number, to: number): Promise<readonly Noted[]> {
    const { maxPages = DEFAULT_MAX_PAGES } = this.settings;
    const filter = {
      from_block: { block_number: from },
      to_block: { block_number: to },
      address: pool,
      keys: [[DEPOSIT, BATCH_DEPLOYED]],
    };
    const found: Noted[] = [];
    const paged = { event: PoolEvent, chunkSize: CHUNK_SIZE, maxPages };
    for await (const { events, isLast } of eventPages(this.node, filter, paged)) {
      found.push(...events.map((event) => readEvent(event, { pool, from, to })));
      if (isLast) return found;
    }
    throw new NodeUnavailable({
      message: 'the event search exceeds the maximum number of pages',
    });
  }
}

interface Requested {
  readonly pool: Felt;
  readonly from: number;
  readonly to: number;
}

/** @throws NodeMalformedAnswer if the node returned an event that was not requested */
function readEvent(event: z.infer<typeof PoolEvent>, { pool, from, to }: Requested): Noted {
  const blockNumber = event.block_number;
  const read = z.union([Deposit, Batch]).safeParse(event);
  if (event.from_address !== pool || blockNumber < from || blockNumber > to || !read.success) {
    throw new NodeMalformedAnswer({ message: 'the node gives another event' });
  }
  return { blockNumber, event: read.data };
}

/** @throws NodeMalformedAnswer if the node returned an event that was not requested */
function transactionOf(event: z.infer<typeof Emitted>, pool: Felt, keys: readonly Felt[]): Felt {
  const isWanted =
    event.from_address === pool &&
    event.keys.length === keys.length &&
    keys.every((key, index) => event.keys[index] === key);
  if (!isWanted) throw new NodeMalformedAnswer({ message: 'the node gives another event' });
  return event.transaction_hash;
}

function named(events: readonly ReceiptEvent[], name: Felt): readonly ReceiptEvent[] {
  return events.filter(({ keys: [first] }) => first === name);
}

/**
 * @throws NodeMalformedAnswer if there is more than one event, or if the event does not have the
 *   expected layout
 */
function only<T>([event, ...others]: readonly ReceiptEvent[], layout: z.ZodType<T>): T | null {
  if (event === undefined) return null;
  const parsed = layout.safeParse(event);
  if (others.length > 0 || !parsed.success)
    throw new NodeMalformedAnswer({ message: 'the pool returned an impossible deposit event' });
  return parsed.data;
}
