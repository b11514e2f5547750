import type { SkipReason } from '@sotto/facts';
import {
  resumedAt,
  retryVerdict,
  skipped,
  skippedBy,
  skippedFor,
  type KeeperTask,
  type RetryPolicy,
  type TaskStore,
  type TaskGate,
  type TaskReport,
} from '@sotto/keeper-core';
import {
  DomainError,
  publicRevertReason,
  runIsolated,
  type Clock,
  type Felt,
  type Logger,
} from '@sotto/kernel';
import {
  usedFri,
  NodeBehind,
  isLive,
  type CallSimulator,
  type LatestBlock,
  type Attempt,
  type Ledger,
  type ResourceLimits,
  type Snapshot,
  type Snapshots,
  type Submissions,
} from '@sotto/submission-core';
import {
  type FairValues,
  type MarketPrices,
  type PoolToken,
  type SwapRouting,
} from '@sotto/market-core';
import {
  EXECUTION_KIND,
  dueAt,
  executionCalldata,
  executionKey,
  executionPurpose,
  executionSeries,
  feeFri,
  isProfitable,
  isWorth,
  mostAmountOf,
  orderIdOf,
  orderSubject,
} from '../domain/execution.js';
import { judgeOrder, type OrderJudgement } from '../domain/judge-order.js';
import { isEnded, parseOrder, type Order } from '../domain/order.js';
import type { PurchaseContract } from '../domain/order-layout.js';
import { compareRatios, decimalText, type Ratio } from '../domain/ratio.js';
import { LONGEST_WAIT_MS, isForgotten, nextSetback, type Setback } from '../domain/setback.js';
import type { OrderStore } from '../ports/order-store.port.js';
import type { PurchaseOrders } from '../ports/purchase-orders.port.js';
import type { FollowOrders } from './follow-orders.js';
import type { MayerMultiples, WbtcPrices } from './mayer-multiples.js';
import type { RefreshCloses } from './refresh-closes.js';

export interface PurchaseTaskPorts {
  readonly orders: PurchaseOrders;
  readonly snapshots: Snapshots;
  readonly store: OrderStore;
  readonly follow: Pick<FollowOrders, 'round'>;
  readonly closes: Pick<RefreshCloses, 'round'>;
  readonly mayer: MayerMultiples;
  readonly prices: Pick<MarketPrices, 'withTwoPrices'>;
  /** Fair values of ERC-20 tokens. The tokens must include WBTC as a token to buy. */
  readonly fairValues: Pick<FairValues, 'of'>;
  /** Swap routing, which must use the same fair values as this task. */
  readonly routing: Pick<SwapRouting, 'route'>;
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
  readonly submissions: Submissions;
  readonly ledger: Pick<Ledger, 'inclusionOf'>;
  readonly controls: Pick<TaskStore, 'controls'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface PurchaseTaskPolicy {
  readonly chainId: Felt;
  readonly contract: PurchaseContract;
  readonly wbtc: PoolToken;
  /** ERC-20 tokens that orders may sell. Orders that sell other tokens are skipped. */
  readonly sellTokens: readonly PoolToken[];
  /** One of the keeper's accounts. Executions are simulated as transactions of this account. */
  readonly account: Felt;
  /**
   * Pause between the end of one round and the start of the next, in milliseconds. Suggested value:
   * 60,000.
   */
  readonly intervalMs: number;
  /**
   * Maximum number of orders per round. The rounds that follow continue with the remaining orders.
   * Suggested value: 2,000.
   */
  readonly maxOrders: number;
  /** Maximum number of orders per batched read. Suggested value: 100. */
  readonly ordersPerRead: number;
  /**
   * Maximum number of swaps that one round requests from the aggregator. Orders with the highest
   * fees come first. Suggested value: 20.
   */
  readonly maxQuotes: number;
  /**
   * Minimum gas that an execution uses. An order is not quoted if its fee is worth less than this
   * gas. Unit: L2 gas. Suggested value: 3,000,000, the gas of the specification's swap.
   */
  readonly leastL2Gas: bigint;
  /**
   * Maximum amount by which the swap's output may be below its quote, in millionths. Suggested
   * value: 10,000 (1 %).
   */
  readonly slippagePpm: number;
  /**
   * Minimum value of the keeper's fee, in percent of the simulated gas cost. Suggested value: 120.
   * If the value is 0, the keeper also executes at a loss.
   */
  readonly leastFeePercent: number;
  readonly retry: RetryPolicy;
  /** Resource bounds of an execution. A swap of several legs uses 10 to 30 M L2 gas. */
  readonly limits: ResourceLimits;
  /**
   * Maximum time until an execution is sent, in milliseconds. The time is limited because the
   * execution's minimum output comes from current prices. Suggested value: 60,000.
   */
  readonly sendWithinMs: number;
}

const ROLE = 'keeper';
/**
 * Maximum number of reads of one order. The order is read again if its number of executions changed
 * between two reads.
 */
const MAX_POLLS = 3;
/**
 * Number of previous executions whose keys are checked for a transaction of this service that has
 * not ended. Other accounts can execute an order at most once an hour. So a transaction is missed
 * only if it stays in a mempool for eight hours.
 */
const LOOKBACK = 8;
/**
 * Tolerance between this process's clock and the chain's clock, in milliseconds. An order that is
 * due within the tolerance is checked on chain.
 */
const CLOCK_SLACK_MS = 60_000;
const MS_PER_SECOND = 1_000n;
const OPEN_PAGE = 500;
const SHOWN_PLACES = 6;
const FRI_PER_STRK = 10n ** 18n;

/**
 * Maximum wait after a quote if an error or the budget prevented the submission, in milliseconds.
 * The wait is short because the error or the budget may change soon.
 */
const LONGEST_WAIT_FOR_OTHERS_MS = 600_000;
/** Skip reasons that become known only after a swap was quoted. */
const OF_QUOTES: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'UNPROFITABLE',
  'NO_QUOTES',
  'PRICE_IMPACT_TOO_HIGH',
  'SIMULATION_REVERTED',
]);

