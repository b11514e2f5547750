import { DomainError, type LogFields, type Logger } from '@sotto/kernel';

/**
 * Does a piece of work whose failure must stay its own: nothing is concluded from it, and the next
 * round tries again. False when it failed.
 */
export async function attemptWork(
  logger: Logger,
  fields: LogFields,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof DomainError)
      logger.warn({ ...fields, code: error.code }, 'submission work is delayed');
    else
      logger.error(
        { ...fields, error: error instanceof Error ? error : null },
        'submission work failed',
      );
    return false;
  }
}
