import { BackgroundTask, Clock, Logger } from '@sotto/kernel';
import { GetVerdict } from '@sotto/relayer-core';
import { ChainReader, Ledger, NodeHealthCheck, SubmissionEngine } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { Work } from '../relayer/work.js';
import { RepeatedCalls, StartWarning, TaskRunners } from './bindings.js';
import { AppModule, every } from './container.js';

/**
 * Binds the automatic work of the process, which consists of services that the other modules bind.
 */
export const workModule = (settings: Pick<Settings, 'network' | 'engine' | 'lanes'>): AppModule =>
  new AppModule(({ provide }) => {
    provide(
      Work,
      {
        logger: Logger,
        clock: Clock,
        engine: SubmissionEngine,
        probe: NodeHealthCheck,
        reader: ChainReader,
        ledger: Ledger,
        verdict: GetVerdict,
        tasks: every(BackgroundTask),
        runners: TaskRunners,
        repeatedCalls: every(RepeatedCalls),
        warnings: every(StartWarning),
      },
      settings,
    );
  });
