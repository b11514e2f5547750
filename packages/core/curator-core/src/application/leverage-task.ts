import type { SkipReason } from '@sotto/facts';
import {
  longestGapMs,
  skipped,
  skippedBy,
  skippedFor,
  TaskCalls,
  type KeeperTask,
  type RetryPolicy,
  type Streak,
  type TaskStore,
  type TaskDetails,
  type TaskGate,
  type TaskReport,
} from '@sotto/keeper-core';
import { DomainError, Felts, type Clock, type Felt } from '@sotto/kernel';
import type {
  CallSimulator,
  LatestBlock,
  Attempt,
  BlockRef,
  RepeatedSubmissions,
  ResourceLimits,
  Snapshot,
  Snapshots,
  Submissions,
  WantedSubmission,
} from '@sotto/submission-core';
import { type MarketPrices, type RoutedSwap, type SwapRouting } from '@sotto/market-core';
import { leverageAim, ratesAgainst } from '../domain/leverage/aim.js';
import { leverageCalldata, leverageEntry, type LeverageCall } from '../domain/leverage/layout.js';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import { lowestPrice } from '../domain/leverage/lowest-price.js';
import {
  healthE18,
  leverageBps,
  missingRepayment,
  planLeverage,
  trimToNeeded,
  type LeverageLimits,
  type LeveragePrice,
  type PlannedRound,
} from '../domain/leverage/plan.js';
import type { LeveragePosition } from '../domain/leverage/position.js';
import {
  LEVERAGE_ROUND,
  isRepaymentOnly,
  leverageSeries,
  roundFingerprint,
  roundPurpose,
} from '../domain/leverage/round.js';
import { FUND_REPAYMENT } from '../domain/leverage/repayment.js';
import { VaultNotFound } from '../errors.js';
import type { LeveragePositions } from '../ports/leverage-positions.port.js';
import type { LeverageTarget, LeverageTargets } from '../ports/leverage-targets.port.js';
import { VAULT_DEPLOYMENT_LIMITS } from './deploy-idle-funds.js';
import type { FundRepayments } from './fund-repayments.js';

export interface LeveragePolicy extends LeverageLimits {
  readonly chainId: Felt;
  readonly vaults: readonly LeveragedVault[];
  /**
   * Account of the curator. Each round is simulated as a transaction of this account before
   * anything is written.
   */
  readonly account: Felt;
  /** @default {@link VAULT_DEPLOYMENT_LIMITS} */
  readonly limits?: ResourceLimits;
  /**
   * Pause between the end of one check and the start of the next, in milliseconds. Suggested value:
   * 15,000.
   */
  readonly intervalMs: number;
  /** Maximum slippage of a swap below its quote, in millionths. Suggested value: 5,000. */
  readonly slippagePpm: number;
  /**
   * Time for which the borrow rate may exceed the supply rate before the position returns to 1×, in
   * seconds. Suggested value: 86,400. No round borrows while the borrow rate exceeds the supply
   * rate. Null if rates are not checked.
   */
  readonly rateAgainstSeconds: number | null;
  /**
   * Time after which a round that was not sent expires, in milliseconds. Suggested value: 60,000.
   */
  readonly sendWithinMs: number;
  readonly retry: RetryPolicy;
}

export interface LeveragePorts {
  readonly snapshots: Snapshots;
  readonly positions: LeveragePositions;
  readonly targets: LeverageTargets;
  readonly marketPrices: Pick<MarketPrices, 'pairsOf'>;
  readonly routing: Pick<SwapRouting, 'route'>;
  readonly simulator: CallSimulator;
  readonly latestBlock: Pick<LatestBlock, 'gasPrices'>;
  readonly submissions: Submissions;
  readonly repeated: RepeatedSubmissions;
  readonly store: Pick<TaskStore, 'controls'>;
  readonly clock: Clock;
  /**
   * Repayments from the treasury; null if the operator does not allow repayments from the treasury.
   */
  readonly repayments: Pick<FundRepayments, 'hasSentSince' | 'send'> | null;
}

const NO_ROUTES = Felts.of([0n]);

