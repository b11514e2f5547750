import { CODES_OF } from '@sotto/facts';
import type { Felt } from '@sotto/kernel';
import type { PoolToken } from '@sotto/market-core';
import type { Snapshots } from '@sotto/submission-core';
import { dueAt } from '../domain/execution.js';
import { isEnded, parseOrder } from '../domain/order.js';
import type { PurchaseContract } from '../domain/order-layout.js';
import type { OrderStore } from '../ports/order-store.port.js';
import type { PurchaseOrders } from '../ports/purchase-orders.port.js';

export interface ListOrdersPorts {
  readonly orders: Pick<PurchaseOrders, 'read'>;
  readonly snapshots: Snapshots;
  readonly store: Pick<OrderStore, 'open' | 'progress'>;
}

export interface ListOrdersPolicy {
  readonly contract: PurchaseContract;
  readonly sellTokens: readonly PoolToken[];
  /** Maximum number of orders per page and per batched read. Suggested value: 100. */
  readonly maxPage: number;
}

export interface ListOrdersInput {
  /** Id of the last order on the previous page; null for the first page. */
  readonly after: bigint | null;
  /** Page size, at least 1. A value above the maximum is replaced by the maximum. */
  readonly limit: number;
}

/** A purchase order as it is visible on chain, without its owner. */
export type ListedOrder =
  | {
      readonly orderId: bigint;
      /**
       * State of the order. `ended` means that the order ended recently and is not yet removed from
       * the list.
       */
      readonly state: 'due' | 'waiting' | 'ended';
      readonly sellToken: Felt;
      /**
       * Symbol of the sold ERC-20 token. Null if the profile does not contain the token; the keeper
       * does not execute such an order.
       */
      readonly sellSymbol: string | null;
      /** Amount of one execution at the factor 1×, in the sell token's smallest unit. */
      readonly amount: bigint;
      /** Remaining deposit, in the sell token's smallest unit. */
      readonly remaining: bigint;
      readonly frequencySeconds: bigint;
      readonly total: number;
      readonly executed: number;
      readonly isSmart: boolean;
      /**
       * Due time of the next execution in Unix seconds. Null before the first execution, which is
       * due immediately, and after the last execution.
       */
      readonly nextDueAt: bigint | null;
    }
  | { readonly orderId: bigint; readonly state: 'unreadable' };

export interface OrderList {
  readonly contract: Felt;
  readonly blockNumber: number;
  /** Timestamp of the block, in Unix seconds. */
  readonly timestamp: number;
  /**
   * Last block whose events were read. Orders that were created in later blocks may be missing.
   * Null before the first round.
   */
  readonly knownThroughBlock: number | null;
  readonly orders: readonly ListedOrder[];
  /**
   * Id of the last order on a full page, with which the next page is requested; null if there are
   * no more orders.
   */
  readonly next: bigint | null;
}

/** Lists open orders of the purchase contract. All orders are read at one block. */
export class ListOrders {
  /** Error codes of the orders route. */
  static readonly throws = CODES_OF.keeperOrders;

  constructor(
    private readonly ports: ListOrdersPorts,
    private readonly policy: ListOrdersPolicy,
  ) {}

  async execute({ after, limit }: ListOrdersInput): Promise<OrderList> {
    const { contract, maxPage } = this.policy;
    const { orders, snapshots, store } = this.ports;
    const pageSize = Math.max(1, Math.min(limit, maxPage));
    const [snapshot, progress, ids] = await Promise.all([
      snapshots.latest(null),
      store.progress(contract.address),
      store.open(contract.address, after, pageSize),
    ]);
    const answers = ids.length === 0 ? [] : await orders.read(ids, snapshot);
    return {
      contract: contract.address,
      blockNumber: snapshot.number,
      timestamp: snapshot.timestamp,
      knownThroughBlock: progress === null ? null : progress.nextBlock - 1,
      orders: ids.map((orderId, index): ListedOrder => {
        const felts = answers[index] ?? null;
        const order = felts === null ? 'unreadable' : parseOrder(contract.layout, felts);
        if (order === 'unreadable') return { orderId, state: 'unreadable' };
        const due = dueAt(order);
        const hasEnded = isEnded(order);
        const { sellToken, amount, remaining, frequencySeconds, total, executed, isSmart } = order;
        return {
          orderId,
          state: hasEnded ? 'ended' : due <= BigInt(snapshot.timestamp) ? 'due' : 'waiting',
          sellToken,
          sellSymbol: this.#symbolOf(sellToken),
          amount,
          remaining,
          frequencySeconds,
          total,
          executed,
          isSmart,
          nextDueAt: hasEnded || due === 0n ? null : due,
        };
      }),
      next: ids.length < pageSize ? null : (ids.at(-1) ?? null),
    };
  }

  #symbolOf(sellToken: Felt): string | null {
    return this.policy.sellTokens.find(({ address }) => address === sellToken)?.symbol ?? null;
  }
}
