import type { Felt } from '@sotto/kernel';
import type { DepositAges } from '@sotto/relayer-core';
import { z } from 'zod';
import { readLatestBlock } from './latest-block.js';
import { NodeMalformedAnswer, NodeUnavailable } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { selectorOf } from './selectors.js';
import { BlockNumber, WireFelt, WireU128, WireU32, WireU64 } from './wire.js';

const DEPOSIT = selectorOf('Deposit');
/** A tree of depth 10 is one page. Source: the RPC specification's limit of nodes in use. */
const CHUNK_SIZE = 1_000;
const DEFAULT_MAX_PAGES = 50;
/** Longer than any node's. */
const MAX_TOKEN_CHARACTERS = 4_096;
/** Read again with each question: what was shown of them may have been undone. */
const DEFAULT_UNSETTLED_BLOCKS = 200;

/** `Deposit { #[key] commitment: u256, leaf_index: u32, timestamp: u64 }`; the timestamp is its block's. */
const Deposit = z.object({
  from_address: WireFelt,
  keys: z.tuple([WireFelt, WireU128, WireU128]),
  data: z.tuple([WireU32, WireU64]),
  block_number: BlockNumber,
});
const Page = z.object({
  events: z.array(Deposit).max(CHUNK_SIZE),
  continuation_token: z.string().max(MAX_TOKEN_CHARACTERS).nullish(),
});

export interface DepositAgesSettings {
  /** Heights at which pools were deployed: nothing is looked for below. @default 0 for a pool that is not among them */
  readonly deployedAt?: ReadonlyMap<Felt, number>;
  /** Most pages that one question asks for. @default 50 */
  readonly maxPages?: number;
  /** How many of the newest blocks are read anew by each question. @default 200 */
  readonly unsettledBlocks?: number;
}

/** What is known of a pool's deposits. */
interface Known {
  /** Times in seconds, by leaf. */
  readonly times: Map<number, number>;
  /** Up to this height; -1 for none. */
  readonly upTo: number;
}

const NOTHING: Known = { times: new Map(), upTo: -1 };

/** Reads a pool's `Deposit` events once, and from then on only those of newer blocks. A failed question keeps what was known before. */
export class StarknetDepositAges implements DepositAges {
  readonly #known = new Map<Felt, Known>();

  constructor(
    private readonly node: NodeClient,
    private readonly settings: DepositAgesSettings = {},
  ) {}

  async agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]> {
    if (count === 0) return [];
    const { blockNumber, timestamp } = await readLatestBlock(this.node);
    const times = await this.#timesUpTo(pool, blockNumber);
    return Array.from({ length: count }, (_, index) => {
      const time = times.get(first + index);
      if (time === undefined) throw new NodeUnavailable('the node does not show a deposit that the pool has');
      return Math.max(0, timestamp - time);
    });
  }

  async #timesUpTo(pool: Felt, height: number): Promise<ReadonlyMap<number, number>> {
    const { deployedAt, unsettledBlocks = DEFAULT_UNSETTLED_BLOCKS } = this.settings;
    const known = this.#known.get(pool) ?? NOTHING;
    const from = Math.max(deployedAt?.get(pool) ?? 0, Math.min(known.upTo, height) - unsettledBlocks + 1);
    const times = new Map(known.times);
    for (const { leaf, time } of await this.#depositsIn(pool, from, height)) times.set(leaf, time);
    this.#known.set(pool, { times, upTo: height });
    return times;
  }

  async #depositsIn(pool: Felt, from: number, to: number): Promise<readonly { readonly leaf: number; readonly time: number }[]> {
    const { maxPages = DEFAULT_MAX_PAGES } = this.settings;
    const blocks = { from_block: { block_number: from }, to_block: { block_number: to } };
    const filter = { ...blocks, address: pool, keys: [[DEPOSIT]], chunk_size: CHUNK_SIZE };
    const found: { readonly leaf: number; readonly time: number }[] = [];
    let token: string | null = null;
    for (let page = 0; page < maxPages; page += 1) {
      const params = { filter: { ...filter, ...(token === null ? {} : { continuation_token: token }) } };
      const answer: z.infer<typeof Page> = await this.node.call({ method: 'starknet_getEvents', params, result: Page });
      found.push(...answer.events.map((event) => readDeposit(event, pool)));
      token = answer.continuation_token ?? null;
      if (token === null) return found;
    }
    throw new NodeUnavailable('the node looks for events in more pages than it is asked for');
  }
}

/** @throws NodeMalformedAnswer for an event that was not asked for */
function readDeposit({ from_address: from, keys: [name], data: [leaf, time] }: z.infer<typeof Deposit>, pool: Felt) {
  if (from !== pool || name !== DEPOSIT) throw new NodeMalformedAnswer('the node gives another event');
  return { leaf, time: Number(time) };
}
