import { takeAllConnections } from '../take-connections.js';
import type { World } from '../world.js';
import { anyOf, names, type ChaosCase, type Heal } from './chaos-case.js';

const storeIsOut = anyOf(names('STORE_NOT_WRITABLE'), names('STORE_UNREACHABLE'));

const disk =
  (fail: (world: World) => void) =>
  async (world: World): Promise<Heal> => {
    fail(world);
    return async () => world.shim.pass();
  };

const wire =
  (passage: 'mute-requests' | 'mute-answers') =>
  async (world: World): Promise<Heal> => {
    world.postgres.proxy.set(passage);
    return async () => {
      world.postgres.proxy.set('reset');
      world.postgres.proxy.set('pass');
    };
  };

const OF_A_DISK = { needs: ['compiler'], alert: 'StoreNotWritable' } as const;
const OF_POSTGRES = {
  needs: ['postgres'],
  shows: storeIsOut,
  alert: 'StoreNotWritable',
} as const;

/** Cases in which the ledger's disk or database fails. */
export const STORE_CASES: readonly ChaosCase[] = [
  {
    ...OF_A_DISK,
    name: 'disk full',
    what: 'the disk with the ledger and the log is full: each write fails with ENOSPC',
    inflict: disk(({ shim }) => shim.failWrites('ENOSPC')),
    shows: storeIsOut,
  },
  {
    ...OF_A_DISK,
    name: 'read-only',
    what: 'each write to the ledger and the log fails with EROFS',
    inflict: disk(({ shim }) => shim.failWrites('EROFS')),
    shows: storeIsOut,
  },
  {
    ...OF_A_DISK,
    name: 'broken disk',
    what: 'each write to the ledger and the log fails with EIO',
    inflict: disk(({ shim }) => shim.failWrites('EIO')),
    shows: storeIsOut,
  },
  {
    ...OF_A_DISK,
    name: 'failing fsync',
    what: 'writes to the ledger succeed, and each sync of them fails',
    inflict: disk(({ shim }) => shim.failSyncs('EIO')),
    shows: storeIsOut,
  },
  {
    ...OF_POSTGRES,
    name: 'PostgreSQL killed',
    what: 'the database server is killed, and started again when the fault ends',
    inflict: async ({ postgres }) => {
      await postgres.server.crash();
      return () => postgres.server.startAgain();
    },
  },
  {
    ...OF_POSTGRES,
    name: 'PostgreSQL paused',
    what: 'every process of the database server is stopped (SIGSTOP)',
    inflict: async ({ postgres }) => {
      postgres.server.pause();
      return async () => postgres.server.goOn();
    },
  },
  {
    ...OF_POSTGRES,
    name: 'no connections left',
    what: 'the database server ends the service’s sessions, and other clients use all connections',
    inflict: async ({ postgres }) => takeAllConnections(postgres.ownUrl),
  },
  {
    ...OF_POSTGRES,
    name: 'half-open towards the database',
    what: 'connections to the database stay open, but no request of the service arrives',
    inflict: wire('mute-requests'),
  },
  {
    ...OF_POSTGRES,
    name: 'half-open from the database',
    what: 'connections to the database stay open, but no response arrives',
    inflict: wire('mute-answers'),
  },
];