/** A purchase order and the block at which it was read. */
interface SeenOrder {
  readonly snapshot: Snapshot;
  readonly order: Order | 'unreadable' | null;
}

/** Data of an order from the last batched read. */
interface Hint {
  readonly order: Order | 'unreadable' | null;
  /** Highest possible fee of the order's next execution; null if prices are unknown. */
  readonly mostFee: Ratio | null;
}

/**
 * Executes recurring purchases that are due, once per due time. The key of an execution contains
 * the number of executions that the contract itself has counted, so the task itself stores no
 * count. The n-th execution is planned from a block at which the contract has counted n executions,
 * and the ledger accepts the key once.
 *
 * The contract enforces the order's frequency since its last recorded execution. So the calls of
 * two keepers can't both succeed, not even if the keepers have separate ledgers.
 */
export class PurchaseTask implements KeeperTask {
  /** Kinds of the submissions that this task sends. */
  static readonly kinds: readonly string[] = [EXECUTION_KIND];

  readonly name = 'purchases';
  readonly kinds = PurchaseTask.kinds;
  readonly #hints = new Map<bigint, Hint>();
  /**
   * Setbacks of orders: a swap was quoted but not submitted. Each setback remains stored until long
   * after its wait has ended.
   */
  readonly #setbacks = new Map<bigint, Setback>();
  /**
   * Cost of the minimum gas of an execution, in fri; 0 if this round could not determine the cost.
   */
  #leastCostFri = 0n;
  #quotesLeft: number;
  /** Last order of a partial round; null if the next round starts with the first order. */
  #served: bigint | null = null;

  constructor(
    private readonly ports: PurchaseTaskPorts,
    private readonly policy: PurchaseTaskPolicy,
  ) {
    this.#quotesLeft = policy.maxQuotes;
  }

  get intervalMs(): number {
    return this.policy.intervalMs;
  }

