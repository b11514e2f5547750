import { runIsolated, type Felt, type Felts, type Logger } from '@sotto/kernel';
import type { CallReader, CallTarget, ResourceLimits, Snapshots } from '@sotto/submission-core';
import {
  EXECUTION_KIND,
  executionKey,
  executionPurpose,
  executionSeries,
  readExecution,
} from '../domain/execution.js';
import { parseOrder } from '../domain/order.js';
import type { PurchaseContract } from '../domain/order-layout.js';
import type { OrderBook } from '../ports/order-book.port.js';
import type { PurchaseOrders } from '../ports/purchase-orders.port.js';
import type { FollowOrders } from './follow-orders.js';

export interface PurchaseCallsPorts {
  readonly orders: Pick<PurchaseOrders, 'read'>;
  readonly snapshots: Snapshots;
  readonly book: Pick<OrderBook, 'open'>;
  readonly follow: Pick<FollowOrders, 'round'>;
  readonly logger: Logger;
}

export interface PurchaseCallsPolicy {
  readonly chainId: Felt;
  readonly contract: PurchaseContract;
  readonly limits: ResourceLimits;
  /** Most orders that are asked for. Unit: orders; 2,000 serves. */
  readonly maxOrders: number;
  /** Most orders of one batched read. Unit: orders; 100 serves. */
  readonly ordersPerRead: number;
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

type ReadSubmission = ReturnType<CallReader['submissionOf']>;

/**
 * Reads executions of orders back from the chain. Which of an order's executions a call was stands
 * in no call. It is taken for the last one that the contract had counted when it was asked: that
 * one is on chain, so that its key is never opened again. A call that is still on its way is found
 * under that key as well, and the order's next execution waits for its end. Of several calls of an
 * order the first gets its outcome; the ledger stands back from the others.
 */
export class PurchaseCalls implements CallReader {
  #executed: ReadonlyMap<bigint, number> = new Map();

  constructor(
    private readonly ports: PurchaseCallsPorts,
    private readonly policy: PurchaseCallsPolicy,
  ) {}

  /**
   * Asks the contract how many executions each open order has had. To be called before the
   * submission engine starts, which it never holds up: one round of events, a bounded number of
   * orders, and no rejection. What it has not learnt is read back as an order's first execution.
   * That costs a transaction at most: while the call is on its way the ledger may open the order's
   * next execution beside it, and of the two the contract, which records when it executed last,
   * reverts the one that is not due.
   */
  async learn(): Promise<void> {
    const { follow, logger } = this.ports;
    const contract = { contract: this.policy.contract.address };
    await runIsolated(logger, 'reading the events of orders', contract, () => follow.round());
    await runIsolated(logger, 'reading executions of orders', contract, () => this.#learn());
  }

  async #learn(): Promise<void> {
    const { contract, maxOrders, ordersPerRead } = this.policy;
    const executed = new Map<bigint, number>();
    const snapshot = await this.ports.snapshots.latest(null);
    let after: bigint | null = null;
    for (let asked = 0; asked < maxOrders; asked += ordersPerRead) {
      const ids = await this.ports.book.open(contract.address, after, ordersPerRead);
      const answers = ids.length === 0 ? [] : await this.ports.orders.read(ids, snapshot);
      for (const [index, orderId] of ids.entries()) {
        const felts = answers[index] ?? null;
        const order = felts === null ? 'unreadable' : parseOrder(contract.layout, felts);
        if (order !== 'unreadable') executed.set(orderId, order.executed);
      }
      after = ids.at(-1) ?? null;
      if (ids.length < ordersPerRead || after === null) break;
    }
    this.#executed = executed;
  }

  submissionOf(target: CallTarget, calldata: Felts): ReadSubmission {
    const { chainId, contract, limits, newId } = this.policy;
    const { address, layout } = contract;
    if (target.to !== address || target.entrypoint !== layout.entrypoints.execute) return null;
    const call = readExecution(layout.execution, calldata);
    if (call === null) return null;
    const { orderId, minimumSats } = call;
    // An order that has ended, or is younger than the list, has no execution left to be mixed up.
    const number = Math.max(0, (this.#executed.get(orderId) ?? 0) - 1);
    const effect = `${EXECUTION_KIND}|${orderId}|${number}`;
    return {
      key: executionKey(executionSeries(chainId, address, orderId), number),
      id: newId(),
      effect,
      fingerprint: `${effect}|${minimumSats}`,
      ...executionPurpose(address, orderId, number),
      role: 'keeper',
      target,
      calldata,
      limits,
      terms: null,
      replayProtected: false,
    };
  }
}
