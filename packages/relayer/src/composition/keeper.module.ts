import { DeployDueFunds, LeverageTask, SetLeverageTarget } from '@sotto/curator-core';
import { GetMayerMultiple, ListOrders, PurchaseTask } from '@sotto/dca-core';
import { TASK_NAMES, type TaskName } from '@sotto/facts';
import {
  ControlTasks,
  GetKeeperStatus,
  KeeperTask,
  TaskBudgets,
  TaskCounters,
  TaskRunner,
  type ConfiguredTask,
  type TaskSettings,
  TaskLeases,
  TaskStore,
} from '@sotto/keeper-core';
import { Clock, Logger } from '@sotto/kernel';
import { ConvertFees, DeployDueBatches, TopUpLanes } from '@sotto/relayer-core';
import { LatestBlock } from '@sotto/submission-core';
import { TaskDisabled } from '../errors.js';
import { ConfiguredTasks, TaskRunners } from './bindings.js';
import { AppModule, assemble, every } from './container.js';
import { bindBatches } from './keeper/batches.js';
import { bindCurator } from './keeper/curator.js';
import { bindLeverage } from './keeper/leverage.js';
import { bindPurchases } from './keeper/purchases.js';
import type { KeeperModuleSettings } from './keeper/task-binding.js';
import { bindTreasury } from './keeper/treasury.js';

/** Object that replaces the use case of a disabled task and rejects every call. */
const DISABLED = {
  async execute(): Promise<never> {
    throw new TaskDisabled();
  },
};

/**
 * Binds automatic tasks of the protocol: the tasks that the settings name, each with its limits.
 */
export const keeperModule = (settings: KeeperModuleSettings): AppModule =>
  new AppModule((container) => {
    const { bind, provide } = container;
    const { keeper, engine } = settings;
    const isOn = (task: TaskName): boolean => keeper.tasks.includes(task);
    if (isOn('curator')) bindCurator(container, settings);
    if (isOn('batches')) bindBatches(container, settings);
    if (isOn('leverage')) bindLeverage(container, settings);
    else bind<Pick<SetLeverageTarget, 'execute'>>(SetLeverageTarget).toConstantValue(DISABLED);
    if (isOn('purchases')) bindPurchases(container, settings);
    else {
      bind<Pick<GetMayerMultiple, 'execute'>>(GetMayerMultiple).toConstantValue(DISABLED);
      bind<Pick<ListOrders, 'execute'>>(ListOrders).toConstantValue(DISABLED);
    }
    if (isOn('treasury')) bindTreasury(container, settings);

    provide(TaskCounters, []);
    assemble(
      bind(TaskBudgets),
      { store: TaskStore, latestBlock: LatestBlock, clock: Clock },
      ({ store, latestBlock, clock }) =>
        new TaskBudgets({
          store,
          l2GasPriceFri: async () => (await latestBlock.gasPrices()).l2GasFri,
          clock,
        }),
    );
    assemble(
      bind(TaskRunners),
      {
        tasks: every(KeeperTask),
        leases: TaskLeases,
        store: TaskStore,
        budgets: TaskBudgets,
        counters: TaskCounters,
        clock: Clock,
        logger: Logger,
      },
      ({ tasks, leases, store, ...ports }) => ({
        all: tasks.map(
          (task) =>
            new TaskRunner(
              { task, leases, store, ...ports },
              {
                ...taskSettings(settings, task.name),
                instance: engine.instance,
                leaseMs: keeper.leaseTtlMs,
              },
            ),
        ),
      }),
    );
    const tasks = configuredTasks(settings);
    bind(ConfiguredTasks).toConstantValue({ all: tasks });
    provide(
      GetKeeperStatus,
      { leases: TaskLeases, store: TaskStore, budgets: TaskBudgets, clock: Clock },
      tasks,
    );
    provide(ControlTasks, [GetKeeperStatus, TaskStore]);
  });

function taskSettings({ keeper }: KeeperModuleSettings, task: TaskName): TaskSettings {
  return {
    isOn: keeper.tasks.includes(task),
    subjects: keeper.subjects.get(task) ?? 'all',
    hourlyBudgetFri: keeper.budget.perHourFri,
    dailyBudgetFri: keeper.budget.perDayFri,
  };
}

/** Kinds of submissions that each task creates, equal in every process that runs the task. */
const KINDS: Readonly<Record<TaskName, readonly string[]>> = {
  curator: DeployDueFunds.kinds,
  batches: DeployDueBatches.kinds,
  purchases: PurchaseTask.kinds,
  leverage: LeverageTask.kinds,
  treasury: [...TopUpLanes.kinds, ...ConvertFees.kinds],
};

/**
 * Returns all tasks, including tasks that are disabled in this process, because a different process
 * may run them.
 */
const configuredTasks = (settings: KeeperModuleSettings): readonly ConfiguredTask[] =>
  TASK_NAMES.map((name) => ({
    name,
    kinds: KINDS[name],
    intervalMs: settings.keeper.intervalMs,
    settings: taskSettings(settings, name),
  }));
