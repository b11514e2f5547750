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
import type { TopUpBook } from '../ports/top-up-book.port.js';

/** Roles whose lanes are topped up. The treasury does not pay itself. */
export type FundedRole = Exclude<LaneRole, 'treasury'>;

/** Account that is topped up. */
export interface FundedLane {
  /** Public name of the lane, such as `relay-0`. */
  readonly name: string;
  readonly address: Felt;
  readonly levels: FundingLevels;
}

export interface TopUpPolicy {
  readonly chainId: Felt;
  /** Token that pays for gas. */
  readonly strk: Felt;
  /** Only account of the role `treasury`. */
  readonly treasury: Felt;
  /** Lanes to top up, without the treasury's account. Created by {@link fundedLanes}. */
  readonly lanes: readonly FundedLane[];
  /**
   * Maximum amount for all lanes together within 24 hours, in fri. Recommended: the use of some
   * days.
   */
  readonly maxPerDayFri: bigint;
  /** Amount that the treasury keeps to pay for its transactions, in fri. Recommended: 5 STRK. */
  readonly reserveFri: bigint;
  /** @default {@link TRANSFER_LIMITS} */
  readonly limits?: ResourceLimits;
  readonly retry: RetryPolicy;
  /** Milliseconds between the end of a round and the next one. Recommended: 60,000. */
  readonly intervalMs: number;
}

export interface TopUpPorts extends RepeatedTaskPorts {
  readonly balances: Balances;
  readonly topUps: TopUpBook;
}

const DAY_MS = 86_400_000;

/** Returns the lanes of all roles with levels, named by role and index. */
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
 * Keeps the STRK balance of the signing accounts above their floor. The daily maximum is checked
 * against the ledger's rows: keepers that process different lanes at the same time may exceed it by
 * one transfer each.
 */
export class TopUpLanes implements KeeperTask {
  /** Kinds of its submissions. */
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
   * @throws LaneNotFound for an unknown subject, or the error of a read; nothing was submitted in
   *   these cases
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
