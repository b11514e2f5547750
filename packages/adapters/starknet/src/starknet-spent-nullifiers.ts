import { toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { SpentNullifiers } from '@sotto/relayer-core';
import { z } from 'zod';
import { eventPages, type EventFilter } from './event-pages.js';
import { NodeMalformedAnswer, NodeUnavailable } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { selectorOf } from './selectors.js';
import { BlockNumber, LATEST, WireFelt } from './wire.js';

/** Events of one question: a note is spent once, so there is one or none. */
const CHUNK_SIZE = 10;
const DEFAULT_MAX_PAGES = 50;

/**
 * An event without its block's hash would stand in a block that is only pre-confirmed: those are
 * not asked for.
 */
const Emitted = z.object({
  from_address: WireFelt,
  keys: z.array(WireFelt),
  transaction_hash: WireFelt,
  block_hash: WireFelt,
  block_number: BlockNumber,
});

export interface SpentNullifiersSettings {
  /**
   * Heights at which pools were deployed: nothing is looked for below.
   * @default 0 for a pool that is not among them
   */
  readonly deployedAt?: ReadonlyMap<Felt, number>;
  /** Where notes are spent with the event `SwapWithdraw` instead. @default none */
  readonly swapPool?: Felt | null;
  /**
   * Most pages that one question asks for: nodes look through a limited number of blocks for each,
   * and may find nothing in it.
   * @default 50
   */
  readonly maxPages?: number;
}

/**
 * `Withdrawal { #[key] nullifier_hash: u256, recipient, relayer, payout: u256, fee: u256 }`, in the
 * swap pool `SwapWithdraw { #[key] nullifier_hash: u256, recipient, output_token, payout: u256,
 * fee: u256 }`, found by its keys in the node's index of events.
 */
export class StarknetSpentNullifiers implements SpentNullifiers {
  constructor(
    private readonly node: StarknetNode,
    private readonly settings: SpentNullifiersSettings = {},
  ) {}

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
    const paged = { event: Emitted, chunkSize: CHUNK_SIZE, maxPages };
    for await (const { events, isLast } of eventPages(this.node, filter, paged)) {
      const [event] = events;
      if (event !== undefined) return transactionOf(event, pool, keys);
      if (isLast) return null;
    }
    throw new NodeUnavailable({
      message: 'the node looks for an event in more pages than it is asked for',
    });
  }
}

/** @throws NodeMalformedAnswer for an event that was not asked for */
function transactionOf(event: z.infer<typeof Emitted>, pool: Felt, keys: readonly Felt[]): Felt {
  const isWanted =
    event.from_address === pool &&
    event.keys.length === keys.length &&
    keys.every((key, index) => event.keys[index] === key);
  if (!isWanted) throw new NodeMalformedAnswer({ message: 'the node gives another event' });
  return event.transaction_hash;
}
