import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpBridgeProtocol, OneClickBridgeProtocol } from '@sotto/adapter-http/bridge';
import { OpenedStore } from '@sotto/adapter-store';
import {
  BridgeProtocol,
  GetTransferStatus,
  ListRoutes,
  QuoteTransfer,
  TransferStore,
} from '@sotto/bridge-core';
import { TASK_NAMES } from '@sotto/facts';
import { LoopbackUpstream } from '@sotto/http-client/testing';
import { KeeperTask, skipped } from '@sotto/keeper-core';
import { Felts, toFelt, BackgroundTask, Logger, silentLogger } from '@sotto/kernel';
import { FairValues } from '@sotto/market-core';
import { QuoteStore, type FeeQuote } from '@sotto/relayer-core';
import { ListStakingPools, RewardProgramme } from '@sotto/staking-core';
import {
  Revalidator,
  SubmissionEngine,
  Submissions,
  type WantedSubmission,
} from '@sotto/submission-core';
import { notRecipients } from '@sotto/network-profile';
import { ClosesSources, PriceSources, StartWarning } from '../../src/composition/bindings.js';
import { createContainer, type AppContainer } from '../../src/composition/container.js';
import { Partners } from '../../src/composition/partners.js';
import { keeperModules, relayerModules } from '../../src/composition/relayer-modules.js';
import { loadConfig } from '../../src/environment/load-config.js';
import type { Settings } from '../../src/environment/settings.js';
import { environment, files, profile } from '@sotto/process-kit/environment';

/** Day 2026-01-01, as the number of days since 1970-01-01. */
const JAN_1_2026 = Date.UTC(2026, 0, 1) / 86_400_000;

/** Contracts for purchase orders and leverage in the development stack. */
const { purchases, vaults: sandboxVaults } = JSON.parse(
  readFileSync(new URL('../../../../apps/api/profiles/sandbox.json', import.meta.url), 'utf8'),
);

const [leverage] = sandboxVaults.flatMap((vault: { readonly leverage?: object }) =>
  vault.leverage === undefined ? [] : [vault.leverage],
);

const submission: WantedSubmission = {
  key: 'chain|pool|nullifier',
  effect: 'effect',
  fingerprint: 'fingerprint',
  kind: 'withdraw',
  subject: toFelt('0xaa1'),
  memo: 'memo',
  role: 'relay',
  target: { to: toFelt('0xaa1'), entrypoint: 'withdraw' },
  calldata: Felts.of([1n]),
  limits: { l2Gas: 1n, l1Gas: 1n, l1DataGas: 1n, priceMultiplier: 1n },
  terms: null,
  replayProtected: true,
};
const quote: FeeQuote = {
  id: 'unguessable',
  chainId: toFelt('0x1'),
  pool: toFelt('0xaa1'),
  relayer: toFelt('0xfee'),
  operation: 'withdraw',
  leafIndex: null,
  feeAmount: 166n,
  expiresAtMs: 0,
};

