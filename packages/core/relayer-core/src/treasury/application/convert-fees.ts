import {
  attemptsSince,
  RepeatedTask,
  skipped,
  skippedFor,
  TRANSFER_LIMITS,
  type KeeperTask,
  type RetryPolicy,
  type TaskGate,
  type TaskReport,
  type Balances,
  type RepeatedTaskPorts,
  type TaskTurn,
} from '@sotto/keeper-core';
import type { Felt } from '@sotto/kernel';
import type { ResourceLimits, Submissions } from '@sotto/submission-core';
import {
  OutputTokenNotSupported,
  type PoolToken,
  type RoutedSwap,
  type SwapRouting,
} from '@sotto/market-core';
import {
  APPROVE_FEES,
  SWAP_FEES,
  approvalOf,
  approvalPurpose,
  conversionPurpose,
  conversionSeries,
  feesToSell,
  type FeeApproval,
} from '../domain/fee-conversion.js';

/**
 * The specification's swap takes 3 M L2 gas; routes of several legs and branches take some times as
 * much. What is not used is not charged. L1 as for withdrawals.
 */
export const FEE_SWAP_LIMITS: ResourceLimits = {
  l2Gas: 60_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

const DAY_MS = 86_400_000;

/** A token that fees are earned in. */
export interface ConvertedToken {
  readonly token: PoolToken;
  /** What stays in the account, in the token's smallest unit. */
  readonly reserve: bigint;
  /** Less than this above the reserve is not sold; some hundred times a swap's gas serves. */
  readonly leastSold: bigint;
  /** The most that one swap sells; at least `leastSold`. */
  readonly mostSold: bigint;
  /** The most that is sold within 24 hours; at least `leastSold`. */
  readonly mostPerDay: bigint;
}

export interface FeeConversionPolicy {
  readonly chainId: Felt;
  /** The token that gas is paid in: fees are swapped into it. */
  readonly strk: Felt;
  /** The one account of the role `treasury`, which must be the address that fees are paid to. */
  readonly treasury: Felt;
  readonly tokens: readonly ConvertedToken[];
  /** How far below its quote a swap may end, in millionths; 10,000 serve. */
  readonly slippagePpm: number;
  /** How long after it is accepted a swap may be sent, in milliseconds; 60,000 serve. */
  readonly sendWithinMs: number;
  /** @default {@link FEE_SWAP_LIMITS} */
  readonly limits?: ResourceLimits;
  readonly retry: RetryPolicy;
  /** From the end of one look to the next, in milliseconds; 600,000 serve. */
  readonly intervalMs: number;
}

export interface FeeConversionPorts extends RepeatedTaskPorts {
  readonly submissions: RepeatedTaskPorts['submissions'] & Pick<Submissions, 'last'>;
  readonly balances: Balances;
  /** Over fair values that have STRK among their output tokens. */
  readonly routing: Pick<SwapRouting, 'route'>;
}

/**
 * Swaps fees above a reserve to STRK, at no less than their fair value less the largest impact. A
 * submission carries one call, and a swap needs two: each number of a token's series is either the
 * approval that its swap needs, or the swap (docs/adr/0027-fees-are-swapped-in-two-submissions.md).
 */
export class ConvertFees implements KeeperTask {
  /** Of its submissions. */
  static readonly kinds: readonly string[] = [APPROVE_FEES, SWAP_FEES];

  readonly name = 'treasury';
  readonly kinds = ConvertFees.kinds;
  readonly intervalMs: number;
  readonly #series: RepeatedTask;

  constructor(
    private readonly ports: FeeConversionPorts,
    private readonly policy: FeeConversionPolicy,
  ) {
    const { intervalMs, treasury: account, retry } = policy;
    this.intervalMs = intervalMs;
    this.#series = new RepeatedTask(this.name, ports, { role: 'treasury', account, retry });
  }

  async subjects(): Promise<readonly string[]> {
    return this.policy.tokens.map(({ token }) => feesSubject(token));
  }

  /**
   * @throws OutputTokenNotSupported for another subject, or the error of a read; nothing was
   *   submitted then.
   */
  async attend(subject: string, gate: TaskGate): Promise<TaskReport> {
    const converted = this.policy.tokens.find(({ token }) => feesSubject(token) === subject);
    if (converted === undefined) throw new OutputTokenNotSupported();
    const series = conversionSeries(this.policy.chainId, converted.token.address);
    const turn = await this.#series.turn(subject, series);
    return 'outcome' in turn ? turn : this.#convert(converted, series, turn, gate);
  }

  async #convert(
    { token, mostPerDay, ...bounds }: ConvertedToken,
    series: string,
    turn: TaskTurn,
    gate: TaskGate,
  ): Promise<TaskReport> {
    const [approval, balance] = await Promise.all([
      this.#approvalBefore(series, turn.next.number),
      this.ports.balances.of(token.address, this.policy.treasury, turn.at),
    ]);
    const fees = { ...bounds, balance, approved: approval?.amount ?? null };
    if (feesToSell(fees) === 0n) return skipped('BELOW_THRESHOLD', { balance: String(balance) });
    const sold = await this.#soldToday(series, turn.next.number);
    const leftOfDay = mostPerDay - sold;
    if (leftOfDay < bounds.leastSold) return skipped('DAILY_LIMIT', { sold: String(sold) });
    const mostSold = leftOfDay < bounds.mostSold ? leftOfDay : bounds.mostSold;
    const amount = feesToSell({ ...fees, mostSold });
    const swap = await this.#route(token, amount);
    if ('outcome' in swap) return swap;
    return this.#series.submit(turn, this.#callOf(token, amount, swap, approval), gate);
  }

  /** The approval that the series has come to, if the submission before was one. */
  async #approvalBefore(series: string, number: number): Promise<FeeApproval | null> {
    const before =
      number === 0 ? null : await this.ports.submissions.last(`${series}|${number - 1}`);
    return before?.state === 'succeeded' ? approvalOf(before) : null;
  }

  /** Amount sold by swaps of the last 24 hours. */
  async #soldToday(series: string, next: number): Promise<bigint> {
    const { submissions, clock } = this.ports;
    const ended = await attemptsSince(submissions, { series, next }, clock.nowMs() - DAY_MS);
    return ended
      .filter(({ kind }) => kind === SWAP_FEES)
      .reduce((sum, { memo }) => sum + BigInt(memo ?? 0), 0n);
  }

  async #route(sellToken: PoolToken, sellAmount: bigint): Promise<RoutedSwap | TaskReport> {
    const { strk, treasury, slippagePpm } = this.policy;
    try {
      return await this.ports.routing.route({
        sellToken,
        sellAmount,
        buyToken: strk,
        taker: treasury,
        slippagePpm,
        pinnedFloor: null,
      });
    } catch (error) {
      return skippedFor(error, this.ports.clock.nowMs());
    }
  }

  /** The swap where its router is approved for the amount, else the approval, each as built. */
  #callOf(
    { address }: PoolToken,
    amount: bigint,
    { calls: { approval, swap } }: RoutedSwap,
    approved: FeeApproval | null,
  ) {
    const { limits = FEE_SWAP_LIMITS, sendWithinMs } = this.policy;
    const isApproved =
      approved !== null && approved.router === swap.to && approved.amount >= amount;
    const { to, entrypoint, calldata } = isApproved ? swap : approval;
    const call = { target: { to, entrypoint }, calldata, sendWithinMs };
    return isApproved
      ? { ...call, ...conversionPurpose(address, amount), limits }
      : { ...call, ...approvalPurpose(swap.to, amount), limits: TRANSFER_LIMITS };
  }
}

/** Public name of the fees in a token, as the task's subject. */
export function feesSubject({ symbol }: Pick<PoolToken, 'symbol'>): string {
  return `fees:${symbol}`;
}
