import { DomainError, type Clock } from '@sotto/kernel';
import type { KeeperTask, TaskGate } from '../ports/keeper-task.js';
import type { EarnedFee, TaskStore } from '../ports/task-store.port.js';
import type { TaskSettings } from '../domain/task-settings.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Gas costs in one time window, in fri, and the fees earned in the same window. */
export interface WindowBudget {
  readonly limitFri: bigint;
  /** Cost of the submissions that ended within the window, in fri. */
  readonly spentFri: bigint;
  /**
   * Maximum cost of submissions that have not ended, at the current gas price, in fri; null if the
   * price is unknown.
   */
  readonly liveFri: bigint | null;
  /** Remaining budget in fri, at least 0; null if `liveFri` is null. */
  readonly leftFri: bigint | null;
  /** Minimum fees of the submissions that succeeded within the window, by ERC-20 token. */
  readonly earned: readonly EarnedFee[];
}

export interface TaskBudget {
  readonly hour: WindowBudget;
  readonly day: WindowBudget;
}

export interface TaskBudgetsPorts {
  readonly store: Pick<TaskStore, 'spending'>;
  /** Returns the current price of one unit of L2 gas, in fri. Rejects with a `DomainError`. */
  readonly l2GasPriceFri: () => Promise<bigint>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

type Kinds = Pick<KeeperTask, 'kinds'>;
type Limits = Pick<TaskSettings, 'hourlyBudgetFri' | 'dailyBudgetFri'>;

/** Compares the gas that tasks have spent with their configured budgets. */
export class TaskBudgets {
  constructor(private readonly ports: TaskBudgetsPorts) {}

  /** Returns the budget of a task. Rejects with `LedgerUnavailable`. */
  async of(task: Kinds, limits: Limits): Promise<TaskBudget> {
    return this.#read(task, limits, await this.#priceIfKnown());
  }

  /**
   * Creates a gate that admits a call if the sum of spent gas, gas of submissions that have not
   * ended, and the call's gas is within each budget. The gate rejects with the error of a read.
   */
  gateOf(task: Kinds, limits: Limits): TaskGate {
    return {
      admit: async (costFri) => {
        const priceFri = await this.ports.l2GasPriceFri();
        const { hour, day } = await this.#read(task, limits, priceFri);
        const fits = [hour, day].every(
          ({ limitFri, spentFri, liveFri }) => spentFri + (liveFri ?? 0n) + costFri <= limitFri,
        );
        return fits ? null : 'BUDGET_EXHAUSTED';
      },
    };
  }

  async #read(
    { kinds }: Kinds,
    { hourlyBudgetFri, dailyBudgetFri }: Limits,
    priceFri: bigint | null,
  ): Promise<TaskBudget> {
    const nowMs = this.ports.clock.nowMs();
    const window = async (lengthMs: number, limitFri: bigint): Promise<WindowBudget> => {
      const { spentFri, liveL2Gas, earned } = await this.ports.store.spending(
        kinds,
        nowMs - lengthMs,
      );
      const liveFri = priceFri === null ? null : liveL2Gas * priceFri;
      const leftFri = liveFri === null ? null : limitFri - spentFri - liveFri;
      return {
        limitFri,
        spentFri,
        liveFri,
        leftFri: leftFri !== null && leftFri < 0n ? 0n : leftFri,
        earned,
      };
    };
    const [hour, day] = await Promise.all([
      window(HOUR_MS, hourlyBudgetFri),
      window(DAY_MS, dailyBudgetFri),
    ]);
    return { hour, day };
  }

  async #priceIfKnown(): Promise<bigint | null> {
    try {
      return await this.ports.l2GasPriceFri();
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}