describe('composition by settings', () => {
  let folder: string;
  let container: AppContainer | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-'));
  });
  afterEach(async () => {
    await container?.unbindAllAsync();
    rmSync(folder, { recursive: true });
  });

  function composed(
    env: Readonly<Record<string, string | undefined>> = {},
    more: Readonly<Record<string, string>> = {},
    change: (settings: Settings) => Settings = (settings) => settings,
  ): AppContainer {
    const own = { DATABASE_PATH: join(folder, 'ledger.sqlite'), LOG_LEVEL: 'silent' };
    container = createContainer(
      ...relayerModules(
        change(loadConfig({ env: { ...environment, ...own, ...env }, readFile: files(more) })),
      ),
    );
    return container;
  }

  it('the relayer queries the oracle’s prices before the prices of the second source', async () => {
    const sources = await composed().getAsync(PriceSources);
    expect(sources.all.map(({ name }) => name)).toEqual(['pragma', 'impulse']);
  });

  it('the relayer queries only the oracle if a development configuration contains no second price source', async () => {
    const sources = await composed({ MODE: 'development', PRICE_API_URL: undefined }).getAsync(
      PriceSources,
    );
    expect(sources.all.map(({ name }) => name)).toEqual(['pragma']);
  });

  it('the relayer rejects bridge transfers if no bridge is configured', async () => {
    const without = composed({ BRIDGE_URL: undefined, BRIDGE_API_TOKEN: undefined });
    const [quotes, transfers, routes] = [
      await without.getAsync(QuoteTransfer),
      await without.getAsync(GetTransferStatus),
      await without.getAsync(ListRoutes),
    ];
    const disabled = { code: 'BRIDGE_DISABLED', kind: 'unavailable' };
    const transfer = {
      fromChain: 'base',
      fromToken: 'ETH',
      toChain: 'starknet',
      toToken: 'STRK',
      amount: '1',
      dryRun: true,
    };
    await expect(quotes.execute(transfer)).rejects.toMatchObject(disabled);
    await expect(transfers.execute({ transactionId: 'any' })).rejects.toMatchObject(disabled);
    expect(() => routes.execute()).toThrow(expect.objectContaining(disabled));
  });

  it.each([
    ['spec', HttpBridgeProtocol],
    ['oneclick', OneClickBridgeProtocol],
  ])(
    'the setting BRIDGE_PROTOCOL selects the adapter for the bridge protocol %s',
    async (protocol, adapter) => {
      expect(await composed({ BRIDGE_PROTOCOL: protocol }).getAsync(BridgeProtocol)).toBeInstanceOf(
        adapter,
      );
    },
  );

  it('T17: the reward rate is null if no source of rewards is configured', async () => {
    const rewards = await composed({ MODE: 'development', REWARDS_URL: undefined }).getAsync(
      RewardProgramme,
    );
    expect(await rewards.supplyAprE18({ pool: toFelt('0x1'), asset: toFelt('0x2') })).toBeNull();
  });

  it('the relayer returns no yields and reads no lending pools if its profile contains no lending pools', async () => {
    const without = composed(
      {},
      { '/etc/sotto/profile.json': JSON.stringify({ ...profile, lendingPools: undefined }) },
    );
    expect(await (await without.getAsync(ListStakingPools)).execute()).toEqual([]);
    expect((await without.getAllAsync(BackgroundTask)).map(({ name }) => name)).toEqual([
      'audit',
      'learning of gas',
      'swap pins',
      'sweep',
      'the watch over tasks of the keeper',
      'inspection of contracts',
    ]);
  });

  it('T17: the relayer counts unusable elements of each partner, including sources of daily closing prices', async () => {
    const upstream = await LoopbackUpstream.start();
    upstream.answer(200, '[{"date":"2026-01-01","valueUsd":1},{"date":"2026-01-02","valueUsd":0}]');
    const service = composed(
      {
        MODE: 'development',
        KEEPER_TASKS: 'purchases',
        KEEPER_ACCOUNTS: JSON.stringify([{ address: '0xacc9', privateKey: '0x1234' }]),
        DAILY_CLOSES_URLS: `http://127.0.0.1:1/one,${upstream.url}`,
        AGGREGATOR_URL: 'http://127.0.0.1:1',
        PRICE_API_URL: 'http://127.0.0.1:1',
      },
      { '/etc/sotto/profile.json': JSON.stringify({ ...profile, purchases }) },
    );
    try {
      const { all } = await service.getAsync(ClosesSources);
      expect(await all[1]?.closes(JAN_1_2026, JAN_1_2026 + 1)).toHaveLength(1);
    } finally {
      await upstream.stop();
    }
    const partners = await service.getAsync(Partners);
    const counts = partners.all.map(({ partner, leftOut }) => [partner, leftOut]);
    expect(counts).toContainEqual(['closes-1', 0]);
    expect(counts).toContainEqual(['closes-2', 1]);
  });

  it.each([
    [undefined, 0],
    ['http://127.0.0.1:1/one', 1],
    ['http://127.0.0.1:1/one,http://127.0.0.1:1/two', null],
  ])(
    'the keeper warns at its start if smart orders lack two sources of daily closing prices: %s',
    async (urls, sources) => {
      const lines: object[] = [];
      const service = composed(
        {
          MODE: 'development',
          KEEPER_TASKS: 'purchases',
          KEEPER_ACCOUNTS: JSON.stringify([{ address: '0xacc9', privateKey: '0x1234' }]),
          DAILY_CLOSES_URLS: urls,
          AGGREGATOR_URL: 'http://127.0.0.1:1',
          PRICE_API_URL: 'http://127.0.0.1:1',
        },
        { '/etc/sotto/profile.json': JSON.stringify({ ...profile, purchases }) },
      );
      await service.unbindAsync(Logger);
      const warn: Logger['warn'] = (fields, message) => void lines.push({ ...fields, message });
      service.bind(Logger).toConstantValue({ ...silentLogger, warn });
      for (const warning of await service.getAllAsync(StartWarning)) await warning.warn();
      const message = expect.stringMatching(/^smart orders are off: .*DAILY_CLOSES_URLS/);
      expect(lines.filter((line) => 'sources' in line)).toEqual(
        sources === null ? [] : [{ sources, message }],
      );
    },
  );

  it('the relayer creates no audit task if the audit is disabled', async () => {
    const without = composed({ AUDIT_INTERVAL_MS: '0' });
    expect((await without.getAllAsync(BackgroundTask)).map(({ name }) => name)).not.toContain(
      'audit',
    );
  });

  it('the relayer marks the lanes of accounts in RETIRING_ACCOUNTS', async () => {
    const engine = await composed({ RETIRING_ACCOUNTS: '0xacc7' }).getAsync(SubmissionEngine);
    expect(engine.status().lanes.map(({ isRetiring }) => isRetiring)).toEqual([false, false, true]);
  });

  it('the relayer creates a lane for each account, with the role for which the account may sign', async () => {
    const engine = await composed().getAsync(SubmissionEngine);
    expect(engine.status().lanes.map(({ address, role }) => [address, role])).toEqual([
      ['0xacc1', 'relay'],
      ['0xacc5', 'swap_owner'],
      ['0xacc7', 'curator'],
    ]);
  });

  it('the curator’s lane exists even if no curator token is configured', async () => {
    const silent = { CURATOR_API_TOKENS: undefined };
    expect(
      loadConfig({ env: { ...environment, ...silent }, readFile: files() }).curator.tokens,
    ).toEqual([]);
    const engine = await composed(silent).getAsync(SubmissionEngine);
    expect(engine.status().lanes.map(({ role }) => role)).toContain('curator');
  });

  it('each role has a separate queue with the maximum length from the settings', async () => {
    const submissions = await composed({ MAX_WAITING_PER_ROLE: '1' }).getAsync(Submissions);
    const { key, role } = submission;
    expect(await submissions.checkQueueCapacity(role)).toBeNull();
    await submissions.submit(submission);
    expect(await submissions.checkQueueCapacity(role)).toMatchObject({ code: 'QUEUE_FULL' });
    expect(await submissions.checkQueueCapacity('curator')).toBeNull();
    await expect(submissions.submit({ ...submission, key: `${key}1` })).rejects.toMatchObject({
      code: 'QUEUE_FULL',
    });
  });

  it('a vault’s deployment whose attempt lost its nonce is not rejected by the revalidation', async () => {
    const service = composed();
    const [readmission, submissions] = [
      await service.getAsync(Revalidator),
      await service.getAsync(Submissions),
    ];
    const { attempt } = await submissions.submit({
      ...submission,
      role: 'curator',
      kind: 'deploy_idle_funds',
      memo: '100000',
    });
    expect(await readmission.rejectionOf(attempt)).toBeNull();
  });

  it('the sweep deletes only quotes and transfers whose retention time is over', async () => {
    const service = composed({}, {}, (settings) => ({
      ...settings,
      retention: { ...settings.retention, quotesMs: 60_000, transfersMs: 172_800_000 },
    }));
    const [quotes, transfers, tasks] = [
      await service.getAsync(QuoteStore),
      await service.getAsync(TransferStore),
      await service.getAllAsync(BackgroundTask),
    ];
    const nowMs = Date.now();
    await quotes.add({ ...quote, id: 'over', expiresAtMs: nowMs - 61_000 });
    await quotes.add({ ...quote, id: 'just over', expiresAtMs: nowMs - 30_000 });
    const seen = {
      completedAtSeconds: [],
      next: 'processing',
      txHashes: {},
      refunded: false,
      terms: null,
      observedAtMs: nowMs,
      unconfirmedSinceSeconds: null,
      isDepositIncomplete: false,
      amounts: { output: null, shortfall: null, deposited: null, missing: null, refunded: null },
      reasonText: null,
    } as const;
    const quoted = { ...seen, next: 'pending' } as const;
    await transfers.update('old', nowMs - 172_900_000, () => seen);
    await transfers.update('young', nowMs - 172_000_000, () => seen);
    await transfers.update('old without a deposit', nowMs - 86_500_000, () => quoted);
    await transfers.update('young without a deposit', nowMs - 86_000_000, () => quoted);
    await tasks.find(({ name }) => name === 'sweep')?.run(new AbortController().signal);
    expect([await quotes.find('over'), (await quotes.find('just over'))?.id]).toEqual([
      null,
      'just over',
    ]);
    expect([await transfers.get('old'), await transfers.get('young')]).toEqual([null, seen]);
    expect(await transfers.get('old without a deposit')).toBeNull();
    expect(await transfers.get('young without a deposit')).toEqual(quoted);
  });

  it('the sweep deletes the keeper’s records of subjects that are no longer checked', async () => {
    const service = composed();
    const [{ taskBook }, tasks] = [
      await service.getAsync(OpenedStore),
      await service.getAllAsync(BackgroundTask),
    ];
    for (const order of ['1', '2']) await taskBook.note('purchases', order, skipped('ORDER_ENDED'));
    const database = new DatabaseSync(join(folder, 'ledger.sqlite'));
    const count = () => database.prepare('select count(*) as rows from task_looks').get()?.['rows'];
    const [oldMs, youngMs] = [8, 6].map((days) => Date.now() - days * 86_400_000);
    database.exec(`update task_looks set at_ms = ${youngMs} where subject = '2'`);
    database.exec(`insert into task_looks (task, subject, at_ms, reason, details)
      with recursive numbers (i) as (select 3 union all select i + 1 from numbers where i < 1600)
      select 'purchases', cast(i as text), ${oldMs}, 'ORDER_ENDED', '{}' from numbers`);
    expect(count()).toBe(1_600);
    const sweep = tasks.find(({ name }) => name === 'sweep');
    await sweep?.run(new AbortController().signal);
    expect(count()).toBe(600);
    await sweep?.run(new AbortController().signal);
    expect(count()).toBe(2);
    database.close();
  });

  it('S3: no swap is offered into a token without two price sources', async () => {
    const alone = composed({ MODE: 'development', PRICE_API_URL: undefined });
    expect(await (await alone.getAsync(FairValues)).offered()).toEqual([]);
    await alone.unbindAllAsync();
    const tokens = { ...profile.tokens, LORDS: { address: '0x10', decimals: 18 } };
    const swapPool = { ...profile.swapPool, outputTokens: ['LORDS', 'USDC'] };
    const unpaired = composed(
      {},
      { '/etc/sotto/profile.json': JSON.stringify({ ...profile, tokens, swapPool }) },
    );
    expect(
      (await (await unpaired.getAsync(FairValues)).offered()).map(({ symbol }) => symbol),
    ).toEqual(['USDC']);
    await unpaired.unbindAllAsync();
    const oracle = { ...profile.oracle, pairs: { LORDS: 'LORDS/USD' } };
    const paired = composed(
      {},
      { '/etc/sotto/profile.json': JSON.stringify({ ...profile, tokens, swapPool, oracle }) },
    );
    expect(
      (await (await paired.getAsync(FairValues)).offered()).map(({ symbol }) => symbol),
    ).toEqual(['LORDS', 'USDC']);
  });
});