  /**
   * Returns the open orders, those with the highest fees first, because the number of quotes is
   * limited. First reads new events, closes and orders. If a node or a source is unavailable, this
   * is logged.
   */
  async subjects(): Promise<readonly string[]> {
    const { logger, follow, closes } = this.ports;
    const task = { task: this.name };
    await runIsolated(logger, 'reading the events of orders', task, () => follow.round());
    await runIsolated(logger, 'reading daily closes', task, async () => {
      for (const { source, failure } of await closes.round())
        if (failure !== null)
          logger.warn({ ...task, source, error: failure }, 'a source of daily closes failed');
    });
    const orderIds = await this.#openOrders();
    this.#hints.clear();
    this.#quotesLeft = this.policy.maxQuotes;
    this.#forgetSetbacks();
    await runIsolated(logger, 'reading open orders', task, () => this.#inspect(orderIds));
    await runIsolated(logger, 'valuing open orders', task, () => this.#value());
    return this.#byFee(orderIds).map(orderSubject);
  }

  async attend(subject: string, gate: TaskGate, _signal: AbortSignal): Promise<TaskReport> {
    const orderId = orderIdOf(subject);
    if (orderId === null) return skipped('ORDER_ENDED');
    const hint = this.#hints.get(orderId);
    try {
      return (await this.#waits(orderId, hint)) ?? (await this.#attend(orderId, hint, gate));
    } catch (error) {
      return skippedFor(error, this.ports.clock.nowMs());
    }
  }

  async #attend(orderId: bigint, hint: Hint | undefined, gate: TaskGate): Promise<TaskReport> {
    // Check the ledger before the order. While the ledger is behind its chain, an execution that
    // seems due may already be on chain.
    const rejection = await this.ports.submissions.checkQueueCapacity(ROLE);
    if (rejection !== null) throw rejection;
    const { snapshot, order } = await this.#see(orderId, executedOf(hint?.order ?? null));
    const judged = await this.#judge(order, snapshot);
    if (judged.kind !== 'execute') return this.#notNow(orderId, order, judged);
    const report = await this.#heldBack(orderId, judged.order.executed);
    return report ?? this.#quoted(orderId, judged, gate);
  }

  /**
   * Executes an order. If a swap was quoted but not submitted, the order is not quoted again until
   * a wait has passed. Each consecutive failure doubles the wait.
   */
  async #quoted(
    orderId: bigint,
    judged: Extract<OrderJudgement, { kind: 'execute' }>,
    gate: TaskGate,
  ): Promise<TaskReport> {
    const { executed } = judged.order;
    const nowMs = this.ports.clock.nowMs();
    const quotesBefore = this.#quotesLeft;
    const setBack = (report: Setback['report']): TaskReport => {
      const before = this.#setbacks.get(orderId) ?? null;
      const longestMs = OF_QUOTES.has(report.reason) ? LONGEST_WAIT_MS : LONGEST_WAIT_FOR_OTHERS_MS;
      const setback = nextSetback(before, { executed, report }, this.intervalMs, longestMs, nowMs);
      this.#setbacks.set(orderId, setback);
      return setback.report;
    };
    try {
      const report = await this.#execute(orderId, judged, gate);
      if (report.outcome === 'acted') this.#setbacks.delete(orderId);
      else if (OF_QUOTES.has(report.reason) || report.reason === 'BUDGET_EXHAUSTED')
        return setBack(report);
      return report;
    } catch (error) {
      if (this.#quotesLeft === quotesBefore) throw error;
      const report =
        error instanceof DomainError ? skippedBy(error, nowMs) : skipped('LOOK_FAILED');
      const standing = setBack(report);
      if (OF_QUOTES.has(report.reason)) return standing;
      // The error is logged for this check. The setback's report remains until the wait is over.
      throw error;
    }
  }

  /**
   * Returns the report of an order that is not due for a while, is not worth its gas, or waits
   * after a quote. The report needs only the last batched read and no additional request. Returns
   * null for all other orders.
   */
  async #waits(orderId: bigint, hint: Hint | undefined): Promise<TaskReport | null> {
    const order = hint?.order ?? null;
    if (order === null || order === 'unreadable' || isEnded(order)) return null;
    const dueAtMs = Number(dueAt(order) * MS_PER_SECOND);
    if (this.ports.clock.nowMs() + CLOCK_SLACK_MS < dueAtMs)
      return this.#notDue(orderId, order, dueAtMs);
    const { executed } = order;
    const mostFee = hint?.mostFee ?? null;
    if (mostFee !== null && !isWorth(mostFee, this.#leastCostFri, this.policy.leastFeePercent))
      return skipped('UNPROFITABLE', { executed, feeStrk: feeText(mostFee) });
    const setback = this.#setbacks.get(orderId);
    return setback?.executed === executed && this.ports.clock.nowMs() < setback.untilMs
      ? setback.report
      : null;
  }

  /**
   * Reads the order at the newest block. If the ledger has the order's previous execution, the
   * block must contain this execution.
   * @throws NodeBehind if the node returns older blocks
   */
  async #see(orderId: bigint, expected: number): Promise<SeenOrder> {
    const { snapshots, orders, submissions, ledger } = this.ports;
    const series = this.#series(orderId);
    let executed = expected;
    for (let poll = 0; poll < MAX_POLLS; poll += 1) {
      const before =
        executed === 0 ? null : await submissions.last(executionKey(series, executed - 1));
      const after = before?.state === 'succeeded' ? await ledger.inclusionOf(before) : null;
      const snapshot = await snapshots.latest(after);
      const [felts] = await orders.read([orderId], snapshot);
      const order = felts ? parseOrder(this.policy.contract.layout, felts) : null;
      if (order === null || order === 'unreadable' || order.executed === executed)
        return { snapshot, order };
      executed = order.executed;
    }
    throw new NodeBehind();
  }

  async #judge(order: SeenOrder['order'], snapshot: Snapshot): Promise<OrderJudgement> {
    const facts = { order, blockTime: snapshot.timestamp };
    const judged = judgeOrder({ ...facts, mayer: null });
    if (judged.kind !== 'needs_mayer') return judged;
    const { mayer } = this.ports;
    const contracts = await mayer.contracts(snapshot);
    if (mayer.sources < 2)
      return judgeOrder({ ...facts, mayer: { sources: mayer.sources, ours: null, contracts } });
    const [mean, prices] = await Promise.all([mayer.mean(snapshot), mayer.prices()]);
    const ours = mayer.ours(mean, prices);
    return judgeOrder({ ...facts, mayer: { sources: mayer.sources, ours, contracts } });
  }

  async #notNow(
    orderId: bigint,
    order: SeenOrder['order'],
    judged: Exclude<OrderJudgement, { kind: 'execute' }>,
  ): Promise<TaskReport> {
    if (judged.kind === 'needs_mayer') throw new Error('the Mayer Multiple was not read');
    const { reason, details, dueAtMs } = judged;
    if (reason !== 'NOT_DUE' || dueAtMs === null || order === null || order === 'unreadable')
      return skipped(reason, details, dueAtMs);
    return this.#notDue(orderId, order, dueAtMs);
  }

