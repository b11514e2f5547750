import { KeyedMutex, type Felt } from '@sotto/kernel';
import { NodeBehind, type BlockRef, type Snapshot, type Snapshots } from '@sotto/submission-core';
import { isEnded, parseOrder } from '../domain/order.js';
import type { PurchaseContract } from '../domain/order-layout.js';
import type { OrderStore, OrderProgress } from '../ports/order-store.port.js';
import type { PurchaseOrders } from '../ports/purchase-orders.port.js';

export interface FollowOrdersPorts {
  readonly orders: PurchaseOrders;
  readonly snapshots: Snapshots;
  readonly store: OrderStore;
}

export interface FollowOrdersPolicy {
  readonly contract: PurchaseContract;
  /**
   * Number of the newest blocks that a reorg may replace. The events of these blocks are read again
   * in each round. Unit: blocks. Suggested value: 64. A deeper reorg is detected, and then all
   * events are read again.
   */
  readonly safeDepth: number;
  /**
   * Maximum number of open purchase orders for which one round checks whether they have ended.
   * Suggested value: 100.
   */
  readonly checkedPerRound: number;
}

export interface FollowedOrders {
  /** Last block whose events are stored completely. */
  readonly throughBlock: number;
  /** True if the round read its maximum number of pages before it reached the newest block. */
  readonly hasMore: boolean;
  readonly opened: number;
  readonly ended: number;
}

/**
 * Maintains the list of open purchase orders. Adds the orders of new events, and removes orders
 * that have ended at safe depth, because no reorg can reopen them. A round is limited to some pages
 * of events and one batched read.
 */
export class FollowOrders {
  readonly #turns = new KeyedMutex();
  /**
   * Last order for which a round checked whether it has ended; null to start with the first order.
   */
  #checked: bigint | null = null;

  constructor(
    private readonly ports: FollowOrdersPorts,
    private readonly policy: FollowOrdersPolicy,
  ) {}

  get #address(): Felt {
    return this.policy.contract.address;
  }

  /**
   * Runs one round. Rounds of one instance never run concurrently.
   * @throws NodeBehind if the node has not reached the stored block, or the error of node or store
   */
  round(): Promise<FollowedOrders> {
    return this.#turns.run(this.#address, () => this.#round());
  }

  async #round(): Promise<FollowedOrders> {
    const { snapshots, store } = this.ports;
    const { firstBlock } = this.policy.contract;
    // Read the newest block first. Events are read last, up to this block's hash, so they belong to
    // the same chain as all blocks read before them.
    const snapshot = await snapshots.latest(null);
    const progress = await this.#validProgress(await store.progress(this.#address));
    const safe = await this.#safeBlock(snapshot);
    const from = progress?.nextBlock ?? firstBlock;
    if (from > snapshot.number)
      return { throughBlock: snapshot.number, hasMore: false, opened: 0, ended: 0 };
    const { opened, throughBlock } = await this.ports.orders.opened(from, snapshot);
    const nextBlock = Math.max(firstBlock, Math.min(throughBlock, safe.number) + 1);
    await store.advance(
      this.#address,
      { nextBlock, safe },
      opened.map(({ orderId }) => orderId),
    );
    return {
      throughBlock,
      hasMore: throughBlock < snapshot.number,
      opened: opened.length,
      // No order can have ended if the chain is shorter than safe depth, or the safe block is
      // before the contract's first block.
      ended:
        snapshot.number < this.policy.safeDepth || safe.number < firstBlock
          ? 0
          : await this.#endAt(safe),
    };
  }

  /**
   * Returns the stored progress. Returns null if all events must be read: in the first round, or
   * after a reorg below safe depth.
   */
  async #validProgress(progress: OrderProgress | null): Promise<OrderProgress | null> {
    if (progress === null) return null;
    const { safe } = progress;
    const onChain = await this.ports.orders.blockAt(safe.number);
    if (onChain === null) throw new NodeBehind();
    if (onChain.hash === safe.hash) return progress;
    this.#checked = null;
    await this.ports.store.forget(this.#address);
    return null;
  }

  async #safeBlock({ number }: Snapshot): Promise<BlockRef> {
    const safe = await this.ports.orders.blockAt(Math.max(0, number - this.policy.safeDepth));
    if (safe === null) throw new NodeBehind();
    return safe;
  }

  /**
   * Among the orders that this round checks, removes those that have ended at the block `safe`.
   * @returns the number of removed orders
   */
  async #endAt(safe: BlockRef): Promise<number> {
    const { contract, checkedPerRound } = this.policy;
    const { store, orders } = this.ports;
    const ids = await store.open(this.#address, this.#checked, checkedPerRound);
    const felts = ids.length === 0 ? [] : await orders.read(ids, safe);
    const ended = ids.filter((_, index) => {
      const answer = felts[index] ?? null;
      const order = answer === null ? 'unreadable' : parseOrder(contract.layout, answer);
      return order !== 'unreadable' && isEnded(order);
    });
    await store.end(this.#address, ended);
    this.#checked = ids.length < checkedPerRound ? null : (ids.at(-1) ?? null);
    return ended.length;
  }
}
