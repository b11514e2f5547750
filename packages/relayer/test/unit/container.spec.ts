import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TASK_NAMES } from '@sotto/facts';
import { GetVerdict, ProofVerifier } from '@sotto/relayer-core';
import { Ledger, LedgerUnavailable } from '@sotto/submission-core';
import { BackgroundTask } from '@sotto/kernel';
import { environment, files, profile } from '@sotto/process-kit/environment';
import { AppModule, createContainer, type AppContainer } from '../../src/composition/container.js';
import { relayerModules } from '../../src/composition/relayer-modules.js';
import { loadConfig } from '../../src/environment/load-config.js';

/** Contracts for purchase orders and leverage in the development stack. */
const { purchases, vaults: sandboxVaults } = JSON.parse(
  readFileSync(new URL('../../../../apps/api/profiles/sandbox.json', import.meta.url), 'utf8'),
);
const [leverage] = sandboxVaults.flatMap((vault: { readonly leverage?: object }) =>
  vault.leverage === undefined ? [] : [vault.leverage],
);

type Identifier = Parameters<AppContainer['isBound']>[0];

/** Wraps a module so that every identifier that the module binds is added to `bound`. */
function noting(module: AppModule, bound: Set<Identifier>): AppModule {
  return new AppModule((options) =>
    module.load({
      ...options,
      bind: (identifier) => {
        bound.add(identifier);
        return options.bind(identifier);
      },
    }),
  );
}

const nameOf = (identifier: Identifier): string =>
  typeof identifier === 'function' ? identifier.name : String(identifier);

/**
 * Number of bindings of identifiers that are bound more than once. For example, several background
 * tasks are bound: they refresh yields, delete old rows and audit the ledger.
 */
const COUNTS = new Map<Identifier, number>([[BackgroundTask, 7]]);

const account = (address: string): string => JSON.stringify({ address, privateKey: '0x1234' });

describe('the container', () => {
  let folder: string;
  let container: AppContainer;
  let bound: Set<Identifier>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-'));
    const env = {
      ...environment,
      DATABASE_PATH: join(folder, 'ledger.sqlite'),
      LOG_LEVEL: 'silent',
    };
    bound = new Set();
    const modules = relayerModules(loadConfig({ env, readFile: files() }));
    container = createContainer(...modules.map((module) => noting(module, bound)));
  });
  afterEach(async () => {
    await container.unbindAllAsync();
    rmSync(folder, { recursive: true });
  });

  it('the container has the expected number of bindings for every identifier', async () => {
    expect(bound.size).toBeGreaterThan(60);
    for (const identifier of bound) {
      const all = await container.getAllAsync(identifier);
      const name = nameOf(identifier);
      expect({ name, bindings: all.length }).toEqual({
        name,
        bindings: COUNTS.get(identifier) ?? 1,
      });
      expect({ name, found: typeof all[0] }).toEqual({ name, found: 'object' });
      expect((await container.getAllAsync(identifier))[0]).toBe(all[0]);
    }
  });

  it('the container resolves every binding with every optional part enabled', async () => {
    await container.unbindAllAsync();
    const env = {
      ...environment,
      MODE: 'development',
      DATABASE_PATH: join(folder, 'ledger.sqlite'),
      LOG_LEVEL: 'silent',
      ARCHIVE_PATH: join(folder, 'ended'),
      EXCHANGE_PRICES_URL: 'https://exchange.example',
      STARKNET_WS_URL: 'wss://node.example',
      KEEPER_TASKS: TASK_NAMES.join(','),
      KEEPER_ACCOUNTS: `[${account('0xacc9')}]`,
      TREASURY_ACCOUNT: account('0xacca'),
      TREASURY_FLOORS: JSON.stringify({ relay: { floor: '1', ceiling: '2' } }),
      WEBHOOK_ENDPOINTS: JSON.stringify({
        pager: {
          url: 'https://pager.example',
          secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
          events: 'alerts',
        },
      }),
    };
    const vaults = [{ id: 'turbo', address: '0x0a2', leverage }];
    const readFile = files({
      '/etc/sotto/profile.json': JSON.stringify({ ...profile, purchases, vaults }),
    });
    const all = new Set<Identifier>();
    const modules = relayerModules(loadConfig({ env, readFile }));
    container = createContainer(...modules.map((module) => noting(module, all)));
    expect(all.size).toBeGreaterThan(bound.size);
    for (const identifier of all)
      expect((await container.getAllAsync(identifier)).length).toBeGreaterThan(0);
    const tasks = await container.getAllAsync(BackgroundTask);
    expect(tasks.map(({ name }) => name)).toContain('archive');
  });

  it('the health verdict checks the signer process if this process holds no private keys', async () => {
    expect((await container.getAsync(GetVerdict)).components).not.toContain('signer');
    await container.unbindAllAsync();
    const env = {
      ...environment,
      RELAY_ACCOUNTS: JSON.stringify([{ address: '0x1a2b' }]),
      CURATOR_ACCOUNT: JSON.stringify({ address: '0x3c4d' }),
      AGGREGATOR_URL: undefined,
      SWAP_OWNER_ACCOUNT: undefined,
      SIGNER_URL: `unix:${join(folder, 'away.sock')}`,
      DATABASE_PATH: join(folder, 'ledger.sqlite'),
      LOG_LEVEL: 'silent',
    };
    container = createContainer(...relayerModules(loadConfig({ env, readFile: files() })));
    const verdict = await container.getAsync(GetVerdict);
    expect(verdict.components).toContain('signer');
    const { reasons } = await verdict.execute();
    expect(reasons).toContainEqual(
      expect.objectContaining({
        code: 'SIGNER_UNAVAILABLE',
        details: expect.objectContaining({ cause: 'ENOENT' }),
      }),
    );
  });

  it('unbinding the container closes the resources that it opened', async () => {
    const [ledger, verifier] = [
      await container.getAsync(Ledger),
      await container.getAsync(ProofVerifier),
    ];
    expect(await ledger.attemptById('none')).toBeNull();
    await container.unbindAllAsync();
    await expect(ledger.attemptById('none')).rejects.toBeInstanceOf(LedgerUnavailable);
    const point = { x: 0n, y: 0n };
    await expect(
      verifier.holds({ a: point, b: { x: [0n, 0n], y: [0n, 0n] }, c: point, publicInputs: [] }),
    ).rejects.toMatchObject({
      code: 'VERIFIER_FAILED',
    });
  });
});