/** Facts for planning a round. All facts come from one block, except for the price. */
interface Poll {
  readonly vault: LeveragedVault;
  readonly snapshot: Snapshot;
  readonly position: LeveragePosition;
  readonly price: LeveragePrice;
  readonly details: TaskDetails;
}

/** Key and gate of the next submission. The gate is checked right before the submission. */
interface Turn {
  readonly key: string;
  /** Block of the vault's last round. */
  readonly after: BlockRef | null;
  readonly gate: TaskGate;
}

/**
 * Skip reasons that are not replaced by an alert if the vault's health factor is below the floor.
 * Either a round is in flight, or the reason itself is an alert (deleveraging is blocked).
 */
const LED_OR_BLOCKED: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'IN_FLIGHT',
  'DELEVERAGE_BLOCKED',
]);
/**
 * Skip reasons that mean that the treasury has sent the missing amount, or may have sent it. The
 * task waits for the transfer.
 */
const SENT: ReadonlySet<SkipReason> = new Set<SkipReason>(['IN_FLIGHT', 'NODE_BEHIND']);
const MS_PER_SECOND = 1_000;

type Skip = ReturnType<typeof skipped>;

/**
 * Moves vaults to the operator's target leverage, up or down, one round at a time. The task stores
 * no progress: each round is planned from the position on chain, in the block of the previous round
 * or a later block, under the key of the round's number. The call contains the debt of this
 * position, and the vault reverts the call if its debt differs. After a crash between two rounds,
 * the next check by any keeper continues.
 *
 * If a vault's health factor is below the floor, the task raises an alert at every check that does
 * not improve the health factor. The task also raises an alert if the check submits only a
 * repayment that leaves the health factor below the floor. Vaults without a target are read for
 * this alert only.
 *
 * The only state in memory is the time since which the borrow rate has exceeded the supply rate. A
 * restart, or a gap between checks, restarts this time.
 */
export class LeverageTask implements KeeperTask {
  /** Kinds of the submissions that this task sends. */
  static readonly kinds: readonly string[] = [LEVERAGE_ROUND, FUND_REPAYMENT];

  readonly name = 'leverage';
  readonly kinds = LeverageTask.kinds;
  /**
   * The task also reads the positions while it is paused, because a position may approach
   * liquidation.
   */
  readonly watchesPaused = true;
  readonly intervalMs: number;
  readonly #calls: TaskCalls;
  readonly #against = new Map<Felt, Streak>();

  constructor(
    private readonly ports: LeveragePorts,
    private readonly policy: LeveragePolicy,
  ) {
    this.intervalMs = policy.intervalMs;
    this.#calls = new TaskCalls(this.name, ports, policy.retry);
  }

  async subjects(): Promise<readonly string[]> {
    return this.policy.vaults.map(({ id }) => id);
  }

  async attend(subject: string, gate: TaskGate): Promise<TaskReport> {
    try {
      return await this.#attend(leveragedVault(this.policy.vaults, subject), gate);
    } catch (error) {
      return skippedFor(error, this.ports.clock.nowMs());
    }
  }

