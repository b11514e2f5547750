import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { KILL_WORKERS, MOVE_CLOCK } from '../service-orders.js';
import { exhaustDescriptors, type World } from '../world.js';
import { anyOf, names, timesOut, type ChaosCase, type Heal } from './chaos-case.js';

const HOUR_MS = 3_600_000;
const FIVE_MINUTES_MS = 300_000;
const WORKERS_DIE_EVERY_MS = 50;

const shift =
  (byMs: number) =>
  async (world: World): Promise<Heal> => {
    world.watched.process.send(`${MOVE_CLOCK}${byMs}`);
    return async () => world.watched.process.send(`${MOVE_CLOCK}0`);
  };

const onLedger = (world: World, sql: readonly string[]): void => {
  const database = new DatabaseSync(world.stack.databaseFile, { timeout: 5_000 });
  try {
    for (const statement of sql) database.exec(statement);
  } finally {
    database.close();
  }
};

/** Cases in which the machine or a process fails. */
export const PROCESS_CASES: readonly ChaosCase[] = [
  {
    name: 'service paused',
    what: 'the only instance is stopped (SIGSTOP)',
    inflict: async ({ watched }) => {
      watched.kill('SIGSTOP');
      return async () => watched.kill('SIGCONT');
    },
    shows: ({ isAnswered }) => !isAnswered,
    alert: 'ServiceDown',
  },
  {
    name: 'clock ahead',
    what: 'the clock of the machine steps an hour ahead',
    inflict: shift(HOUR_MS),
    shows: names('CLOCK_WRONG'),
    // By the wrong clock, the prices are too old. So this alert fires, and its text contains the
    // warning CLOCK_WRONG.
    alert: 'WithdrawalsImpossible',
  },
  {
    name: 'clock behind',
    what: 'the clock of the machine steps an hour back',
    inflict: shift(-HOUR_MS),
    shows: names('CLOCK_WRONG'),
    alert: 'ClockSkew',
  },
  {
    name: 'clock five minutes ahead',
    what: 'the clock of the machine steps five minutes ahead',
    inflict: shift(FIVE_MINUTES_MS),
    shows: names('CLOCK_WRONG'),
    alert: 'ClockSkew',
  },
  {
    name: 'workers die',
    what: 'every worker thread ends right after its start, as if killed for lack of memory',
    inflict: async ({ watched }) => {
      const kill = setInterval(() => watched.process.send(KILL_WORKERS), WORKERS_DIE_EVERY_MS);
      return async () => clearInterval(kill);
    },
    shows: anyOf(timesOut('verifier'), names('VERIFIER_UNAVAILABLE')),
    alert: 'WithdrawalsImpossible',
  },
  {
    name: 'no descriptors left',
    what: 'the process can open no further file or socket',
    inflict: async ({ watched: { process: child } }) => {
      const { pid = 0 } = child;
      // Set the limit below the number of open descriptors. Then no new descriptor is available,
      // even after the process has closed one.
      const free = exhaustDescriptors(pid, readdirSync(`/proc/${pid}/fd`).length - 3);
      return async () => free();
    },
    shows: ({ isAnswered, canWithdraw }) => !isAnswered || !canWithdraw,
    alert: null,
    others: {
      alerts: [
        'ServiceDown',
        'WithdrawalsImpossible',
        'StoreNotWritable',
        'NodeUnreachable',
        'PriceSourceDown',
        'PushLost',
      ],
      why: 'work that needs a new descriptor fails; other work continues',
    },
  },
  {
    name: 'signer killed',
    what: 'the signer is killed (SIGKILL); the same command starts it again when the fault ends',
    needs: ['signer'],
    inflict: async ({ signer }) => {
      await signer.kill();
      return () => signer.startAgain();
    },
    shows: names('SIGNER_UNAVAILABLE'),
    alert: 'SignerDown',
  },
  {
    name: 'newer schema',
    what: 'a newer release migrates the ledger to a schema that excludes the release of the running instance',
    inflict: async (world) => {
      onLedger(world, [
        `insert into kysely_migration (name, timestamp) values ('9999_excludes', '2026-01-01')`,
        `insert into migration_hashes (name, sha256, runs_beside) values ('9999_excludes', '', 9999)`,
      ]);
      return async () =>
        onLedger(world, [
          `delete from migration_hashes where name = '9999_excludes'`,
          `delete from kysely_migration where name = '9999_excludes'`,
        ]);
    },
    shows: names('SCHEMA_IS_NEWER'),
    alert: 'WithdrawalsImpossible',
  },
];
