import {
  RepeatedTask,
  skipped,
  TRANSFER_LIMITS,
  transferCall,
  type KeeperTask,
  type RetryPolicy,
  type TaskGate,
  type TaskReport,
  type Balances,
  type RepeatedTaskPorts,
  type TaskTurn,
} from '@sotto/keeper-core';
import type { Felt } from '@sotto/kernel';
import type { LaneRole, ResourceLimits } from '@sotto/submission-core';
import { LaneNotFound } from '../../status/application/control-lanes.js';
import { TOP_UP, topUp, topUpPurpose, topUpSeries, type FundingLevels } from '../domain/top-up.js';
import type { TopUpStore } from '../ports/top-up-store.port.js';

/** Roles whose lanes the treasury tops up. The treasury does not pay itself. */
export type FundedRole = Exclude<LaneRole, 'treasury'>;

/** Lane account that the treasury tops up. */
export interface FundedLane {
  /** Public name of the lane, such as `relay-0`. */
  readonly name: string;
  readonly address: Felt;
  readonly levels: FundingLevels;
}

export interface TopUpPolicy {
  readonly chainId: Felt;
  /** Address of STRK, which pays for gas. */
  readonly strk: Felt;
  /** Address of the only account with the role `treasury`. */
  readonly treasury: Felt;
  /** Lanes to top up, without the treasury's account. Created by {@link fundedLanes}. */
  readonly lanes: readonly FundedLane[];
  /**
   * Maximum amount that all lanes together receive within 24 hours, in fri. Recommended: the amount
   * of STRK that the lanes spend in a few days.
   */
  readonly maxPerDayFri: bigint;
  /** Amount that remains in the treasury for its own transactions, in fri. Recommended: 5 STRK. */
  readonly reserveFri: bigint;
  /** Resource bounds of a top-up. @default {@link TRANSFER_LIMITS} */
  readonly limits?: ResourceLimits;
  readonly retry: RetryPolicy;
  /**
   * Milliseconds between the end of one run of the task and the start of the next. Recommended:
   * 60,000.
   */
  readonly intervalMs: number;
}

export interface TopUpPorts extends RepeatedTaskPorts {
  readonly balances: Balances;
  readonly topUps: TopUpStore;
}

const DAY_MS = 86_400_000;

/**
 * Returns the lanes of every role that has funding levels. A lane's name consists of its role and
 * index.
 */
export function fundedLanes(
  lanes: readonly { readonly address: Felt; readonly role: LaneRole }[],
  levels: ReadonlyMap<FundedRole, FundingLevels>,
): readonly FundedLane[] {
  return [...levels].flatMap(([role, ofRole]) =>
    lanes
      .filter((lane) => lane.role === role)
      .map(({ address }, index) => ({ name: `${role}-${index}`, address, levels: ofRole })),
  );
}

/**
 * Tops up lane accounts whose STRK balance is below their floor. The daily maximum is checked
 * against the ledger's rows. If several keeper processes handle different lanes at the same time,
 * each process may exceed the daily maximum by one transfer.
 */
export class TopUpLanes implements KeeperTask {
  /** Kinds of the submissions that this task makes. */
  static readonly kinds: readonly string[] = [TOP_UP];

  readonly name = 'treasury';
  readonly kinds = TopUpLanes.kinds;
  readonly intervalMs: number;
  readonly #series: RepeatedTask;

  constructor(
    private readonly ports: TopUpPorts,
    private readonly policy: TopUpPolicy,
  ) {
    const { intervalMs, treasury: account, retry } = policy;
    this.intervalMs = intervalMs;
    this.#series = new RepeatedTask(this.name, ports, { role: 'treasury', account, retry });
  }

  async subjects(): Promise<readonly string[]> {
    return this.policy.lanes.map(({ name }) => name);
  }

  /**
   * @throws LaneNotFound for an unknown subject, or the error of a failed read; in these cases the
   *   task has submitted nothing
   */
  async attend(subject: string, gate: TaskGate): Promise<TaskReport> {
    const lane = this.policy.lanes.find(({ name }) => name === subject);
    if (lane === undefined) throw new LaneNotFound();
    const turn = await this.#series.turn(subject, topUpSeries(this.policy.chainId, lane.address));
    return 'outcome' in turn ? turn : this.#pay(lane, turn, gate);
  }

  async #pay({ address, levels }: FundedLane, turn: TaskTurn, gate: TaskGate): Promise<TaskReport> {
    const { strk, treasury, maxPerDayFri, reserveFri, limits = TRANSFER_LIMITS } = this.policy;
    const { balances, topUps, clock } = this.ports;
    const [balanceFri, treasuryFri, paid] = await Promise.all([
      balances.of(strk, address, turn.at),
      balances.of(strk, treasury, turn.at),
      topUps.since(clock.nowMs() - DAY_MS),
    ]);
    const decision = topUp({
      levels,
      balanceFri,
      treasuryFri,
      reserveFri,
      onItsWayFri: sumOf(paid.filter(({ isLive }) => isLive)),
      paidFri: sumOf(paid),
      maxPerDayFri,
    });
    if (!decision.due)
      return skipped(decision.reason, {
        balanceFri: String(balanceFri),
        treasuryFri: String(treasuryFri),
      });
    const { amountFri } = decision;
    const call = { ...topUpPurpose(address, amountFri), ...transferCall(strk, address, amountFri) };
    return this.#series.submit(turn, { ...call, limits }, gate);
  }
}

function sumOf(paid: readonly { readonly amountFri: bigint }[]): bigint {
  return paid.reduce((sum, { amountFri }) => sum + amountFri, 0n);
}
