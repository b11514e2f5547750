import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt } from '@sotto/kernel';
import { eventually, keyed } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { Fleet } from './support/fleet.js';
import { Load, anyWithdrawal, fillPool, timesPaid } from './support/load.js';
import { Stack } from './support/stack.js';
import { StoreAudit } from './support/store-audit.js';
import { trapdoorKey } from '@sotto/load-kit';

const { lane1, lane2 } = sandboxWorld.accounts;
/** Number of instances that are killed under load. */
const KILLS = Number(process.env['SOTTO_INSTANCES_KILLS'] ?? '3');
/**
 * File to which the measurements are written; undefined by default, and then nothing is written.
 */
const REPORT = process.env['SOTTO_INSTANCES_REPORT'];
/** Number of withdrawals that succeed between two kills. */
const SUCCESSES_PER_KILL = 4;
const FIRST = 'instance-0';
const CALLERS = 4;
const LEASE_TTL_MS = 2_000;
/** Time limit per kill in milliseconds, far longer than a kill needs on an idle machine. */
const MS_PER_KILL = 200_000;

const found = findPostgres();
const title = 'three instances on one PostgreSQL';

(found.kind === 'found' ? describe : describe.skip)(
  found.kind === 'found' ? title : `${title} [skipped: ${found.reason}]`,
  () => {
    const stops: (() => Promise<void>)[] = [];
    let server: PostgresServer;
    let stack: Stack;
    let fleet: Fleet;
    let audit: StoreAudit;
    beforeAll(async () => {
      if (found.kind === 'missing') throw new Error(found.reason);
      server = await PostgresServer.start(found, { settings: ['fsync=on'] });
      stops.push(() => server.stop());
      const url = await server.createDatabase();
      stack = await Stack.start({
        verificationKey: trapdoorKey,
        // The contract would pay twice for the same note, so that a second inclusion is detected.
        genesis: { enforceNullifier: false },
        env: {
          DATABASE_PATH: '',
          DATABASE_URL: url,
          INSTANCE_ID: FIRST,
          RELAY_ACCOUNTS: JSON.stringify([lane1, lane2].map(keyed)),
          LEASE_TTL_MS: String(LEASE_TTL_MS),
          POLL_INTERVAL_MS: '200',
          IDLE_INTERVAL_MS: '500',
        },
      });
      fleet = new Fleet(stack, FIRST);
      stops.push(
        () => stack.stop(),
        () => fleet.stop(),
      );
      fillPool(stack.chain);
      audit = new StoreAudit(url);
      await audit.begin();
      await Promise.all([fleet.add(), fleet.add()]);
      await eventually('an instance to hold the lanes', async () => (await holders()).length > 0);
    });
    afterAll(async () => {
      for (const stop of stops.toReversed()) await stop();
    });

    /** Returns the names of the instances that hold the lease of at least one lane. */
    const holders = async (): Promise<readonly string[]> => {
      const held = await Promise.all(
        fleet.names.map(async (name) => ((await audit.heldBy(name)).length > 0 ? [name] : [])),
      );
      return held.flat();
    };

    it('an instance reports the outcome of a submission that another instance has sent', async () => {
      const [holder = ''] = await holders();
      const idle = fleet.names.find((name) => name !== holder) ?? '';
      expect(await audit.heldBy(idle)).toEqual([]);
      const answer = await fleet.get(idle).withdraw(anyWithdrawal(1_000_000));
      expect([answer.status, answer.body]).toEqual([
        200,
        expect.objectContaining({ execution_status: 'SUCCEEDED' }),
      ]);
      const again = await fleet.get(holder).withdraw(anyWithdrawal(1_000_000));
      expect(again.body).toEqual(answer.body);
      expect(again.headers.get('location')).toBe(answer.headers.get('location'));
      expect(await timesPaid(stack.chain, 1_000_000)).toBe(1);
    });

    it(
      'no withdrawal is lost or paid twice while instances are killed one after another and the database restarts',
      async () => {
        const killed: {
          readonly name: string;
          readonly atMs: number;
          readonly lanes: readonly string[];
        }[] = [];
        const load = new Load(() => fleet.running);
        load.start(CALLERS);
        while (killed.length < KILLS) {
          const enough = load.succeeded.size + SUCCESSES_PER_KILL;
          await eventually('withdrawals to succeed', () => load.succeeded.size >= enough);
          const { succeeded = 0 } = await audit.attempts();
          // In every second repetition, kill an instance that holds leases of lanes, so that
          // another instance must lease these lanes.
          const [victim = ''] = [
            ...(killed.length % 2 === 0 ? await holders() : []),
            ...fleet.names,
          ];
          killed.push({
            name: victim,
            lanes: await audit.heldBy(victim),
            atMs: systemClock.nowMs(),
          });
          await fleet.kill(victim);
          if (killed.length === Math.ceil(KILLS / 2)) {
            await server.crash();
            await server.startAgain();
          }
          await eventually(
            'the others to go on',
            async () => ((await audit.attempts())['succeeded'] ?? 0) > succeeded,
          );
          await fleet.add();
        }
        await load.end();

        const indices = [...load.succeeded.keys()];
        for (const path of load.succeeded.values()) {
          await fleet.submissionWhere(path, ({ state }) => state === 'succeeded');
        }
        // Every instance must report the same state of every submission.
        for (const path of load.succeeded.values()) {
          const answers = await Promise.all(
            fleet.running.map(async (instance) => (await instance.get(path)).text),
          );
          expect(new Set(answers).size).toBe(1);
        }
        expect(await audit.attempts()).toEqual({ succeeded: indices.length + 1 });
        for (const index of indices)
          expect([index, await timesPaid(stack.chain, index)]).toEqual([index, 1]);
        const included = new Set(
          [lane1, lane2]
            .flatMap((lane) => stack.chain.inclusions(lane))
            .map(({ hash }) => toFelt(hash)),
        );
        const paid = (await audit.callsByAttempt()).map(
          (hashes) => hashes.filter((hash) => included.has(toFelt(hash))).length,
        );
        expect(paid).toEqual(paid.map(() => 1));
        expect(await audit.staleClaims()).toEqual([]);
        expect(
          await eventually('no hole in any lane', async () => (await audit.holes()).length === 0),
        ).toBe(true);

        // Check that the kills had an effect: other instances leased the lanes, and every instance
        // accepted withdrawals.
        const handovers = await audit.handovers();
        const orphaned = killed.flatMap(({ name, lanes, atMs }) =>
          lanes.map((lane) => ({ name, lane, atMs })),
        );
        expect(orphaned.length).toBeGreaterThan(0);
        expect(new Set(handovers.map(({ to }) => to)).size).toBeGreaterThan(1);
        expect(indices.length).toBeGreaterThan(KILLS);
        if (REPORT !== undefined) {
          const takenAfterMs = orphaned.map(({ name, lane, atMs }) => {
            const taken = handovers.find(
              (handover) => handover.lane === lane && handover.to !== name && handover.atMs > atMs,
            );
            return Math.round((taken?.atMs ?? Number.NaN) - atMs);
          });
          const report = {
            withdrawals: indices.length,
            turnedAway: load.turnedAway,
            kills: killed.length,
            leases: handovers.length,
            takenAfterMs,
          };
          writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`);
        }
      },
      KILLS * MS_PER_KILL,
    );
  },
);
