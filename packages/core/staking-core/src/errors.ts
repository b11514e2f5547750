import { domainError } from '@sotto/kernel';

/**
 * Error if a source is unavailable. `details.source` is `lending`, `price` or `rewards`. The caller
 * should retry later.
 */
export class StakingDataUnavailable extends domainError('STAKING_DATA_UNAVAILABLE') {}
