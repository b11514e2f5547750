import { Clock, Logger, BackgroundTask } from '@sotto/kernel';
import { RelayedCalls } from '@sotto/relayer-core';
import {
  AccountHistory,
  Auditor,
  ChainReader,
  DEFAULT_AUDIT_SETTINGS,
  Ledger,
  AuditStore,
} from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';

type AuditModuleSettings = Pick<Settings, 'audit' | 'lanes'>;

/**
 * Compares the ledger with the blocks of the chain while the service runs. The comparison is
 * independent of the submission machine that writes the ledger.
 */
export const auditModule = ({ audit, lanes }: AuditModuleSettings): AppModule =>
  new AppModule(({ bind, provide }) => {
    const { intervalMs } = audit;
    const accounts = lanes.map(({ address }) => address);
    provide(
      Auditor,
      // Only relayed calls are compared with their calldata. The key of a vault deployment contains
      // a number that its call does not contain, so it can't be compared.
      {
        history: AccountHistory,
        reader: ChainReader,
        store: AuditStore,
        ledger: Ledger,
        calls: RelayedCalls,
        clock: Clock,
        logger: Logger,
      },
      { ...DEFAULT_AUDIT_SETTINGS, accounts, intervalMs },
    );
    if (intervalMs === 0) return;
    bind(BackgroundTask).toResolvedValue(
      (auditor) => ({
        name: 'audit',
        intervalMs,
        run: (signal: AbortSignal) => auditor.round(signal),
      }),
      [Auditor],
    );
  });
