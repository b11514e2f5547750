import { WatchTasks, TaskLeases, TaskStore } from '@sotto/keeper-core';
import { BackgroundTask, Logger } from '@sotto/kernel';
import { ConfiguredTasks } from './bindings.js';
import { AppModule, assemble } from './container.js';

/**
 * Binds the detection of dead keepers. The detection runs in the service, which need not run any of
 * their tasks.
 */
export const taskWatchModule = new AppModule(({ bind }) => {
  assemble(
    bind(BackgroundTask),
    { tasks: ConfiguredTasks, leases: TaskLeases, store: TaskStore, logger: Logger },
    ({ tasks, leases, store, logger }) => new WatchTasks({ leases, store, logger }, tasks.all),
  );
});
