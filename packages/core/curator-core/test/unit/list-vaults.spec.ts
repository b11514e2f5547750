import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import type { TaskStatus } from '@sotto/keeper-core';
import { ListVaults, type CuratedVault, type ListVaultsPorts } from '../../src/index.js';
import { InMemoryVaultFunds } from '../../src/testing/index.js';
import { sentinel, trident } from '../support/world.js';

const turbo: CuratedVault = { id: 'turbo', address: trident.address, entrypoint: 'supply' };

class StoreDown extends DomainError {
  readonly code = 'STORE_DOWN';
  readonly kind = 'unavailable';
}

const NO_WINDOW = {
  limitFri: 0n,
  spentFri: 0n,
  liveFri: null,
  leftFri: null,
  earned: [],
} as const;

const poll = (task: 'curator' | 'leverage', subject: string): TaskStatus => ({
  task,
  isOn: true,
  holder: null,
  notHeldSinceMs: null,
  paused: null,
  budget: { hour: NO_WINDOW, day: NO_WINDOW },
  subjects: [
    {
      subject,
      paused: null,
      lastPoll: {
        atMs: 7,
        sinceMs: 7,
        report: { outcome: 'skipped', reason: 'BELOW_THRESHOLD', details: {}, dueAtMs: null },
      },
      dueAtMs: null,
      lastActed: null,
    },
    { subject: 'citadel', paused: null, lastPoll: null, dueAtMs: null, lastActed: null },
  ],
});
function aWorld(changes: Partial<ListVaultsPorts> = {}) {
  const funds = new InMemoryVaultFunds();
  const ports: ListVaultsPorts = {
    snapshots: funds.snapshots,
    funds,
    latestBlock: { number: async () => funds.snapshots.head.number },
    keeper: { execute: async () => [poll('curator', 'sentinel'), poll('leverage', 'turbo')] },
    ...changes,
  };
  const listVaults = new ListVaults(ports, { vaults: [sentinel, turbo], leveraged: ['turbo'] });
  return { funds, listVaults };
}

async function down(): Promise<never> {
  throw new StoreDown('the store is down');
}

describe('ListVaults', () => {
  it('the vault list contains method, idle funds and the keeper’s last checks of each vault', async () => {
    const { funds, listVaults } = aWorld();
    funds.add(sentinel.address, 20_000n);
    const { block, vaults } = await listVaults.execute();
    expect(block?.number).toBe(funds.snapshots.head.number);
    expect(vaults).toMatchObject([
      {
        id: 'sentinel',
        address: sentinel.address,
        method: 'deploy_to_lending',
        idleSats: 20_000n,
        curated: { lastPoll: { report: { reason: 'BELOW_THRESHOLD' } } },
        leveraged: null,
        canBorrow: false,
      },
      { id: 'turbo', method: 'supply', idleSats: 0n, curated: null, canBorrow: true },
    ]);
    expect(vaults[1]?.leveraged).not.toBeNull();
  });

  it('reads each vault only once per block, for any number of callers', async () => {
    const { funds, listVaults } = aWorld();
    funds.add(sentinel.address, 1n);
    await Promise.all(Array.from({ length: 50 }, () => listVaults.execute()));
    await listVaults.execute();
    expect(funds.reads).toBe(2);
    funds.add(sentinel.address, 1n);
    expect((await listVaults.execute()).vaults[0]?.idleSats).toBe(2n);
    expect(funds.reads).toBe(4);
  });

  it('a vault’s idle funds are null instead of 0 while the node is unavailable, and are read again afterwards', async () => {
    const { funds, listVaults } = aWorld();
    funds.add(sentinel.address, 5n);
    funds.failReads();
    expect((await listVaults.execute()).vaults.map(({ idleSats }) => idleSats)).toEqual([
      null,
      null,
    ]);
    funds.failReads(null);
    expect((await listVaults.execute()).vaults.map(({ idleSats }) => idleSats)).toEqual([5n, 0n]);
  });

  it('lists the vaults without the keeper’s checks while the store is unavailable', async () => {
    const { funds, listVaults } = aWorld({ keeper: { execute: down } });
    funds.add(sentinel.address, 5n);
    expect((await listVaults.execute()).vaults[0]).toMatchObject({ idleSats: 5n, curated: null });
  });

  it('the vault list has null as its block while the latest block number is unknown', async () => {
    const { listVaults } = aWorld({
      latestBlock: {
        number: async () => {
          throw new StoreDown('the node is down');
        },
      },
    });
    const { block, vaults } = await listVaults.execute();
    expect([block, vaults[0]?.idleSats]).toEqual([null, null]);
  });
});
