import {
  attemptsSince,
  RepeatedTask,
  skipped,
  TRANSFER_LIMITS,
  transferCall,
  type RetryPolicy,
  type TaskDetails,
  type TaskGate,
  type TaskReport,
  type Balances,
  type RepeatedTaskPorts,
} from '@sotto/keeper-core';
import type { Felt } from '@sotto/kernel';
import type { BlockRef, Submissions } from '@sotto/submission-core';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import {
  missingRepayment,
  type LeverageLimits,
  type LeveragePrice,
} from '../domain/leverage/plan.js';
import { repaymentPurpose, repaymentSeries } from '../domain/leverage/repayment.js';
import type { LeveragePositions } from '../ports/leverage-positions.port.js';

export interface FundRepaymentsPolicy {
  readonly chainId: Felt;
  /** Address of the only account that has the role `treasury`. */
  readonly treasury: Felt;
  /** Maximum sent to one vault within 24 hours, in the debt token's smallest unit. */
  readonly maxPerDay: bigint;
  readonly retry: RetryPolicy;
}

export interface FundRepaymentsPorts extends RepeatedTaskPorts {
  readonly submissions: RepeatedTaskPorts['submissions'] & Pick<Submissions, 'last'>;
  readonly positions: LeveragePositions;
  readonly balances: Balances;
}

const DAY_MS = 86_400_000;

/**
 * Sends the amount that a vault lacks for a repayment from the treasury to the vault. The missing
 * amount is read in the block of the previous transfer or a later block. The vault's own balance of
 * the debt token is subtracted. So the treasury sends nothing to a vault that already received the
 * amount or repaid with it.
 */
export class FundRepayments {
  readonly #series: RepeatedTask;

  constructor(
    private readonly ports: FundRepaymentsPorts,
    private readonly policy: FundRepaymentsPolicy,
  ) {
    const { retry, treasury: account } = policy;
    this.#series = new RepeatedTask('leverage', ports, { role: 'treasury', account, retry });
  }

  /**
   * Returns true if the vault's last transfer was included in the block of the vault's last round
   * or in a later block. Then the vault has not yet repaid with the transfer. `round` is the block
   * of the last round, or null if there was no round. Rejects with the error of the store.
   */
  async hasSentSince({ address }: LeveragedVault, round: BlockRef | null): Promise<boolean> {
    const series = repaymentSeries(this.policy.chainId, address);
    const { after: transfer } = await this.ports.repeated.next(series);
    return transfer !== null && (round === null || transfer.number >= round.number);
  }

  /**
   * Sends the whole missing amount or nothing. Returns the report of the transfer, or the report of
   * the check that forbids the transfer. Rejects with the error of a failed read; in this case
   * nothing was submitted.
   */
  async send(
    vault: LeveragedVault,
    price: LeveragePrice,
    limits: LeverageLimits,
    gate: TaskGate,
  ): Promise<TaskReport> {
    const { chainId, treasury, maxPerDay } = this.policy;
    const series = repaymentSeries(chainId, vault.address);
    const turn = await this.#series.turn(vault.id, series);
    if ('outcome' in turn) return turn;
    const [position, available, sentToday] = await Promise.all([
      this.ports.positions.read(vault, turn.at),
      this.ports.balances.of(vault.debt.address, treasury, turn.at),
      this.#sentToday(series, turn.next.number),
    ]);
    const amount = missingRepayment(position, price, limits) - position.held;
    // The missing amount was sent to the vault or repaid after the check that found the
    // deleveraging blocked.
    if (amount <= 0n) return skipped('NODE_BEHIND');
    const details: TaskDetails = {
      missing: String(amount),
      leftOfDay: String(maxPerDay - sentToday),
      treasury: String(available),
    };
    if (amount > maxPerDay - sentToday || amount > available)
      return skipped('DELEVERAGE_BLOCKED', details);
    const call = {
      ...repaymentPurpose(vault.address, amount),
      ...transferCall(vault.debt.address, vault.address, amount),
      limits: TRANSFER_LIMITS,
    };
    return this.#series.submit(turn, call, gate);
  }

  async #sentToday(series: string, next: number): Promise<bigint> {
    const { submissions, clock } = this.ports;
    const sinceMs = clock.nowMs() - DAY_MS;
    const sent = await attemptsSince(submissions, { series, next }, sinceMs);
    return sent.reduce((sum, { memo }) => sum + BigInt(memo ?? 0), 0n);
  }
}
