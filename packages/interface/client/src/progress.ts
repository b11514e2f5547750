import type { components } from './openapi.js';

/**
 * Degree to which an outcome is certain: `received` (not known yet), `preconfirmed` (often undone),
 * `accepted` (ACCEPTED_ON_L2, hardly ever undone) or `settled` (ACCEPTED_ON_L1, or refused or
 * expired).
 */
export type Progress = components['schemas']['Submission']['progress'];

const ASCENDING: readonly unknown[] = ['received', 'preconfirmed', 'accepted', 'settled'];
const BY_FINALITY = new Map<unknown, Progress>([
  ['ACCEPTED_ON_L2', 'accepted'],
  ['ACCEPTED_ON_L1', 'settled'],
]);

/**
 * Returns the progress that a reply shows. A service of an earlier release sends no `progress`, nor
 * does a POST's reply: it then follows from the other fields, as the lowest possible one.
 */
export function progressOf(answer: unknown): Progress {
  const shown: Partial<components['schemas']['Submission']> = Object(answer);
  const { progress, execution_status: status, finality } = shown;
  if (progress !== undefined && ASCENDING.includes(progress)) return progress;
  if (status === null) return 'settled';
  if (status !== 'SUCCEEDED' && status !== 'REVERTED') return 'received';
  return BY_FINALITY.get(finality) ?? 'preconfirmed';
}

/** Returns true if `progress` is at least as certain as `until`. */
export const hasReached = (progress: Progress, until: Progress): boolean =>
  ASCENDING.indexOf(progress) >= ASCENDING.indexOf(until);
