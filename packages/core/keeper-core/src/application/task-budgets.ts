import { DomainError, type Clock } from '@sotto/kernel';
import type { KeeperTask, TaskGate } from '../ports/keeper-task.js';
import type { EarnedFee, TaskBook } from '../ports/task-book.port.js';
import type { TaskSettings } from '../domain/task-settings.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Gas of one window of time, in fri, and the fees that it has brought. */
export interface WindowBudget {
  readonly limitFri: bigint;
  /** What those cost that ended within the window. */
  readonly spentFri: bigint;
  /** What live ones may cost at the price of now; null where the price could not be read. */
  readonly liveFri: bigint | null;
  /** Never below zero; null where `liveFri` is. */
  readonly leftFri: bigint | null;
  /** What those were to bring at least that succeeded within the window, by token. */
  readonly earned: readonly EarnedFee[];
}

export interface TaskBudget {
  readonly hour: WindowBudget;
  readonly day: WindowBudget;
}

export interface TaskBudgetsPorts {
  readonly book: Pick<TaskBook, 'spending'>;
  /** Price of a unit of L2 gas now, in fri. Rejects with a `DomainError`. */
  readonly l2GasPriceFri: () => Promise<bigint>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

type Kinds = Pick<KeeperTask, 'kinds'>;
type Limits = Pick<TaskSettings, 'hourlyBudgetFri' | 'dailyBudgetFri'>;

/** What tasks have spent of the gas that the configuration grants them. */
export class TaskBudgets {
  constructor(private readonly ports: TaskBudgetsPorts) {}

  /** Rejects with `LedgerUnavailable`. */
  async of(task: Kinds, limits: Limits): Promise<TaskBudget> {
    return this.#read(task, limits, await this.#priceIfKnown());
  }

  /**
   * Admits a call while spent, live and its own gas come to no more than each budget; rejects with
   * the error of a read.
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
      const { spentFri, liveL2Gas, earned } = await this.ports.book.spending(
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
