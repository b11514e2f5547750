import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CURATOR_KEY,
  OWN_KEY,
  SWAP_KEY,
  environment,
  files,
  profile,
} from '@sotto/process-kit/environment';
import { Felts, silentLogger, toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { createRelayer, type Relayer, type RelayerOptions } from '../../src/index.js';
import { REMOVED_SETTINGS } from '../../src/environment/constants.js';
import { loadConfig } from '../../src/environment/load-config.js';
import { settingsOfOptions } from '../../src/relayer/options.js';
import { POOL, Site, accountOf, withdrawal } from '../support/site.js';
import { few, relay, verificationKey } from './few-options.js';

function problemsOf(make: () => unknown): readonly string[] {
  try {
    make();
  } catch (error) {
    const { problems }: { readonly problems: readonly string[] } = Object(error);
    return problems;
  }
  return [];
}

/** Returns options with this value at the path. */
function withOption(path: string, value: number): RelayerOptions {
  const [group = '', ...rest] = path.split('.');
  const inner = rest.reduceRight<unknown>((within, name) => ({ [name]: within }), value);
  return { ...few, [group]: { ...Object(Object(few)[group]), ...Object(inner) } };
}

/** Former options with the values of the constants that replaced them. */
const REMOVED: readonly (readonly [string, number])[] = [
  ['signer.timeoutMs', 5_000],
  ['retention.quotesMs', 86_400_000],
  ['retention.transfersMs', 7_776_000_000],
  ['staking.refreshMs', 10_000],
  ['staking.maxLendingAgeMs', 600_000],
  ['staking.maxPriceAgeMs', 14_400_000],
  ['staking.minPricePublishers', 4],
  ['staking.maxRewardsAgeMs', 86_400_000],
  ['engine.horizonMs', 86_400_000],
  ['guards.smallBatchBelow', 3],
  ['guards.slots.slots', 16],
];

describe('the options of a relayer', () => {
  it('the options of a relayer accept several nodes, with or without names', () => {
    const urls = ['own=https://one.example', 'https://two.example/?key=a=b'];
    expect(
      settingsOfOptions({ ...few, node: { urls } }).node.endpoints.map(({ name, url }) => [
        name,
        url.reveal(),
      ]),
    ).toEqual([
      ['own', 'https://one.example'],
      ['node-1', 'https://two.example/?key=a=b'],
    ]);
  });

  it('the options of a relayer have the same defaults as the environment variables', () => {
    const env = {
      NETWORK_PROFILE: '/etc/sotto/profile.json',
      STARKNET_RPC_URLS: 'https://node.example',
      RELAY_ACCOUNTS: JSON.stringify(relay),
      FEE_ADDRESS: '0xfee',
      PRICE_API_URL: 'https://prices.example',
      REWARDS_URL: 'https://lending.example',
      INSTANCE_ID: 'one',
    };
    const { node, ...settings } = settingsOfOptions({ ...few, engine: { instance: 'one' } });
    expect({ node, ...settings }).toEqual(loadConfig({ env, readFile: files() }));
    expect(node.endpoints.map(({ name, url }) => [name, url.reveal()])).toEqual([
      ['node-0', env.STARKNET_RPC_URLS],
    ]);
  });

  it('the options of a relayer set the same values as the environment variables', () => {
    const env = {
      ...environment,
      CURATOR_API_TOKENS: '',
      MODE: 'development',
      INSTANCE_ID: 'one',
      DATABASE_URL: 'postgres://user:password@host/database',
      DATABASE_POOL_SIZE: '3',
      NODE_TIMEOUT_MS: '500',
      RETIRING_ACCOUNTS: '0xacc5,0xacc7',
      ACCEPT_EMPTY_LEDGER: 'SN_TEST:0xacc1:7',
      PRICE_QUORUM: '1',
      MAX_PRICE_IMPACT_BPS: '250',
      PAUSED_POOLS: '{"one":"by us"}',
      PARTIAL_BATCHES: 'operator',
      LOSS_BUDGET_CLOSES: 'true',
      GAS_BUDGET_PER_POOL_FRI: '5',
      FEE_MARGIN_PERCENT: '30',
      KEEPER_TASKS: 'curator,treasury',
      KEEPER_SUBJECTS: '{"curator":["sentinel"]}',
      TREASURY_ACCOUNT: JSON.stringify({ address: '0xacca', privateKey: '0x1234' }),
      TREASURY_FLOORS: '{"relay":{"floor":"1","ceiling":"2"}}',
      DAILY_CLOSES_URLS: 'http://127.0.0.1:1/one,http://127.0.0.1:1/two',
    };
    const options: RelayerOptions = {
      mode: 'development',
      node: {
        url: environment['STARKNET_RPC_URLS'] ?? '',
        wsUrls: [environment['STARKNET_WS_URL'] ?? ''],
        readTimeoutMs: 500,
      },
      store: { url: 'postgres://user:password@host/database', poolSize: 3 },
      accounts: {
        relay,
        swapOwner: { address: '0xacc5', privateKey: SWAP_KEY },
        curator: { address: '0xacc7', privateKey: CURATOR_KEY },
        treasury: { address: '0xacca', privateKey: '0x1234' },
        retiring: ['0xacc5', '0xacc7'],
      },
      profile,
      verificationKey,
      feeAddress: '0xfee',
      prices: { apiUrl: environment['PRICE_API_URL'], quorum: 1 },
      swaps: { aggregatorUrl: environment['AGGREGATOR_URL'], maxPriceImpactBps: 250 },
      bridge: {
        url: environment['BRIDGE_URL'] ?? '',
        token: environment['BRIDGE_API_TOKEN'],
      },
      staking: { rewardsUrl: environment['REWARDS_URL'] },
      guards: {
        pausedPools: { one: 'by us' },
        partialBatches: { mode: 'operator' },
        limits: { lossBudgetCloses: true, hourlyGasPerPoolFri: 5n },
      },
      relay: { feeMarginPercent: 30n },
      engine: { instance: 'one', acceptEmptyLedger: 'SN_TEST:0xacc1:7' },
      keeper: {
        tasks: ['curator', 'treasury'],
        subjects: { curator: ['sentinel'] },
        treasury: { floors: { relay: { floor: 1n, ceiling: 2n } } },
        purchases: { closesUrls: ['http://127.0.0.1:1/one', 'http://127.0.0.1:1/two'] },
      },
    };
    const settings = settingsOfOptions(options);
    expect(settings).toEqual(loadConfig({ env, readFile: files() }));
    expect(settings.relay.firstAccount.privateKey?.reveal()).toBe(OWN_KEY);
  });

  it('wrong options are rejected with all problems at once, without the options’ values', () => {
    const wrong = {
      ...few,
      node: { url: 'http://node.example', readTimeoutMs: 1 },
      accounts: { relay: [{ address: '0xacc1', privateKey: 'marker-key' }] },
      feeAddress: undefined,
      prices: { maxDeviationBps: 10_001 },
      guards: { limits: { hourlyGasPerPoolFri: 0n, revertsInARoww: 3 } },
      swaps: { aggregatorUrl: 'https://swaps.example' },
      engine: { acceptEmptyLedger: 'SN_OTHER:0xacc1:7' },
      verificationKey: undefined,
    };
    const problems = problemsOf(() => settingsOfOptions(wrong));
    expect(problems.toSorted()).toEqual([
      "accounts.relay[0].privateKey: must be a private key: hex or decimal, above 0 and below the curve's order",
      'accounts.swapOwner: is required with swaps.aggregatorUrl',
      'engine.acceptEmptyLedger: names another chain than the network profile',
      'feeAddress: is required in production',
      'guards.limits.hourlyGasPerPoolFri: must be a whole number above 0',
      'guards.limits.revertsInARoww: there is no such option',
      'node.readTimeoutMs: must be a whole number from 100 to 120000',
      'node.url: must be an https URL in production',
      'prices.apiUrl: is required in production',
      'prices.maxDeviationBps: must be a whole number from 1 to 10000',
      'verificationKey: is required, because the network profile names no verification key',
    ]);
  });

  describe('that are constants now', () => {
    it.each(REMOVED)(
      'an option that is now a constant is ignored with a warning if its value equals the constant: %s',
      (option, value) => {
        expect(settingsOfOptions(withOption(option, value)).stale).toEqual([
          `${option} is no longer a setting: it is always ${value}; remove it`,
        ]);
      },
    );

    it.each(REMOVED)(
      'an option that is now a constant is rejected if its value differs from the constant: %s',
      (option, value) => {
        expect(problemsOf(() => settingsOfOptions(withOption(option, value + 1)))).toEqual([
          `${option}: is no longer a setting: it is always ${value}; remove it`,
        ]);
      },
    );

    it('each environment variable that became a constant has a matching option, except variables of the HTTP interface', () => {
      expect(REMOVED.map(([, value]) => value)).toEqual(
        [...REMOVED_SETTINGS].filter(([name]) => !name.startsWith('RATE_LIMIT')).map(([, v]) => v),
      );
    });

    it('the logger gets a warning for each option that is now a constant', async () => {
      const warned: unknown[] = [];
      const logger = { ...silentLogger, warn: (fields: object) => void warned.push(fields) };
      const folder = mkdtempSync(join(tmpdir(), 'sotto-removed-'));
      const store = { path: join(folder, 'ledger.sqlite') };
      const relayer = await createRelayer({
        ...withOption('signer.timeoutMs', 5_000),
        store,
        logger,
      });
      await relayer.stop();
      rmSync(folder, { recursive: true });
      expect(warned).toContainEqual({
        setting: 'signer.timeoutMs is no longer a setting: it is always 5000; remove it',
      });
    });
  });

  it('the options of a relayer are checked together with the profile', () => {
    const chain = { engine: { acceptEmptyLedger: 'SN_OTHER:0xacc1:7' } };
    expect(problemsOf(() => settingsOfOptions({ ...few, ...chain }))).toEqual([
      'engine.acceptEmptyLedger: names another chain than the network profile',
    ]);
    expect(
      problemsOf(() => settingsOfOptions({ ...few, profile: { ...profile, chainId: undefined } })),
    ).toEqual([expect.stringMatching(/^profile: chainId: /)]);
    const own = { ...few, accounts: { relay: [] }, profile: null };
    expect(problemsOf(() => settingsOfOptions(own))).toEqual([
      'accounts.relay: is required',
      expect.stringMatching(/^profile: /),
    ]);
  });
});

/** Relays a withdrawal of the note and returns its outcome. */
async function relayed(relayer: Relayer, note: bigint): Promise<string> {
  const { answer } = await relayer.submitWithdrawal.execute({
    poolAddress: toFelt(POOL.address),
    calldata: Felts.parse(withdrawal(note, 400n)),
    waitMs: 60_000,
  });
  return answer.kind;
}

describe('a relayer inside another program', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.start();
  });
  afterAll(() => site.stop());

  it('a relayer does not start if the node’s chain differs from the chain of its profile', async () => {
    const { profile: own } = site.options();
    const other = { ...Object(own), chainId: 'SN_OTHER' };
    const relayer = await createRelayer(site.options({ profile: other }));
    await expect(relayer.start()).rejects.toMatchObject({
      name: 'InvalidConfiguration',
      problems: ['node: the node serves another chain than the network profile names'],
    });
    await expect(relayer.getSubmission.execute('any')).rejects.toMatchObject({
      code: 'LEDGER_UNAVAILABLE',
    });
    await relayer.stop();
  });

  it('a relayer can start only once', async () => {
    const relayer = await createRelayer(site.options());
    await relayer.start();
    await expect(relayer.start()).rejects.toThrow('a relayer is started once');
    expect((await relayer.readiness.report()).checks['ledger']).toMatchObject({ ok: true });
    const metrics = await relayer.metrics.text();
    expect(metrics).toContain('sotto_');
    // The embedding program itself provides metrics of the process. The watcher that measures them
    // would never end.
    expect(metrics).not.toMatch(/^(?:process|nodejs)_/m);
    await Promise.all([relayer.stop(), relayer.stop()]);
    await expect(relayer.start()).rejects.toThrow('a relayer is started once');
  });

  it('a stopped relayer does not wait for its node any longer, and its start rejects', async () => {
    const relayer = await createRelayer(site.options({ node: { url: 'http://127.0.0.1:9' } }));
    const started = relayer.start();
    await Promise.all([
      expect(started).rejects.toThrow('stopped before it had started'),
      relayer.stop(),
    ]);
  });

  it('a relayer continues when another relayer in the same process stops', async () => {
    const { store } = site.options();
    const [one, other] = await Promise.all([
      createRelayer(site.options()),
      createRelayer(
        site.options({
          store: { path: `${Object(store).path}.other` },
          accounts: { relay: [accountOf(sandboxWorld.accounts.lane2)] },
        }),
      ),
    ]);
    await Promise.all([one.start(), other.start()]);
    expect(await Promise.all([relayed(one, 21n), relayed(other, 22n)])).toEqual([
      'executed',
      'executed',
    ]);
    await one.stop();
    expect(await other.readiness.report()).toMatchObject({ ready: true });
    await other.stop();
  });

  it('a relayer gets the lane of another relayer on the same store as soon as the other relayer stops', async () => {
    const one = await createRelayer(site.options());
    const other = await createRelayer(site.options());
    await one.start();
    await other.start();
    expect((await other.readiness.report()).checks['lanes']).toMatchObject({
      code: 'LANES_HELD_ELSEWHERE',
    });
    await one.stop();
    await eventually('the lane', async () => {
      const { checks } = await other.readiness.report();
      return checks['lanes']?.ok;
    });
    await other.stop();
  });

  it('a relayer rejects its start with the reason of the failure, even if it is stopped during the start', async () => {
    const { profile: own } = site.options();
    const other = { ...Object(own), chainId: 'SN_OTHER' };
    const relayer = await createRelayer(site.options({ profile: other }));
    const starting = relayer.start();
    await expect(Promise.all([starting, relayer.stop()])).rejects.toMatchObject({
      name: 'InvalidConfiguration',
    });
    await relayer.stop();
  });

  it('a relayer does not start on a store that contains transactions of a different chain', async () => {
    const { store } = site.options();
    const before = await createRelayer(site.options());
    await before.start();
    expect(await relayed(before, 1n)).toBe('executed');
    await before.stop();

    const restarted = await Site.start();
    const relayer = await createRelayer(restarted.options({ store }));
    await expect(relayer.start()).rejects.toMatchObject({
      problems: [expect.stringMatching(/^store: holds transactions of another chain/)],
    });
    await restarted.stop();
  });
});
