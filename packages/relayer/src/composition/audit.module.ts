import { Clock, Logger, BackgroundTask } from '@sotto/kernel';
import { RelayedCalls } from '@sotto/relayer-core';
import {
  AccountHistory,
  Auditor,
  ChainReader,
  DEFAULT_AUDIT_SETTINGS,
  Ledger,
  AuditBook,
} from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';

type AuditModuleSettings = Pick<Settings, 'audit' | 'lanes'>;

/**
 * Holds the ledger against the blocks of the chain while the service runs, apart from the machine
 * that writes it.
 */
export const auditModule = ({ audit, lanes }: AuditModuleSettings): AppModule =>
  new AppModule(({ bind, provide }) => {
    const { intervalMs } = audit;
    const accounts = lanes.map(({ address }) => address);
    provide(
      Auditor,
      // The number in a vault deployment's key stands in no call, so only what is relayed is
      // compared with its call.
      {
        history: AccountHistory,
        reader: ChainReader,
        book: AuditBook,
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
