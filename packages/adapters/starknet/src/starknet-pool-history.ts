import type { Felt } from '@sotto/kernel';
import type { DeployedLeaves, PoolHistory } from '@sotto/relayer-core';
import { z } from 'zod';
import { BATCH_DEPLOYED, BatchDeployed } from './batch-deployed.js';
import { eventPages } from './event-pages.js';
import { readLatestBlock } from './latest-block.js';
import { NodeMalformedAnswer, NodeUnavailable } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { selectorOf } from './selectors.js';
import { BlockNumber, WireFelt, WireU128, WireU32, WireU64 } from './wire.js';

const DEPOSIT = selectorOf('Deposit');
/** A tree of depth 10 is one page. Source: the RPC specification's limit of nodes in use. */
const CHUNK_SIZE = 1_000;
const DEFAULT_MAX_PAGES = 50;
/** Read again with each question: what was shown of them may have been undone. */
const DEFAULT_UNSETTLED_BLOCKS = 200;

/**
 * `Deposit { #[key] commitment: u256, leaf_index: u32, timestamp: u64 }`; the timestamp is its
 * block's.
 */
const Deposit = z
  .object({
    keys: z.tuple([z.literal(DEPOSIT), WireU128, WireU128]),
    data: z.tuple([WireU32, WireU64]),
  })
  .transform(({ data: [leaf, time] }) => ({ leaf, timeSeconds: Number(time) }));
const Batch = BatchDeployed.transform((batch) => ({ batch }));
const PoolEvent = z.object({
  from_address: WireFelt,
  block_number: BlockNumber,
  keys: z.array(WireFelt),
  data: z.array(z.unknown()),
});

export interface PoolHistorySettings {
  /**
   * Heights at which pools were deployed: nothing is looked for below.
   * @default 0 for a pool that is not among them
   */
  readonly deployedAt?: ReadonlyMap<Felt, number>;
  /** Most pages that one question asks for. @default 50 */
  readonly maxPages?: number;
  /** How many of the newest blocks are read again by each question. @default 200 */
  readonly unsettledBlocks?: number;
}

interface Noted {
  readonly blockNumber: number;
  readonly event: z.infer<typeof Deposit> | z.infer<typeof Batch>;
}

/** What is known of a pool. */
interface Known {
  readonly noted: readonly Noted[];
  /** Up to this height; -1 for none. */
  readonly upTo: number;
}

const NOTHING: Known = { noted: [], upTo: -1 };

/**
 * Reads a pool's events once, and from then on only those of newer blocks. A failed question keeps
 * what was known before.
 */
export class StarknetPoolHistory implements PoolHistory {
  readonly #known = new Map<Felt, Known>();

  constructor(
    private readonly node: StarknetNode,
    private readonly settings: PoolHistorySettings = {},
  ) {}

  async agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]> {
    if (count === 0) return [];
    const { blockNumber, timestamp } = await readLatestBlock(this.node);
    const noted = await this.#upTo(pool, blockNumber);
    const times = new Map(
      noted.flatMap(({ event }) => ('leaf' in event ? [[event.leaf, event.timeSeconds]] : [])),
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
      message: 'the node looks for events in more pages than it is asked for',
    });
  }
}

interface Asked {
  readonly pool: Felt;
  readonly from: number;
  readonly to: number;
}

/** @throws NodeMalformedAnswer for an event that was not asked for */
function readEvent(event: z.infer<typeof PoolEvent>, { pool, from, to }: Asked): Noted {
  const blockNumber = event.block_number;
  const read = z.union([Deposit, Batch]).safeParse(event);
  if (event.from_address !== pool || blockNumber < from || blockNumber > to || !read.success) {
    throw new NodeMalformedAnswer({ message: 'the node gives another event' });
  }
  return { blockNumber, event: read.data };
}
