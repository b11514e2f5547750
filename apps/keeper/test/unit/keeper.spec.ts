import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { InMemoryTaskLeases } from '@sotto/keeper-core/testing';
import { ManualClock } from '@sotto/kernel/testing';
import { keyed } from '@sotto/process-kit';
import type { Settings } from '@sotto/relayer';
import { openKeeper } from '@sotto/relayer/service';
import { sandboxWorld } from '@sotto/sandbox';
import { InvalidConfiguration } from '@sotto/settings';
import { HealthListener } from '../../src/health-listener.js';
import { keeperSettings } from '../../src/keeper-settings.js';

const { accounts } = sandboxWorld;
const folder = mkdtempSync(join(tmpdir(), 'sotto-keeper-'));
const environment: Readonly<Record<string, string>> = {
  MODE: 'development',
  LOG_LEVEL: 'silent',
  NETWORK_PROFILE: createRequire(import.meta.url).resolve('@sotto/api/profiles/sandbox.json'),
  VERIFICATION_KEY_PATH: fileURLToPath(
    new URL('../../../../packages/wallet/prover/keys/verification_key.json', import.meta.url),
  ),
  STARKNET_RPC_URLS: 'http://127.0.0.1:9',
  AGGREGATOR_URL: 'http://127.0.0.1:9/swaps',
  PRICE_API_URL: 'http://127.0.0.1:9/prices',
  DATABASE_PATH: join(folder, 'ledger.sqlite'),
  INSTANCE_ID: 'here',
  RELAY_ACCOUNTS: JSON.stringify([keyed(accounts.lane1)]),
  CURATOR_ACCOUNT: JSON.stringify(keyed(accounts.curator)),
  KEEPER_ACCOUNTS: JSON.stringify([keyed(accounts.keeper1)]),
  TREASURY_ACCOUNT: JSON.stringify(keyed(accounts.treasury)),
  TREASURY_FLOORS: JSON.stringify({ relay: { floor: '1', ceiling: '2' } }),
  KEEPER_TASKS: 'curator,batches,purchases,leverage,treasury',
};
const settings = (env: Readonly<Record<string, string>> = {}): Settings =>
  keeperSettings({ env: { ...environment, ...env } });

/**
 * Loads settings that enable no task. The aggregator is removed too, because without a task it
 * would cause a second error.
 */
const refused = (): Settings => settings({ KEEPER_TASKS: '', AGGREGATOR_URL: '' });

/** Returns the name with which a keeper holds leases if INSTANCE_ID is not set. */
const unnamed = (): string => settings({ INSTANCE_ID: '' }).engine.instance;

describe('a keeper', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('a keeper without a task does not start, and the error explains the reason', () => {
    expect(refused).toThrow(InvalidConfiguration);
    expect(refused).toThrow(/KEEPER_TASKS: names no task, and a keeper does nothing else/);
  });

  it('a keeper with the same settings as a service listens on a different port and has a different instance name', () => {
    expect(settings().http.port).toBe(3_001);
    expect(settings({ PORT: '4000' }).http.port).toBe(4_000);
    expect(settings().engine.instance).toBe('keeper-here');
  });

  it('a second keeper on the same machine has a different instance name, even without INSTANCE_ID', async () => {
    const leases = new InMemoryTaskLeases(new ManualClock());
    expect(await leases.hold('curator', unnamed(), 1_000)).toBe(true);
    expect(await leases.hold('curator', unnamed(), 1_000)).toBe(false);
  });

  it('a keeper leases no lanes of withdrawals and swaps, and does not audit', () => {
    const { engine, audit } = settings();
    expect(engine.leftToOthers).toEqual(['relay', 'swap_owner']);
    expect(audit.intervalMs).toBe(0);
  });

  it('a keeper serves only its health routes over HTTP', async () => {
    const keeper = await openKeeper(settings());
    stops.push(() => keeper.stop());
    expect(Object.keys((await keeper.readiness.report()).checks)).toEqual([
      'running',
      'store',
      'store_reads',
      'node',
      'head',
      'ledger',
    ]);
    const { http } = settings({ PORT: '0' });
    const listener = await new HealthListener(keeper, http).open();
    stops.unshift(() => listener.close(0));
    expect((await fetch(`${listener.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${listener.url}/api/pools`)).status).toBe(404);
  });
});
