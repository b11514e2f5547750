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
import type { OrderStore } from '../ports/order-store.port.js';
import type { PurchaseOrders } from '../ports/purchase-orders.port.js';
import type { FollowOrders } from './follow-orders.js';

export interface PurchaseCallsPorts {
  readonly orders: Pick<PurchaseOrders, 'read'>;
  readonly snapshots: Snapshots;
  readonly store: Pick<OrderStore, 'open'>;
  readonly follow: Pick<FollowOrders, 'round'>;
  readonly logger: Logger;
}

export interface PurchaseCallsPolicy {
  readonly chainId: Felt;
  readonly contract: PurchaseContract;
  readonly limits: ResourceLimits;
  /** Maximum number of open orders that are read. Suggested value: 2,000. */
  readonly maxOrders: number;
  /** Maximum number of orders per batched read. Suggested value: 100. */
  readonly ordersPerRead: number;
  /** Creates the public id of an attempt. Ids must be unguessable. */
  readonly newId: () => string;
}

type ReadSubmission = ReturnType<CallReader['submissionOf']>;

/**
 * Reads executions of purchase orders back from the chain. A call does not contain the number of
 * its execution, so the reader assigns the number of the last execution that the contract has
 * counted. The counted execution is on chain, so its key is never used for a new attempt. A call
 * that is still in flight is found under this key, and the order's next execution waits for the
 * call's end. If the chain has several calls of an order, the first call gets the outcome; the
 * ledger rejects the other calls.
 */
export class PurchaseCalls implements CallReader {
  #executed: ReadonlyMap<bigint, number> = new Map();

  constructor(
    private readonly ports: PurchaseCallsPorts,
    private readonly policy: PurchaseCallsPolicy,
  ) {}

  /**
   * Reads each open order's number of executions from the contract. Call it before the submission
   * engine starts. The call never blocks the engine: it runs one round of events, reads a limited
   * number of orders, and never rejects.
   *
   * If an order's number is unknown, its call is read back as the first execution. This costs at
   * most one transaction: while the call is in flight, the ledger may create the order's next
   * execution. The contract records the time of its last execution, so it reverts the one of these
   * two calls that is not due.
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
    for (let requested = 0; requested < maxOrders; requested += ordersPerRead) {
      const ids = await this.ports.store.open(contract.address, after, ordersPerRead);
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
    // If the order has ended or is newer than the stored list, this call can't be confused with
    // another execution of the order.
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