  async #attend(vault: LeveragedVault, gate: TaskGate): Promise<TaskReport> {
    const { repeated, snapshots, positions, targets } = this.ports;
    const series = leverageSeries(this.policy.chainId, vault.address);
    const { key, last, after } = await repeated.next(series);
    const target = await targets.of(vault.address);
    const held = target === null ? skipped('NOT_DUE') : await this.#waits(vault, last, gate);
    const isLive = held?.reason === 'IN_FLIGHT';
    // A round that only repays may leave the vault's health factor below the floor. This is an
    // alert until the round is in a block.
    const isRepaying = isLive && isRepaymentOnly(last);
    if (isLive && !isRepaying) return held;
    let poll: Poll;
    try {
      const snapshot = await snapshots.latest(after);
      const position = await positions.read(vault, snapshot);
      this.#noteRates(vault.address, position, snapshot);
      if (held !== null && position.debt === 0n) return held;
      const price = await this.#price(vault);
      poll = { vault, snapshot, position, price, details: detailsOf(position, price) };
    } catch (error) {
      // If the position can't be read, report the reason to wait that is already known instead of
      // the error.
      if (target !== null && held !== null && error instanceof DomainError) return held;
      throw error;
    }
    return this.#watched(poll, isRepaying, async () =>
      target === null || held !== null
        ? (held ?? skipped('NOT_DUE'))
        : this.#lead(poll, target, { key, after, gate: this.#gateFor(target, gate) }),
    );
  }

  /**
   * Returns the reason why the task may submit nothing for the vault now; null if it may submit.
   * The vault's position is not read.
   */
  async #waits(
    vault: LeveragedVault,
    last: Attempt | null,
    { isPaused = false }: TaskGate,
  ): Promise<Skip | null> {
    const waits = await this.#calls.waitAfter(vault.id, last);
    if (isPaused && waits?.reason !== 'IN_FLIGHT') return skipped('PAUSED');
    if (waits !== null) return waits;
    const rejection = await this.ports.submissions.checkQueueCapacity('curator');
    return rejection === null ? null : skippedBy(rejection, this.ports.clock.nowMs());
  }

  /**
   * Runs the check. If the resulting report leaves the vault below the health floor, returns an
   * alert instead of the report.
   */
  async #watched(
    { position, price, details }: Poll,
    isRepaying: boolean,
    lead: () => Promise<TaskReport>,
  ): Promise<TaskReport> {
    if (!this.#isBelowFloor(position, price)) return lead();
    const report = await lead().catch((error: unknown) => {
      if (error instanceof DomainError) return skippedBy(error, this.ports.clock.nowMs());
      throw error;
    });
    const debt = position.debt > position.held ? position.debt - position.held : 0n;
    if (
      (isRepaying || onlyRepays(report)) &&
      this.#isBelowFloor({ ...position, debt, held: 0n }, price)
    )
      return skipped('DELEVERAGE_BLOCKED', { ...details, ...report.details, ...idOf(report) });
    if (report.outcome === 'acted' || LED_OR_BLOCKED.has(report.reason)) return report;
    const because = { ...details, ...report.details, because: report.reason };
    return skipped('HEALTH_BELOW_FLOOR', because, report.dueAtMs);
  }

  #isBelowFloor(position: LeveragePosition, price: LeveragePrice): boolean {
    const health = healthE18(position, price, position.maxLtvE18);
    return health !== null && health < this.policy.healthFloorE18;
  }

  async #lead(seen: Poll, { targetBps }: LeverageTarget, turn: Turn): Promise<TaskReport> {
    const { vault, position, price } = seen;
    const against = this.#against.get(vault.address) ?? null;
    const aim = leverageAim(targetBps, against, this.policy.rateAgainstSeconds);
    const details = { ...seen.details, target: inTimes(aim.targetBps) };
    const poll = { ...seen, details };
    if (position.collateral === 0n && position.debt === 0n)
      return skipped('NOTHING_SUPPLIED', details);
    const plan = planLeverage(
      {
        position,
        price,
        targetBps: aim.targetBps,
        form: vault.layout.form,
        repaysWith: repaysHeld(vault) ? position.held : 0n,
      },
      this.policy,
    );
    switch (plan.kind) {
      case 'at_target':
        return this.#repayOr(skipped('AT_TARGET', details), poll, turn);
      case 'unreachable': {
        const limit = inTimes(plan.limitBps);
        const report = skipped('LEVERAGE_UNREACHABLE', { ...details, limit });
        return this.#repayOr(report, poll, turn);
      }
      case 'blocked':
        return this.#unblock(poll, turn);
      case 'liquidity_missing':
        return this.#repayOr(skipped('LIQUIDITY_MISSING', details), poll, turn);
      case 'rounds': {
        const [round] = plan.rounds;
        if (round.direction === 'up' && !aim.mayBorrow)
          return this.#repayOr(skipped('RATE_AGAINST', details), poll, turn);
        return round.amount === 0n ? this.#repayHeld(poll, turn) : this.#execute(round, poll, turn);
      }
    }
  }

  /**
   * Creates a gate that also rejects the submission if the operator has changed the target after
   * the target was read.
   */
  #gateFor({ vault, targetBps }: LeverageTarget, gate: TaskGate): TaskGate {
    return {
      admit: async (costFri) => {
        const rejection = await gate.admit(costFri);
        if (rejection !== null) return rejection;
        const target = await this.ports.targets.of(vault);
        return target?.targetBps === targetBps ? null : 'TARGET_CHANGED';
      },
    };
  }

  /** Returns true if the vault holds enough debt tokens for a round that only repays with them. */
  #isHeldWorthIt({ vault, position: { debt, held } }: Poll): boolean {
    const { minRoundDebt, dustDebt } = this.policy;
    return repaysHeld(vault) && debt > dustDebt && (held >= minRoundDebt || held >= debt);
  }

  /**
   * Repays with the vault's own debt tokens if these are enough for a round; otherwise returns
   * `report`.
   */
  async #repayOr(report: TaskReport, poll: Poll, turn: Turn): Promise<TaskReport> {
    if (!this.#isHeldWorthIt(poll)) return report;
    const details = { ...poll.details, ...report.details };
    return this.#repayHeld({ ...poll, details }, turn);
  }

  /** Submits a round that repays with the vault's own debt tokens and withdraws nothing. */
  #repayHeld(poll: Poll, turn: Turn): Promise<TaskReport> {
    const call = { direction: 'down', amount: 0n, minimumOut: 0n, routes: NO_ROUTES } as const;
    return this.#submit(call, poll, turn);
  }

  /**
   * Requests the missing amount from the treasury. The vault's own balance is subtracted, so
   * transfers of other senders to the vault do not block the repayment. If the treasury has already
   * sent an amount, the vault first repays with it before the treasury sends more. If the treasury
   * sends nothing, the vault repays a part with its own balance.
   */
  async #unblock(poll: Poll, turn: Turn): Promise<TaskReport> {
    const { vault, position, price, details } = poll;
    const { repayments } = this.ports;
    const missing = missingRepayment(position, price, this.policy);
    const blocked = skipped('DELEVERAGE_BLOCKED', details);
    if (!repaysHeld(vault)) return blocked;
    if (missing > 0n && position.held >= missing) return this.#repayHeld(poll, turn);
    if (repayments === null || missing === 0n) return this.#repayOr(blocked, poll, turn);
    if (this.#isHeldWorthIt(poll) && (await repayments.hasSentSince(vault, turn.after)))
      return this.#repayHeld(poll, turn);
    const sent = await repayments.send(vault, price, this.policy, turn.gate);
    const report = { ...sent, details: { ...details, ...sent.details } };
    return report.outcome === 'acted' || SENT.has(report.reason)
      ? report
      : this.#repayOr(report, poll, turn);
  }

  async #execute(planned: PlannedRound, poll: Poll, turn: Turn): Promise<TaskReport> {
    const { direction } = planned;
    let swap = await this.#swap(planned, poll);
    const round = trimToNeeded(planned, swap.quotedAmount);
    if (round.amount < planned.amount) swap = await this.#swap({ direction, ...round }, poll);
    // The plan assumed a higher minimum output, so health and leverage after the round would differ
    // from the plan.
    if (swap.minimumOut < round.minimumOut) return skipped('PRICE_IMPACT_TOO_HIGH', poll.details);
    const { amount } = round;
    const { minimumOut, routes } = swap;
    return this.#submit({ direction, amount, minimumOut, routes }, poll, turn);
  }

  #swap(
    { direction, amount }: Pick<PlannedRound, 'direction' | 'amount'>,
    { vault: { address, collateral, debt } }: Poll,
  ): Promise<RoutedSwap> {
    const [sellToken, buyToken] = direction === 'up' ? [debt, collateral] : [collateral, debt];
    return this.ports.routing.route({
      sellToken,
      sellAmount: amount,
      buyToken: buyToken.address,
      taker: address,
      slippagePpm: this.policy.slippagePpm,
      pinnedFloor: null,
    });
  }

  /**
   * Simulates the call, lets the gate check the call's gas cost, and submits the call if the gate
   * admits it.
   */
  async #submit(
    round: Omit<LeverageCall, 'expectedDebt'>,
    { vault, snapshot, position, details }: Poll,
    { key, gate }: Turn,
  ): Promise<TaskReport> {
    const call = { ...round, expectedDebt: position.nominalDebt };
    const submission = this.#submission(vault, call, snapshot, key);
    const rejection = await this.#calls.rejection(
      { ...submission.target, calldata: submission.calldata },
      this.policy.account,
      gate,
    );
    if (rejection !== null) return { ...rejection, details: { ...details, ...rejection.details } };
    const { kind, attempt } = await this.ports.submissions.submit(submission);
    return kind === 'accepted'
      ? {
          outcome: 'acted',
          submissionId: attempt.id,
          details: {
            ...details,
            direction: call.direction,
            amount: String(call.amount),
            minimumOut: String(call.minimumOut),
          },
        }
      : skipped('IN_FLIGHT', { ...details, submissionId: attempt.id });
  }

  #submission(
    { address, layout }: LeveragedVault,
    call: LeverageCall,
    { number }: Snapshot,
    key: string,
  ): WantedSubmission {
    const { entrypoint, calldata } = leverageEntry(layout, call.direction);
    const fingerprint = roundFingerprint(call, number);
    return {
      key,
      effect: fingerprint,
      fingerprint,
      ...roundPurpose(address, call),
      role: 'curator',
      target: { to: address, entrypoint },
      calldata: leverageCalldata(layout, call),
      limits: this.policy.limits ?? VAULT_DEPLOYMENT_LIMITS,
      terms: null,
      // A round changes the debt that its call contains, so the vault executes the call only once.
      replayProtected: calldata.includes('expected_debt'),
      sendWithinMs: this.policy.sendWithinMs,
    };
  }

  /**
   * @throws PriceUnavailable if price sources are missing or disagree; in this case no round is
   *   submitted.
   */
  async #price({ collateral, debt }: LeveragedVault): Promise<LeveragePrice> {
    const pairs = await this.ports.marketPrices.pairsOf(collateral.symbol, debt.symbol);
    const [first, ...others] = pairs.map(({ soldUsdE8, boughtUsdE8 }) => ({
      collateralUsdE8: soldUsdE8,
      debtUsdE8: boughtUsdE8,
    }));
    if (first === undefined) throw new Error('market prices agreed on nothing');
    return lowestPrice(collateral, debt, [first, ...others]);
  }

  #noteRates(vault: Felt, position: LeveragePosition, { timestamp }: Snapshot): void {
    const before = this.#against.get(vault) ?? null;
    const longestGapSeconds = longestGapMs(this.intervalMs) / MS_PER_SECOND;
    const against = ratesAgainst(before, position, timestamp, longestGapSeconds);
    if (against === null) this.#against.delete(vault);
    else this.#against.set(vault, against);
  }
}

