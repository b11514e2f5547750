import type { Logger } from '@sotto/kernel';

/**
 * Logs Node’s process warnings. Node itself would write them to standard error and block until the
 * reader reads.
 */
export function logNodeWarnings(logger: Pick<Logger, 'warn'>): void {
  process.removeAllListeners('warning');
  process.on('warning', (error) => logger.warn({ error }, 'warning of Node'));
}
