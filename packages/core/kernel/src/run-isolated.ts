import { DomainError } from './errors.js';
import type { LogFields, Logger } from './logger.js';

/**
 * Runs work whose failure must not reach the caller. A failure is logged, and the caller continues.
 * Never rejects.
 * @param subject first words of the logged sentence, such as `a background task`
 * @returns false if the work failed
 */
export async function runIsolated(
  logger: Logger,
  subject: string,
  fields: LogFields,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof DomainError) logger.warn({ ...fields, error }, `${subject} failed`);
    else logger.error({ ...fields, error: asError(error) }, `${subject} has a bug`);
    return false;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`a ${typeof error} was thrown`);
}
