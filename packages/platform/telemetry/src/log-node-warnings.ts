import type { Logger } from '@sotto/kernel';

/**
 * Logs warnings of Node. By default Node writes them to standard error and waits for its reader.
 */
export function logNodeWarnings(logger: Pick<Logger, 'warn'>): void {
  process.removeAllListeners('warning');
  process.on('warning', (error) => logger.warn({ error }, 'warning of Node'));
}
