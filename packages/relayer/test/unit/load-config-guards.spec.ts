import { describe, expect, it } from '@jest/globals';
import { load, problemsOf, withProfile } from './configuration.js';

const LONG_TOKEN = 'b'.repeat(32);
const STRK = 10n ** 18n;

describe('the configuration of guards and operator', () => {
  it('the guards and the operator’s controls have limits by default', () => {
    const { guards, operator, http, engine } = load();
    expect(guards).toEqual({
      deposits: { perDepositor: 6, perNetwork: 12, perPool: 24, leafReserve: 24 },
      limits: {
        revertsInARow: 5,
        lossesInARow: 10,
        upstreamFailuresInARow: 10,
        pauseMs: 60_000,
        hourlyGasPerPoolFri: 2_000n * STRK,
        hourlyGasInAllFri: 5_000n * STRK,
        hourlyLossPerPoolFri: 20n * STRK,
        callerLossPercent: 25,
        lossBudgetCloses: false,
        swapRevertsPerNote: 6,
      },
      // The swap pool is counted as a second pool, so a single pool may not use all slots.
      slots: { slots: 16, slotsPerName: 12, waitingPerName: 64 },
      partialBatches: { mode: 'aged', minAgeMs: 86_400_000 },
      smallBatchBelow: 3,
      paused: new Map(),
    });
    expect(operator.tokens).toEqual([]);
    expect(engine).toMatchObject({ maxWaitingPerRole: 200, attentionAfterMs: 300_000 });
    expect(http).toMatchObject({
      inFlight: { inAll: 1_024, perClient: 128 },
      connections: { inAll: 8_192, perClient: 512 },
      shared: null,
      shutdownDrainMs: 1_000,
      console: false,
    });
  });

  it('S6: batches of any size can be deployed by any caller only in development or with the operator’s permission', () => {
    expect(load({ MODE: 'development' }).guards.partialBatches.mode).toBe('anyone');
    const chosen = { PARTIAL_BATCHES: 'operator', PARTIAL_BATCH_MIN_AGE_MS: '3600000' };
    for (const MODE of ['production', 'development']) {
      expect(load({ MODE, ...chosen }).guards.partialBatches).toEqual({
        mode: 'operator',
        minAgeMs: 3_600_000,
      });
    }
    expect(problemsOf({ PARTIAL_BATCHES: 'everyone' })).toEqual([
      'PARTIAL_BATCHES: must be anyone, aged or operator',
    ]);
  });

  it('production settings are rejected if they allow batches with small crowds', () => {
    const careless = { PARTIAL_BATCHES: 'anyone', BATCH_PARTIAL_AFTER_SECONDS: '0' };
    expect(problemsOf(careless)).toEqual([
      'PARTIAL_BATCHES: must be aged or operator in production: else a stranger makes crowds of one',
      'BATCH_PARTIAL_AFTER_SECONDS: must not be 0 in production: the keeper would deploy every pair of deposits at once',
    ]);
    expect(problemsOf({ MODE: 'development', ...careless })).toEqual([]);
  });

  it('no weak settings are reported by default', () => {
    expect(load().weak).toEqual([]);
  });

  it.each([
    [
      'BATCH_PARTIAL_AFTER_SECONDS',
      { BATCH_PARTIAL_AFTER_SECONDS: '3599' },
      { BATCH_PARTIAL_AFTER_SECONDS: '3600' },
    ],
    [
      'PARTIAL_BATCH_MIN_AGE_MS',
      { PARTIAL_BATCH_MIN_AGE_MS: '0' },
      { PARTIAL_BATCH_MIN_AGE_MS: '0', PARTIAL_BATCHES: 'operator' },
    ],
    [
      'DEPOSITS_PER_HOUR_PER_POOL is more than the leaves of a tree',
      { DEPOSITS_PER_HOUR_PER_POOL: '1001' },
      { DEPOSITS_PER_HOUR_PER_POOL: '30' },
    ],
    [
      'DEPOSITS_PER_HOUR_PER_POOL is more than the 30 roots',
      { DEPOSITS_PER_HOUR_PER_POOL: '31' },
      { DEPOSITS_PER_HOUR_PER_POOL: '30' },
    ],
    [
      'DEPOSITS_PER_HOUR_PER_NETWORK',
      { DEPOSITS_PER_HOUR_PER_NETWORK: '25' },
      { DEPOSITS_PER_HOUR_PER_NETWORK: '24' },
    ],
    ['DEPOSIT_LEAF_RESERVE', { DEPOSIT_LEAF_RESERVE: '0' }, { DEPOSIT_LEAF_RESERVE: '1' }],
    [
      'LOSS_BUDGET_CALLER_PERCENT',
      { LOSS_BUDGET_CALLER_PERCENT: '100' },
      { LOSS_BUDGET_CALLER_PERCENT: '25' },
    ],
    ['LOSS_BUDGET_CLOSES', { LOSS_BUDGET_CLOSES: 'true' }, { LOSS_BUDGET_CLOSES: 'false' }],
    [
      'MAX_REQUESTS_IN_FLIGHT_PER_CLIENT',
      { MAX_REQUESTS_IN_FLIGHT_PER_CLIENT: '1024' },
      { MAX_REQUESTS_IN_FLIGHT_PER_CLIENT: '1023' },
    ],
    ['PRICE_MAX_AGE_MS', { PRICE_MAX_AGE_MS: '3600001' }, { PRICE_MAX_AGE_MS: '3600000' }],
    [
      'PRICE_MAX_DEVIATION_BPS',
      { PRICE_MAX_DEVIATION_BPS: '501' },
      { PRICE_MAX_DEVIATION_BPS: '500' },
    ],
  ])('the start warns of a setting that weakens a guard: %s', (name, weak, fine) => {
    expect(load(weak).weak).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
    expect(load(fine).weak).toEqual([]);
  });

  it('a profile with more than 20 account classes causes a warning', () => {
    const classes = Array.from({ length: 21 }, (_, index) => `0x${(index + 1).toString(16)}`);
    expect(load({}, withProfile({ knownAccountClasses: classes })).weak).toEqual([
      expect.stringMatching(/^NETWORK_PROFILE: knownAccountClasses has more than 20 classes/),
    ]);
    expect(load({}, withProfile({ knownAccountClasses: classes.slice(1) })).weak).toEqual([]);
    expect(problemsOf({}, withProfile({ knownAccountClasses: ['0x1', '0x01'] }))).toEqual([
      'NETWORK_PROFILE: knownAccountClasses: lists a class twice',
    ]);
    const guard = { address: '0x6a4d', classHash: '0xc1a5' };
    expect(problemsOf({}, withProfile({ guard, knownAccountClasses: ['0xc1a5'] }))).toEqual([
      'NETWORK_PROFILE: knownAccountClasses: lists the class of the guard, which is no account',
    ]);
  });

  it('each setting of the guards and of the operator’s controls is read from its environment variable', () => {
    const { guards, operator, http, engine } = load({
      BREAKER_REVERTS: '2',
      BREAKER_LOSSES: '3',
      BREAKER_UPSTREAM_FAILURES: '4',
      BREAKER_PAUSE_MS: '5000',
      GAS_BUDGET_PER_POOL_FRI: '6',
      GAS_BUDGET_IN_ALL_FRI: '7',
      LOSS_BUDGET_PER_POOL_FRI: '8',
      LOSS_BUDGET_CALLER_PERCENT: '50',
      LOSS_BUDGET_CLOSES: 'true',
      SWAP_REVERTS_PER_NOTE: '3',
      ADMISSION_QUEUE: '9',
      MAX_REQUESTS_IN_FLIGHT: '10',
      MAX_REQUESTS_IN_FLIGHT_PER_CLIENT: '11',
      SHUTDOWN_DRAIN_MS: '12',
      MAX_CONNECTIONS: '20',
      MAX_CONNECTIONS_PER_CLIENT: '21',
      SHARED_PORT: '22',
      MAX_WAITING_PER_ROLE: '13',
      ATTENTION_AFTER_MS: '60000',
      PAUSED_POOLS: '{"one": "upgrade"}',
      OPERATOR_API_TOKENS: JSON.stringify({ default: LONG_TOKEN }),
      CONSOLE: 'true',
    });
    expect(guards.limits).toEqual({
      revertsInARow: 2,
      lossesInARow: 3,
      upstreamFailuresInARow: 4,
      pauseMs: 5_000,
      hourlyGasPerPoolFri: 6n,
      hourlyGasInAllFri: 7n,
      hourlyLossPerPoolFri: 8n,
      callerLossPercent: 50,
      lossBudgetCloses: true,
      swapRevertsPerNote: 3,
    });
    expect(guards.slots).toEqual({ slots: 16, slotsPerName: 12, waitingPerName: 9 });
    expect(guards.paused).toEqual(new Map([['0xaa1', 'upgrade']]));
    expect(http).toMatchObject({
      inFlight: { inAll: 10, perClient: 11 },
      connections: { inAll: 20, perClient: 21 },
      shared: { host: '127.0.0.1', port: 22 },
      shutdownDrainMs: 12,
      console: true,
    });
    expect(engine).toMatchObject({ maxWaitingPerRole: 13, attentionAfterMs: 60_000 });
    expect(operator.tokens.map(({ name, token }) => [name, token.reveal()])).toEqual([
      ['default', LONG_TOKEN],
    ]);
  });

  it('the limits reserve slots for other pools if the profile contains several pools', () => {
    const pools = ['0xaa1', '0xaa2'].map((address, index) => ({
      key: `pool${index}`,
      address,
      token: 'WBTC',
      kind: 'withdraw',
    }));
    expect(load({}, withProfile({ pools })).guards.slots).toEqual({
      slots: 16,
      slotsPerName: 12,
      waitingPerName: 64,
    });
  });

  it.each([
    [
      'a pause of a pool that is not served',
      { PAUSED_POOLS: '{"two": "x"}' },
      ['PAUSED_POOLS: names a pool that is not in the network profile'],
    ],
    [
      'a pause without a reason',
      { PAUSED_POOLS: '{"one": ""}' },
      [expect.stringMatching(/^PAUSED_POOLS: must be JSON/)],
    ],
    [
      'a pause that is no JSON',
      { PAUSED_POOLS: 'one' },
      [expect.stringMatching(/^PAUSED_POOLS: must be JSON/)],
    ],
    [
      'a budget of nothing',
      { GAS_BUDGET_PER_POOL_FRI: '0' },
      ['GAS_BUDGET_PER_POOL_FRI: must be a whole number above 0'],
    ],
    [
      'a pause that is too long',
      { BREAKER_PAUSE_MS: '3600001' },
      ['BREAKER_PAUSE_MS: must be a whole number from 1000 to 3600000'],
    ],
    [
      'a queue for no one',
      { MAX_WAITING_PER_ROLE: '0' },
      ['MAX_WAITING_PER_ROLE: must be a whole number from 1 to 100000'],
    ],
    [
      'attention before a transaction is sent again',
      { ATTENTION_AFTER_MS: '30000' },
      [
        'ATTENTION_AFTER_MS: must be above RESEND_AFTER_MS: before that nothing is wrong with a nonce',
      ],
    ],
    [
      'leases of several instances that run out between two looks',
      { DATABASE_URL: 'postgres://u:p@db:5432/sotto', IDLE_INTERVAL_MS: '30000' },
      ['LEASE_TTL_MS: must be above IDLE_INTERVAL_MS, which is how often leases are renewed'],
    ],
    [
      'a console that nothing signs in to',
      { CONSOLE: 'true' },
      ['CONSOLE: needs OPERATOR_API_TOKENS, which sign in to it'],
    ],
    [
      'a short token',
      { OPERATOR_API_TOKEN: 'short' },
      ['OPERATOR_API_TOKEN: must have 32 characters or more in production'],
    ],
    [
      'short tokens',
      { OPERATOR_API_TOKENS: '{"a": "short"}' },
      ['OPERATOR_API_TOKENS: must have 32 characters or more in production'],
    ],
    [
      'tokens in both forms',
      { OPERATOR_API_TOKEN: LONG_TOKEN, OPERATOR_API_TOKENS: JSON.stringify({ a: LONG_TOKEN }) },
      ['OPERATOR_API_TOKEN: give either OPERATOR_API_TOKEN or OPERATOR_API_TOKENS, not both'],
    ],
  ])('rejects settings of the guards or of the operator’s controls: %s', (_, env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });
});
