import { domainError } from '@sotto/kernel';

/** `details.source` is `lending`, `price` or `rewards`. The caller tries later. */
export class StakingDataUnavailable extends domainError('STAKING_DATA_UNAVAILABLE') {}