  /**
   * Returns the report of an order that is not due. The report is `EXECUTED_BY_ANOTHER` if this
   * keeper tried the order's last execution but another keeper executed it.
   */
  async #notDue(orderId: bigint, { executed }: Order, dueAtMs: number): Promise<TaskReport> {
    const before =
      executed === 0 ? null : await this.#last(executionKey(this.#series(orderId), executed - 1));
    if (before !== null && isLive(before.state)) return inFlight(before);
    const isAnothers = before !== null && before.state !== 'succeeded';
    return skipped(isAnothers ? 'EXECUTED_BY_ANOTHER' : 'NOT_DUE', { executed }, dueAtMs);
  }

  /**
   * Returns the report that forbids this execution now because of the ledger; null if the ledger
   * allows it.
   * @throws NodeBehind if the execution has succeeded already
   */
  async #heldBack(orderId: bigint, executed: number): Promise<TaskReport | null> {
    const series = this.#series(orderId);
    const count = Math.min(executed, LOOKBACK) + 1;
    const [resumedAtMs, last, ...before] = await Promise.all([
      resumedAt(this.ports.controls, this.name, orderSubject(orderId)),
      ...Array.from({ length: count }, (_, back) =>
        this.#last(executionKey(series, executed - back)),
      ),
    ]);
    // If other keepers have executed the order since, an old execution of this service may still be
    // included in a block, as this execution.
    for (const attempt of [last, ...before])
      if (attempt && isLive(attempt.state)) return inFlight(attempt);
    // The execution is on chain, so the contract's count was read from an earlier block.
    if (last?.state === 'succeeded') throw new NodeBehind();
    const verdict = retryVerdict(
      last ?? null,
      this.policy.retry,
      resumedAtMs,
      this.ports.clock.nowMs(),
    );
    return verdict === null ? null : skipped(verdict.reason, { executed }, verdict.dueAtMs);
  }

  async #execute(
    orderId: bigint,
    { order, amount, band }: Extract<OrderJudgement, { kind: 'execute' }>,
    gate: TaskGate,
  ): Promise<TaskReport> {
    const { contract, wbtc, account, limits, sendWithinMs } = this.policy;
    const sellToken = await this.#pricedToken(order.sellToken);
    if (sellToken === null) return skipped('TOKEN_UNPRICED', { token: order.sellToken });
    const prices = await this.ports.mayer.prices();
    if (this.#quotesLeft === 0) return skipped('ROUND_FULL', { executed: order.executed });
    this.#quotesLeft -= 1;
    const { minimumOut: minimumSats, routes } = await this.ports.routing.route({
      sellToken,
      sellAmount: amount,
      buyToken: wbtc.address,
      taker: contract.address,
      slippagePpm: this.policy.slippagePpm,
      pinnedFloor: null,
    });
    const target = { to: contract.address, entrypoint: contract.layout.entrypoints.execute };
    const recipe = contract.layout.execution;
    const calldata = executionCalldata(recipe, { orderId, minimumSats, routes });
    const [result, gasPrices] = await Promise.all([
      this.ports.simulator.simulate({ ...target, calldata }, account),
      this.ports.latestBlock.gasPrices(),
    ]);
    if (!result.ok) return this.#reverted(orderId, order.executed, result.reason);
    const costFri = result.gas === undefined ? 0n : usedFri(result.gas, gasPrices);
    const earned = { minimumSats, keeperFeeBps: contract.keeperFeeBps, prices };
    const details = {
      executed: order.executed,
      amount: amount.toString(),
      minimumSats: minimumSats.toString(),
      ...(band === null ? {} : { band }),
      feeStrk: feeText(feeFri(earned)),
      costStrk: strkText(costFri),
    };
    // If the cost is unknown, the execution is treated as unprofitable.
    if (
      result.gas === undefined ||
      !isProfitable({ ...earned, costFri, leastFeePercent: this.policy.leastFeePercent })
    )
      return skipped('UNPROFITABLE', details);
    const rejection = await gate.admit(costFri);
    if (rejection !== null) return skipped(rejection, details);

    const purpose = executionPurpose(contract.address, orderId, order.executed);
    const effect = `${EXECUTION_KIND}|${orderId}|${order.executed}`;
    const { attempt } = await this.ports.submissions.submit({
      key: executionKey(this.#series(orderId), order.executed),
      effect,
      fingerprint: `${effect}|${minimumSats}`,
      ...purpose,
      role: ROLE,
      target,
      calldata,
      limits,
      terms: termsOf(minimumSats, prices, costFri, this.policy),
      // The contract does not know execution numbers. So a call that is included late is executed
      // as the order's next execution.
      replayProtected: false,
      sendWithinMs,
    });
    return { outcome: 'acted', submissionId: attempt.id, details };
  }

  /**
   * Returns the sold ERC-20 token; null if orders may not sell it, or if fewer than two sources
   * have its price.
   */
  async #pricedToken(address: Felt): Promise<PoolToken | null> {
    const token = this.policy.sellTokens.find((candidate) => candidate.address === address);
    if (token === undefined) return null;
    const priced = await this.ports.prices.withTwoPrices([token.symbol]);
    return priced.has(token.symbol) ? token : null;
  }

  /**
   * Returns the report of a reverted simulation. Reads the order again, because another keeper may
   * have executed it.
   */
  async #reverted(orderId: bigint, executed: number, reason: string): Promise<TaskReport> {
    const { order } = await this.#see(orderId, executed);
    if (order !== null && order !== 'unreadable') {
      if (order.executed > executed)
        return skipped('EXECUTED_BY_ANOTHER', {}, Number(dueAt(order) * MS_PER_SECOND));
      if (isEnded(order)) return skipped('ORDER_ENDED');
    }
    return skipped('SIMULATION_REVERTED', { reason: publicRevertReason(reason) });
  }

  /**
   * Returns the next open orders in rotation. Otherwise many worthless orders could prevent the
   * check of the orders after them.
   */
  async #openOrders(): Promise<readonly bigint[]> {
    const { maxOrders } = this.policy;
    const begun = this.#served;
    const found = [...(await this.#ordersAfter(begun, maxOrders))];
    if (found.length < maxOrders && begun !== null) {
      const first = await this.#ordersAfter(null, maxOrders - found.length);
      found.push(...first.filter((orderId) => orderId <= begun));
    }
    this.#served = found.length < maxOrders ? null : (found.at(-1) ?? null);
    return found;
  }

  async #ordersAfter(after: bigint | null, count: number): Promise<readonly bigint[]> {
    const found: bigint[] = [];
    while (found.length < count) {
      const limit = Math.min(OPEN_PAGE, count - found.length);
      const { address } = this.policy.contract;
      const page = await this.ports.store.open(address, found.at(-1) ?? after, limit);
      found.push(...page);
      if (page.length < limit) break;
    }
    return found;
  }

  /** Reads all given orders at one block, so orders that wait need no separate read. */
  async #inspect(orderIds: readonly bigint[]): Promise<void> {
    const { contract, ordersPerRead } = this.policy;
    if (orderIds.length === 0) return;
    const snapshot = await this.ports.snapshots.latest(null);
    for (let from = 0; from < orderIds.length; from += ordersPerRead) {
      const ids = orderIds.slice(from, from + ordersPerRead);
      const answers = await this.ports.orders.read(ids, snapshot);
      for (const [index, orderId] of ids.entries()) {
        const felts = answers[index] ?? null;
        const order = felts === null ? null : parseOrder(contract.layout, felts);
        this.#hints.set(orderId, { order, mostFee: null });
      }
    }
  }

  /** Computes the highest possible fee of each order's next execution, at fair value. */
  async #value(): Promise<void> {
    const { mayer, latestBlock } = this.ports;
    this.#leastCostFri = 0n;
    if (this.#hints.size === 0) return;
    const prices = await mayer.prices();
    const values = await this.#fairValues();
    for (const [orderId, { order }] of this.#hints) {
      if (order === null || order === 'unreadable') continue;
      const value = values.get(order.sellToken);
      if (value === undefined) continue;
      const minimumSats = (mostAmountOf(order) * value.numerator) / value.denominator;
      const { keeperFeeBps } = this.policy.contract;
      const mostFee = feeFri({ minimumSats, keeperFeeBps, prices });
      this.#hints.set(orderId, { order, mostFee });
    }
    const gas = { l2Gas: this.policy.leastL2Gas, l1Gas: 0n, l1DataGas: 0n };
    this.#leastCostFri = usedFri(gas, await latestBlock.gasPrices());
  }

  /** Returns the value of the smallest unit of each priced token, in sats. */
  async #fairValues(): Promise<ReadonlyMap<Felt, Ratio>> {
    const { sellTokens, wbtc } = this.policy;
    const values = new Map<Felt, Ratio>();
    for (const token of sellTokens)
      if ((await this.#pricedToken(token.address)) !== null)
        values.set(token.address, await this.ports.fairValues.of(token, 1n, wbtc.address));
    return values;
  }

  #byFee(orderIds: readonly bigint[]): readonly bigint[] {
    const none: Ratio = { numerator: 0n, denominator: 1n };
    const feeOf = (orderId: bigint): Ratio => this.#hints.get(orderId)?.mostFee ?? none;
    return orderIds.toSorted((a, b) => compareRatios(feeOf(b), feeOf(a)));
  }

  #forgetSetbacks(): void {
    const nowMs = this.ports.clock.nowMs();
    for (const [orderId, setback] of this.#setbacks)
      if (isForgotten(setback, nowMs)) this.#setbacks.delete(orderId);
  }

  #last(key: string): Promise<Attempt | null> {
    return this.ports.submissions.last(key);
  }

  #series(orderId: bigint): string {
    return executionSeries(this.policy.chainId, this.policy.contract.address, orderId);
  }
}

function executedOf(order: SeenOrder['order']): number {
  return order === null || order === 'unreadable' ? 0 : order.executed;
}

function inFlight({ id }: Attempt): TaskReport {
  return skipped('IN_FLIGHT', { submissionId: id });
}

function feeText({ numerator, denominator }: Ratio): string {
  return strkText(numerator / denominator);
}

function strkText(fri: bigint): string {
  return decimalText({ numerator: fri, denominator: FRI_PER_STRK }, SHOWN_PLACES);
}

/**
 * Returns the terms that are stored with the execution for accounting: its minimum fee, at current
 * prices.
 */
function termsOf(
  minimumSats: bigint,
  prices: WbtcPrices,
  costFri: bigint,
  { contract, wbtc }: Pick<PurchaseTaskPolicy, 'contract' | 'wbtc'>,
) {
  const [first] = prices;
  if (first === undefined) return null;
  return {
    feeAmount: (minimumSats * BigInt(contract.keeperFeeBps)) / 10_000n,
    feeToken: wbtc.address,
    costFri,
    strkUsdE8: first.strkUsdE8,
    feeTokenUsdE8: first.wbtcUsdE8,
  };
}
