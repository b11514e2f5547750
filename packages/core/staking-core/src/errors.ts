import { catalogued, type ErrorEntry } from '@sotto/kernel';

/** `details.source` is `lending`, `price` or `rewards`. The caller tries later. */
export class StakingDataUnavailable extends catalogued({
  code: 'STAKING_DATA_UNAVAILABLE',
  kind: 'unavailable',
  meaning:
    'The last values of the lending pools are too old to return, and newer ones are not available now.',
  remedy: 'Try again after `Retry-After`; `details.source` says which source is missing.',
}) {}

/**
 * Every error that this package throws of its own; those of its ports never get through to callers.
 */
export const stakingErrors: readonly ErrorEntry[] = [StakingDataUnavailable].map(
  ({ code, kind, meaning, remedy }) => ({
    code,
    kind,
    meaning,
    remedy,
  }),
);
