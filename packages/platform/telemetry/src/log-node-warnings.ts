import type { Logger } from '@sotto/kernel';

/**
 * Logs warnings of Node. Node itself would write them to standard error and wait for its reader.
 */
export function logNodeWarnings(logger: Pick<Logger, 'warn'>): void {
  process.removeAllListeners('warning');
  process.on('warning', (error) => logger.warn({ error }, 'warning of Node'));
}
