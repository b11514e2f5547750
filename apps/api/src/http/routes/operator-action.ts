import type { OperatorAction } from '@sotto/facts';
import { InvalidFelt, toFelt } from '@sotto/kernel';
import type { NewOperatorEntry } from '@sotto/relayer-core';

/**
 * Returns the log entry of an operator's action. @throws Error on a route that requires no token
 */
export function actOf(
  holder: string | null,
  action: OperatorAction,
  subject: string,
  reason: string | null | undefined,
): NewOperatorEntry {
  if (holder === null) throw new Error('an action of an operator needs the name of one');
  return { holder, action, subject, reason: reason ?? null };
}

/**
 * Returns a pool's address in canonical form. A pool key that is not an address is returned
 * unchanged.
 */
export function nameOf(pool: string): string {
  try {
    return toFelt(pool);
  } catch (error) {
    if (error instanceof InvalidFelt) return pool;
    throw error;
  }
}
