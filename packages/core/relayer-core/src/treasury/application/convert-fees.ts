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
 * Resource bounds of a fee swap. The swap in the specification uses 3 million L2 gas; routes with
 * several legs and branches use a multiple of this. Unused gas is not charged. The bounds for L1
 * gas and L1 data gas equal the bounds of a withdrawal.
 */
export const FEE_SWAP_LIMITS: ResourceLimits = {
  l2Gas: 60_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

const DAY_MS = 86_400_000;

/** Token in which fees are earned, with the limits for swaps of these fees to STRK. */
export interface ConvertedToken {
  readonly token: PoolToken;
  /**
   * Amount that is never swapped and remains in the treasury's account, in the token's smallest
   * unit.
   */
  readonly reserve: bigint;
  /**
   * Smallest amount above the reserve that is worth a swap. Recommended: some hundred times the
   * cost of a swap's gas.
   */
  readonly leastSold: bigint;
  /** Maximum amount that one swap sells; at least `leastSold`. */
  readonly mostSold: bigint;
  /** Maximum amount that all swaps sell within 24 hours; at least `leastSold`. */
  readonly mostPerDay: bigint;
}

export interface FeeConversionPolicy {
  readonly chainId: Felt;
  /** Address of STRK, which pays for gas. Fees are swapped to STRK. */
  readonly strk: Felt;
  /** Address of the only account with the role `treasury`. Fees must be paid to this address. */
  readonly treasury: Felt;
  readonly tokens: readonly ConvertedToken[];
  /**
   * Slippage tolerance: maximum distance of the minimum output below its quote, in millionths.
   * Recommended: 10,000.
   */
  readonly slippagePpm: number;
  /**
   * Maximum milliseconds between the acceptance and the broadcast of a swap. Recommended: 60,000.
   */
  readonly sendWithinMs: number;
  /** Resource bounds of a swap or approval. @default {@link FEE_SWAP_LIMITS} */
  readonly limits?: ResourceLimits;
  readonly retry: RetryPolicy;
  /**
   * Milliseconds between the end of one run of the task and the start of the next. Recommended:
   * 600,000.
   */
  readonly intervalMs: number;
}

export interface FeeConversionPorts extends RepeatedTaskPorts {
  readonly submissions: RepeatedTaskPorts['submissions'] & Pick<Submissions, 'last'>;
  readonly balances: Balances;
  /** Routing of swaps, whose fair values must include STRK as an output token. */
  readonly routing: Pick<SwapRouting, 'route'>;
}

/**
 * Swaps fees above a reserve to STRK. The minimum output is the fair value minus the maximum price
 * impact. A submission contains a single call, but a swap needs two calls. So each numbered
 * submission of a token's series is either an approval, or the swap that uses the approval
 * (docs/adr/0027-fees-are-swapped-in-two-submissions.md).
 */
export class ConvertFees implements KeeperTask {
  /** Kinds of the submissions that this task makes. */
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
   * @throws OutputTokenNotSupported for an unknown subject, or the error of a failed read; in these
   *   cases the task has submitted nothing
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

  /**
   * Returns the approval if the previous submission of the series was a successful approval; null
   * otherwise.
   */
  async #approvalBefore(series: string, number: number): Promise<FeeApproval | null> {
    const before =
      number === 0 ? null : await this.ports.submissions.last(`${series}|${number - 1}`);
    return before?.state === 'succeeded' ? approvalOf(before) : null;
  }

  /** Returns the amount sold by swaps in the last 24 hours. */
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

  /**
   * Returns the call of the swap if its router is approved for the amount. Otherwise returns the
   * call of the approval. The router builds both calls.
   */
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

/** Returns the public name of the fees in a token. The task uses this name as a subject. */
export function feesSubject({ symbol }: Pick<PoolToken, 'symbol'>): string {
  return `fees:${symbol}`;
}