/** @throws VaultNotFound if no vault in `vaults` has the id. */
export function leveragedVault(vaults: readonly LeveragedVault[], id: string): LeveragedVault {
  const vault = vaults.find((candidate) => candidate.id === id);
  if (vault === undefined) throw new VaultNotFound();
  return vault;
}

/** Returns true if the check submitted a round that withdraws nothing and only repays. */
function onlyRepays(report: TaskReport): boolean {
  return report.outcome === 'acted' && report.details['amount'] === '0';
}

function idOf(report: TaskReport): TaskDetails {
  return report.outcome === 'acted' ? { submissionId: report.submissionId } : {};
}

function repaysHeld({ layout }: LeveragedVault): boolean {
  return layout.form === 'rounds' && layout.repaysHeld === true;
}

/** Formats a leverage in hundredths of a percent as a decimal factor: 29,950 is 2.995. */
export function inTimes(bps: number): string {
  return String(bps / 10_000);
}

function detailsOf(position: LeveragePosition, price: LeveragePrice): TaskDetails {
  const leverage = leverageBps(position, price);
  const health = healthE18(position, price, position.maxLtvE18);
  return {
    collateral: String(position.collateral),
    debt: String(position.debt),
    ...(leverage === null ? {} : { leverage: inTimes(leverage) }),
    ...(health === null ? {} : { healthE18: String(health) }),
  };
}
