import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { profile } from '@sotto/process-kit/environment';
import { load, problemsOf, withProfile } from './configuration.js';

const account = (address: string): string => JSON.stringify({ address, privateKey: '0x1234' });

/** Contract for purchase orders in the development stack. */
const { purchases } = JSON.parse(
  readFileSync(new URL('../../../../apps/api/profiles/sandbox.json', import.meta.url), 'utf8'),
);

const DEVELOPMENT = { MODE: 'development' };
const TREASURY = {
  TREASURY_ACCOUNT: account('0x7ea5'),
  TREASURY_FLOORS: '{"relay": {"floor": "5000000000000000000", "ceiling": "50000000000000000000"}}',
};

const CONVERTING = {
  ...TREASURY,
  FEE_ADDRESS: '0x7ea5',
  AGGREGATOR_URL: 'http://127.0.0.1:1',
  PRICE_API_URL: 'http://127.0.0.1:1',
};
const conversions = (changes: object = {}, token = 'WBTC'): string =>
  JSON.stringify({
    [token]: { reserve: '0', least: '10', most: '20', perDay: '30', ...changes },
  });

describe('settings of the keeper', () => {
  it('the keeper has no task by default', () => {
    const { keeper, lanes } = load();
    expect(keeper.tasks).toEqual([]);
    expect(keeper.subjects.size).toBe(0);
    expect(lanes.map(({ role }) => role)).not.toContain('keeper');
    expect(keeper).toMatchObject({
      budget: { perHourFri: 50n * 10n ** 18n, perDayFri: 300n * 10n ** 18n },
      batches: { crowdWaitSeconds: 3_600, partialAfterSeconds: null },
      treasury: { account: null },
    });
  });

  it('the keeper’s tasks, their subjects and their accounts are read from its variables', () => {
    const { keeper, lanes } = load({
      ...DEVELOPMENT,
      ...TREASURY,
      KEEPER_TASKS: 'batches, treasury',
      KEEPER_SUBJECTS: '{"batches": ["one"]}',
      KEEPER_ACCOUNTS: `[${account('0x4ee1')}, ${account('0x4ee2')}]`,
    });
    expect(keeper.tasks).toEqual(['batches', 'treasury']);
    expect(keeper.subjects.get('batches')).toEqual(['one']);
    expect(keeper.treasury.levels.get('relay')).toEqual({
      floorFri: 5n * 10n ** 18n,
      ceilingFri: 50n * 10n ** 18n,
    });
    expect(lanes.map(({ address, role }) => [role, address])).toEqual(
      expect.arrayContaining([
        ['keeper', '0x4ee1'],
        ['keeper', '0x4ee2'],
        ['treasury', '0x7ea5'],
      ]),
    );
  });

  it('the tokens in which fees are swapped to STRK are read from TREASURY_CONVERSIONS', () => {
    expect(load({ ...DEVELOPMENT, ...CONVERTING }).keeper.treasury.conversions.size).toBe(0);
    const env = { ...DEVELOPMENT, ...CONVERTING, TREASURY_CONVERSIONS: conversions() };
    expect(load(env).keeper.treasury.conversions.get('WBTC')).toEqual({
      reserve: 0n,
      leastSold: 10n,
      mostSold: 20n,
      mostPerDay: 30n,
    });
  });

  it.each([
    ['TREASURY_CONVERSIONS', { TREASURY_CONVERSIONS: 'WBTC' }, /./],
    [
      'TREASURY_CONVERSIONS',
      { TREASURY_CONVERSIONS: conversions({ most: '9' }) },
      /the most must be at least the least/,
    ],
    [
      'TREASURY_CONVERSIONS',
      { TREASURY_CONVERSIONS: conversions({ perDay: '9' }) },
      /perDay must be at least the least/,
    ],
    [
      'TREASURY_CONVERSIONS',
      { TREASURY_CONVERSIONS: conversions({ least: '0' }) },
      /must be above 0/,
    ],
    [
      'TREASURY_CONVERSIONS',
      { TREASURY_CONVERSIONS: conversions({ reserve: '-1' }) },
      /must be a whole number in the token’s smallest unit/,
    ],
    [
      'TREASURY_CONVERSIONS',
      { TREASURY_CONVERSIONS: conversions({}, 'STRK') },
      /STRK is the token into which fees are swapped/,
    ],
    [
      'TREASURY_CONVERSIONS',
      { TREASURY_CONVERSIONS: conversions({}, 'DOGE') },
      /DOGE is no token of the network profile/,
    ],
    [
      'TREASURY_CONVERSIONS',
      { TREASURY_CONVERSIONS: conversions(), FEE_ADDRESS: '0xfee' },
      /needs FEE_ADDRESS to be the address of TREASURY_ACCOUNT/,
    ],
    [
      'TREASURY_ACCOUNT',
      { TREASURY_CONVERSIONS: conversions(), TREASURY_ACCOUNT: undefined },
      /is required with TREASURY_CONVERSIONS/,
    ],
    [
      'AGGREGATOR_URL',
      {
        TREASURY_CONVERSIONS: conversions(),
        AGGREGATOR_URL: undefined,
        SWAP_OWNER_ACCOUNT: undefined,
      },
      /is required with TREASURY_CONVERSIONS/,
    ],
    [
      'PRICE_API_URL',
      { TREASURY_CONVERSIONS: conversions(), PRICE_API_URL: undefined },
      /is required with TREASURY_CONVERSIONS/,
    ],
  ])(
    'rejects an invalid %s for fee swaps, and describes the problem (%j)',
    (name, env, problem) => {
      const problems = problemsOf({ ...DEVELOPMENT, ...CONVERTING, ...env });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(new RegExp(`^${name}[.:].*${problem.source}`, 's'));
    },
  );

  it.each([
    ['KEEPER_TASKS', { KEEPER_TASKS: 'batches,batches' }, /none of them twice/],
    ['KEEPER_TASKS', { KEEPER_TASKS: 'mining' }, /must be tasks separated by commas/],
    ['KEEPER_SUBJECTS', { KEEPER_SUBJECTS: '{"mining": ["x"]}' }, /./],
    [
      'TREASURY_ACCOUNT',
      { KEEPER_TASKS: 'treasury', TREASURY_FLOORS: TREASURY.TREASURY_FLOORS },
      /required where KEEPER_TASKS has treasury/,
    ],
    [
      'CURATOR_ACCOUNT',
      { KEEPER_TASKS: 'curator', CURATOR_ACCOUNT: undefined, CURATOR_API_TOKEN: undefined },
      /required where KEEPER_TASKS has curator/,
    ],
    [
      'KEEPER_GAS_PER_HOUR_FRI',
      { KEEPER_GAS_PER_HOUR_FRI: '20', KEEPER_GAS_PER_DAY_FRI: '10' },
      /at most KEEPER_GAS_PER_DAY_FRI/,
    ],
    [
      'TREASURY_FLOORS',
      { TREASURY_FLOORS: '{"relay": {"floor": "20", "ceiling": "10"}}' },
      /ceiling must be at least the floor/,
    ],
    [
      'DAILY_CLOSES_URLS',
      { DAILY_CLOSES_URLS: 'https://a.example,https://a.example' },
      /is listed twice/,
    ],
    [
      'TREASURY_ACCOUNT',
      { LEVERAGE_REPAY_PER_DAY_USDC: '10' },
      /is required with LEVERAGE_REPAY_PER_DAY_USDC/,
    ],
    [
      'LEVERAGE_MAX_ROUND_USDC',
      { LEVERAGE_MIN_ROUND_USDC: '20', LEVERAGE_MAX_ROUND_USDC: '10' },
      /at least LEVERAGE_MIN_ROUND_USDC/,
    ],
  ])(
    'rejects an invalid %s of the keeper, and describes the problem (%j)',
    (name, env, problem) => {
      const problems = problemsOf({ ...DEVELOPMENT, ...env });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(new RegExp(`^${name}[.:].*${problem.source}`, 's'));
    },
  );

  it('rejects the keeper’s batch task for a pool whose contract deploys its batches automatically', () => {
    const env = {
      ...DEVELOPMENT,
      KEEPER_TASKS: 'batches',
      KEEPER_SUBJECTS: '{"batches": ["one"]}',
    };
    const pools = profile.pools.map((pool) => ({ ...pool, deploysItself: true }));
    expect(problemsOf(env, withProfile({ pools }))).toEqual([
      expect.stringMatching(/^KEEPER_SUBJECTS: batches does not check "one"/),
    ]);
  });

  it.each([
    [
      { KEEPER_TASKS: 'curator', KEEPER_SUBJECTS: '{"curator": ["sentinel", "sentinal", "9"]}' },
      'curator does not check "sentinal", "9", but checks: sentinel',
    ],
    [
      { KEEPER_TASKS: 'batches', KEEPER_SUBJECTS: '{"batches": ["two"]}' },
      'batches does not check "two", but checks: one',
    ],
    [
      { ...TREASURY, KEEPER_TASKS: 'treasury', KEEPER_SUBJECTS: '{"treasury": ["relay-1"]}' },
      'treasury does not check "relay-1", but checks: relay-0',
    ],
    [
      {
        ...CONVERTING,
        TREASURY_CONVERSIONS: conversions(),
        KEEPER_TASKS: 'treasury',
        KEEPER_SUBJECTS: '{"treasury": ["fees:USDC", "relay-0", "fees:WBTC"]}',
      },
      'treasury does not check "fees:USDC", but checks: relay-0, fees:WBTC',
    ],
  ])('rejects keeper subjects of a kind that their task does not check: %j', (env, problem) => {
    expect(problemsOf({ ...DEVELOPMENT, ...env })).toEqual([`KEEPER_SUBJECTS: ${problem}`]);
  });

  it('rejects subjects of the purchases task that are not order ids', () => {
    const env = {
      ...CONVERTING,
      KEEPER_TASKS: 'purchases',
      KEEPER_ACCOUNTS: `[${account('0x4ee1')}]`,
      KEEPER_SUBJECTS: '{"purchases": ["17", "order 18", "018"]}',
    };
    expect(problemsOf({ ...DEVELOPMENT, ...env }, withProfile({ purchases }))).toEqual([
      'KEEPER_SUBJECTS: purchases does not check "order 18", "018", but checks: ids of orders, in decimal',
    ]);
  });

  it('rejects a treasury floor for a role that no account has', () => {
    const floor = { floor: '1', ceiling: '2' };
    const env = {
      ...DEVELOPMENT,
      ...TREASURY,
      TREASURY_FLOORS: JSON.stringify({ relay: floor, keeper: floor }),
    };
    expect(problemsOf({ ...env, KEEPER_TASKS: 'treasury' })).toEqual([
      'TREASURY_FLOORS: no account has the role keeper',
    ]);
    expect(problemsOf(env)).toEqual([]);
  });

  it('accepts keeper subjects of a task that this process does not run', () => {
    const env = { ...DEVELOPMENT, KEEPER_SUBJECTS: '{"treasury": ["keeper-0"]}' };
    expect(load(env).keeper.subjects.get('treasury')).toEqual(['keeper-0']);
  });

  it('rejects a configuration in which one account signs for two roles', () => {
    const { relay } = load();
    const [lane] = relay.accounts;
    expect(
      problemsOf({
        ...DEVELOPMENT,
        ...TREASURY,
        TREASURY_ACCOUNT: account(lane?.address ?? ''),
      }),
    ).toEqual([expect.stringMatching(/^TREASURY_ACCOUNT: must be none of the other accounts/)]);
  });

  it('rejects a keeper task if the network profile does not contain the contracts of the task', () => {
    const env = {
      ...DEVELOPMENT,
      KEEPER_TASKS: 'purchases,leverage',
      KEEPER_ACCOUNTS: `[${account('0x4ee1')}]`,
      CURATOR_ACCOUNT: account('0xc4a7'),
      AGGREGATOR_URL: 'http://127.0.0.1:1',
      PRICE_API_URL: 'http://127.0.0.1:1',
    };
    expect(problemsOf(env)).toEqual([
      'KEEPER_TASKS: purchases needs purchases, the contract of orders, in the network profile',
      'KEEPER_TASKS: leverage needs a vault with leverage in the network profile',
    ]);
  });
});
