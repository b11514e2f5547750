import { domainError } from '@sotto/kernel';

/**
 * A source is unavailable: `details.source` is `lending`, `price` or `rewards`. The caller retries
 * later.
 */
export class StakingDataUnavailable extends domainError('STAKING_DATA_UNAVAILABLE') {}