const account = (address: string): object => ({ address, privateKey: '0x1234' });

describe('modules of a keeper', () => {
  it('the keeper’s modules contain every keeper task, but no task of the service', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sotto-'));
    const env = {
      MODE: 'development',
      LOG_LEVEL: 'silent',
      DATABASE_PATH: join(folder, 'ledger.sqlite'),
      KEEPER_TASKS: TASK_NAMES.join(','),
      KEEPER_ACCOUNTS: JSON.stringify([account('0xacc9')]),
      TREASURY_ACCOUNT: JSON.stringify(account('0xacca')),
      TREASURY_FLOORS: JSON.stringify({ relay: { floor: '1', ceiling: '2' } }),
    };
    const vaults = [{ id: 'turbo', address: '0x0a2', leverage }];
    const settings = loadConfig({
      env: { ...environment, ...env },
      readFile: files({
        '/etc/sotto/profile.json': JSON.stringify({ ...profile, purchases, vaults }),
      }),
    });
    const container = createContainer(
      ...keeperModules({
        ...settings,
        audit: { ...settings.audit, intervalMs: 0 },
        engine: { ...settings.engine, leftToOthers: ['relay', 'swap_owner'] },
      }),
    );
    const tasks = await container.getAllAsync(KeeperTask);
    expect(tasks.map(({ name }) => name).toSorted()).toEqual([...TASK_NAMES].toSorted());
    expect(container.isBound(BackgroundTask)).toBe(false);
    const { lanes } = (await container.getAsync(SubmissionEngine)).status();
    expect(lanes.map(({ role, isLeftToOthers }) => [role, isLeftToOthers])).toEqual([
      ['relay', true],
      ['swap_owner', true],
      ['curator', false],
      ['keeper', false],
      ['treasury', false],
    ]);
    await container.unbindAllAsync();
    rmSync(folder, { recursive: true });
  });
});

describe('contracts that no withdrawal may pay', () => {
  it('S15: the contracts that no withdrawal may pay include every address in the profile', () => {
    const { network } = loadConfig({ env: environment, readFile: files() });
    const { pools, swapPool, tokens, oracle, vaults, lendingPools } = network;
    const expected = [
      ...[...pools, ...Object.values(tokens), oracle, ...vaults, ...lendingPools].map(
        ({ address }) => address,
      ),
      ...lendingPools.map(({ vaultToken }) => vaultToken),
    ];
    expect(
      [vaults.length, lendingPools.length, swapPool?.routers.length ?? 0].every(
        (count) => count > 0,
      ),
    ).toBe(true);
    expect(new Set(notRecipients(network))).toEqual(
      new Set([...expected, swapPool?.address, ...(swapPool?.routers ?? [])]),
    );
    const { swapPool: _, ...without } = network;
    expect(new Set(notRecipients(without))).toEqual(new Set(expected));
  });
});
