import { OpenedStore } from '@sotto/adapter-store';
import { WatchTasks } from '@sotto/keeper-core';
import { BackgroundTask, Logger } from '@sotto/kernel';
import { ConfiguredTasks } from './bindings.js';
import { AppModule, assemble } from './container.js';

/** Notices that keepers have died, in the service, which may run none of their tasks. */
export const taskWatchModule = new AppModule(({ bind }) => {
  assemble(
    bind(BackgroundTask),
    { tasks: ConfiguredTasks, openedStore: OpenedStore, logger: Logger },
    ({ tasks, openedStore: { taskLeases: leases, taskBook: book }, logger }) =>
      new WatchTasks({ leases, book, logger }, tasks.all),
  );
});
