import type { Variables } from '@sotto/process-kit';
import { OPERATOR_TOKEN } from './poll.js';

/** Setting that differs from the default in production. */
interface Override {
  readonly names: readonly string[];
  readonly value: string;
  readonly why: string;
}

/**
 * Settings of every service in these tests. An empty text selects the default of a setting, instead
 * of the value that the stack would set.
 */
export const ENVIRONMENT: Variables = {
  POLL_INTERVAL_MS: '',
  IDLE_INTERVAL_MS: '',
  GAS_BUDGET_PER_POOL_FRI: '',
  GAS_BUDGET_IN_ALL_FRI: '',
  LOSS_BUDGET_PER_POOL_FRI: '',
  HEAD_MAX_AGE_MS: '120000',
  OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR_TOKEN }),
};

/**
 * Settings of the chain. Proofs are not verified, because chain and service share the machine. The
 * chain produces a block each second.
 */
export const CHAIN_ENVIRONMENT: Variables = { TRUSTS: '1', EMPTY_BLOCK_MS: '1000' };

/** All settings that differ from the defaults in production, for the report. */
export const OVERRIDES: readonly Override[] = [
  {
    names: ['MODE'],
    value: 'development',
    why: 'production mode rejects the sandbox: plain HTTP, sample keys, a verification key with known secrets',
  },
  {
    names: ['HEAD_MAX_AGE_MS'],
    value: '120000',
    why: 'the default of production, which MODE=development disables',
  },
  {
    names: ['RATE_LIMIT_SUBMISSIONS_PER_MINUTE', 'RATE_LIMIT_READS_PER_MINUTE'],
    value: 'no limit',
    why: 'all callers share one address',
  },
  {
    names: ['OPERATOR_API_TOKENS'],
    value: 'a token',
    why: 'the operator’s status requires an API token',
  },
  {
    names: ['PORT', 'METRICS_PORT'],
    value: '0',
    why: 'any free port; Prometheus needs METRICS_PORT',
  },
];
