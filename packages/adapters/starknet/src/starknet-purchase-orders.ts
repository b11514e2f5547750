import {
  readValue,
  type OpenedOrder,
  type OpenedOrders,
  type PurchaseContract,
  type PurchaseOrders,
} from '@sotto/dca-core';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { NodeBehind, type BlockRef, type Snapshot } from '@sotto/submission-core';
import { z } from 'zod';
import { blockHashAt, readBlockHashAt } from './block-head.js';
import { eventPages } from './event-pages.js';
import {
  isBlockNotFound,
  isRejection,
  NodeMalformedAnswer,
  NodeUnavailable,
  RpcCode,
} from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { callView } from './views.js';
import { BlockNumber, Returned, WireFelt, WireU64 } from './wire.js';

/** Maximum number of events per page of a query. Source: the limit of nodes in use. */
const CHUNK_SIZE = 1_000;
/** Maximum number of keys, and of data felts, in one event. A creation event has far fewer. */
const MAX_EVENT_FELTS = 64;
const DEFAULT_MAX_PAGES = 20;
const DEFAULT_MAX_BLOCKS = 100_000;

const EventFelts = z.array(WireFelt).max(MAX_EVENT_FELTS);
/** Event of an accepted block. An event without a block hash would be in a pre-confirmed block. */
const CreatedEvent = z.object({
  from_address: WireFelt,
  block_number: BlockNumber,
  block_hash: WireFelt,
  keys: EventFelts,
  data: EventFelts,
});

export interface PurchaseOrdersSettings {
  /** Maximum pages of events per query. @default 20 */
  readonly maxPages?: number;
  /**
   * Maximum blocks per query. The limit exists because nodes search a limited number of blocks per
   * page.
   * @default 100_000
   */
  readonly maxBlocks?: number;
}

/** Range of blocks whose events are read. The last block is identified by its hash. */
interface Range {
  readonly from: number;
  readonly last: BlockRef;
}

/**
 * Reads the orders of one purchase contract, in the layout of the network profile. Every read
 * identifies its block by hash. So no event of the range is missed, and every order is read at the
 * requested block, although several nodes may serve the reads.
 */
export class StarknetPurchaseOrders implements PurchaseOrders {
  readonly #maxPages: number;
  readonly #maxBlocks: number;

  constructor(
    private readonly node: StarknetNode,
    private readonly contract: PurchaseContract,
    { maxPages = DEFAULT_MAX_PAGES, maxBlocks = DEFAULT_MAX_BLOCKS }: PurchaseOrdersSettings = {},
  ) {
    this.#maxPages = maxPages;
    this.#maxBlocks = maxBlocks;
  }

  async opened(fromBlock: number, to: Snapshot): Promise<OpenedOrders> {
    return orBehind(async () => {
      const range = { from: fromBlock, last: await this.#lastOfRange(fromBlock, to) };
      const { opened, isComplete } = await this.#read(range);
      if (isComplete) return { opened, throughBlock: range.last.number };
      // The next page, which was not read, may begin with events of the last block of the pages
      // read. So the events of that block may be incomplete.
      const throughBlock = (opened.at(-1)?.blockNumber ?? fromBlock) - 1;
      if (throughBlock < fromBlock)
        throw new NodeUnavailable({
          message: 'the event search exceeds the maximum number of pages',
        });
      return {
        opened: opened.filter(({ blockNumber }) => blockNumber <= throughBlock),
        throughBlock,
      };
    });
  }

  async read(orderIds: readonly bigint[], at: BlockRef): Promise<readonly (Felts | null)[]> {
    return orBehind(async () =>
      Promise.all(orderIds.map(async (orderId) => this.#order(orderId, at))),
    );
  }

  async mayerMultiple(at: BlockRef): Promise<bigint> {
    const { entrypoints, mayerMultiple } = this.contract.layout;
    const felts = await orBehind(async () => this.#view(entrypoints.mayerMultiple, [], at));
    const value = readValue(mayerMultiple.size, felts);
    if (value === null)
      throw new NodeMalformedAnswer({
        message: 'the Mayer Multiple is not laid out as the network profile describes it',
      });
    return value;
  }

  async blockAt(number: number): Promise<BlockRef | null> {
    const hash = await readBlockHashAt(this.node, number);
    return hash === null ? null : { number, hash };
  }

  /**
   * Returns the last block of the range. If this block is below the snapshot's block, the same
   * request also reads the hash at the snapshot's height. An unchanged hash proves that both blocks
   * are on one chain.
   */
  async #lastOfRange(fromBlock: number, to: Snapshot): Promise<BlockRef> {
    const number = fromBlock + this.#maxBlocks - 1;
    if (number >= to.number) return to;
    const [hash, hashOfSnapshot] = await this.node.together([
      blockHashAt(number),
      blockHashAt(to.number),
    ]);
    if (hashOfSnapshot !== to.hash) throw new NodeBehind();
    return { number, hash };
  }

  async #read(
    range: Range,
  ): Promise<{ readonly opened: readonly OpenedOrder[]; readonly isComplete: boolean }> {
    const { address, layout } = this.contract;
    const filter = {
      from_block: { block_number: range.from },
      to_block: { block_hash: range.last.hash },
      address,
      keys: [[layout.created.selector]],
    };
    const paged = { event: CreatedEvent, chunkSize: CHUNK_SIZE, maxPages: this.#maxPages };
    const opened: OpenedOrder[] = [];
    let isComplete = false;
    for await (const { events, isLast } of eventPages(this.node, filter, paged)) {
      for (const event of events) {
        const order = this.#openedBy(event);
        const earliest = opened.at(-1)?.blockNumber ?? range.from;
        if (order.blockNumber < earliest || order.blockNumber > range.last.number)
          throw new NodeMalformedAnswer({ message: 'the node gives another event' });
        opened.push(order);
      }
      isComplete = isLast;
    }
    return { opened, isComplete };
  }

  /**
   * @throws NodeMalformedAnswer if the event was not requested or does not have the profile's
   *   layout
   */
  #openedBy(event: z.infer<typeof CreatedEvent>): OpenedOrder {
    const { selector, orderId } = this.contract.layout.created;
    const felts = orderId.in === 'keys' ? event.keys : event.data;
    const id = WireU64.safeParse(felts[orderId.at]);
    if (event.from_address !== this.contract.address || event.keys[0] !== selector || !id.success)
      throw new NodeMalformedAnswer({ message: 'the node gives another event' });
    return { orderId: id.data, blockNumber: event.block_number };
  }

  async #order(orderId: bigint, at: BlockRef): Promise<Felts | null> {
    const { order } = this.contract.layout.entrypoints;
    try {
      return Felts.of(await this.#view(order, [toFelt(orderId)], at));
    } catch (error) {
      if (isRejection(error, RpcCode.contractError)) return null;
      throw error;
    }
  }

  async #view(
    entrypoint: string,
    calldata: readonly Felt[],
    { hash: blockHash }: BlockRef,
  ): Promise<readonly bigint[]> {
    const contract = this.contract.address;
    return callView(this.node, {
      contract,
      entrypoint,
      calldata,
      block: blockHash,
      result: Returned,
    });
  }
}

/** @throws NodeBehind if the node does not have the block at which `read` reads */
async function orBehind<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw isBlockNotFound(error) ? new NodeBehind({ cause: error }) : error;
  }
}
