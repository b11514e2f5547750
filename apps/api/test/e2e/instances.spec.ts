import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt } from '@sotto/kernel';
import { eventually, keyed, writeJson } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { Fleet } from './support/fleet.js';
import { Load, anyWithdrawal, fillPool, timesPaid } from './support/load.js';
import { Stack } from './support/stack.js';
import { StoreAudit } from './support/store-audit.js';
import { trapdoorKey } from '@sotto/load-kit';

const { lane1, lane2, lane3 } = sandboxWorld.accounts;
const LANES = [lane1, lane2, lane3];
/**
 * Ways in which an instance leaves the others: it is killed, it stops in order, or its process is
 * frozen until its leases have expired.
 */
const DISTURBANCES = ['kill', 'stop', 'freeze'] as const;
/** Number of disturbances under load. */
const COUNT = Number(process.env['SOTTO_INSTANCES_COUNT'] ?? '3');
/**
 * File to which the measurements are written; undefined by default, and then nothing is written.
 */
const REPORT = process.env['SOTTO_INSTANCES_REPORT'];
/** Number of withdrawals that succeed between two disturbances. */
const SUCCESSES_BETWEEN = 4;
const FIRST = 'instance-0';
const CALLERS = 4;
const LEASE_TTL_MS = 2_000;
/** Time limit per disturbance in ms, far longer than a disturbance needs on an idle machine. */
const MS_EACH = 200_000;

/** Time in ms after which all instances must report the same state of a submission. */
const ANSWERS_AGREE_MS = 60_000;

/** Log line of an instance whose profile differs from that of `instance`. */
const difference = (instance: string): RegExp =>
  new RegExp(`"instance":"${instance}".*another instance has another network profile`);

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
          RELAY_ACCOUNTS: JSON.stringify(LANES.map(keyed)),
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
      await lanesAreShared();
    });
    afterAll(async () => {
      for (const stop of stops.toReversed()) await stop();
    });

    /** Resolves when each running instance has the lease of one lane. */
    const lanesAreShared = (): Promise<unknown> =>
      eventually('each instance to hold a lane', async () => {
        for (const name of fleet.names) {
          const { isRunning, output } = fleet.get(name);
          if (!isRunning) throw new Error(`${name} has ended: ${output.slice(-2_000)}`);
        }
        const held = await Promise.all(fleet.names.map((name) => audit.heldBy(name)));
        return held.every(({ length }) => length === 1);
      });

    it('an instance reports the outcome of a submission that another instance has accepted', async () => {
      const [one = '', other = ''] = fleet.names;
      const answer = await fleet.get(one).withdraw(anyWithdrawal(1_000_000));
      expect([answer.status, answer.body]).toEqual([
        200,
        expect.objectContaining({ execution_status: 'SUCCEEDED' }),
      ]);
      const again = await fleet.get(other).withdraw(anyWithdrawal(1_000_000));
      expect(again.body).toEqual(answer.body);
      expect(again.headers.get('location')).toBe(answer.headers.get('location'));
      expect(await timesPaid(stack.chain, 1_000_000)).toBe(1);
    });

    it('instances with different network profiles log the difference on both sides', async () => {
      const { NETWORK_PROFILE: path = '' } = stack.environment;
      const changed: object = JSON.parse(readFileSync(path, 'utf8'));
      const other = await stack.beside({
        INSTANCE_ID: 'another-profile',
        NETWORK_PROFILE: writeJson(stack.folder, 'another-profile.json', {
          ...changed,
          name: 'another',
        }),
      });
      stops.push(async () => other.kill('SIGKILL'));
      await eventually('both instances to log the difference', () => {
        const [first, second] = [fleet.get(FIRST).output, other.output];
        return difference('another-profile').test(first) && difference(FIRST).test(second);
      });
      expect(fleet.get('instance-1').output).not.toMatch(difference(FIRST));
      other.kill('SIGTERM');
      await other.ended;
    });

    it(
      'no withdrawal is lost or paid twice while instances join, stop, freeze and are killed, and the database restarts',
      async () => {
        const disturbed: {
          readonly kind: (typeof DISTURBANCES)[number];
          readonly name: string;
          readonly atMs: number;
          readonly lanes: readonly string[];
          readonly longestGapMs: number;
          readonly sharedAfterMs: number;
        }[] = [];
        const load = new Load(() => fleet.running);
        load.start(CALLERS);
        while (disturbed.length < COUNT) {
          const enough = load.succeeded.size + SUCCESSES_BETWEEN;
          await eventually('withdrawals to succeed', () => load.succeeded.size >= enough);
          const { succeeded = 0 } = await audit.attempts();
          const kind = DISTURBANCES[disturbed.length % DISTURBANCES.length] ?? 'kill';
          const [name = ''] = fleet.names;
          const lanes = await audit.heldBy(name);
          const atMs = systemClock.nowMs();
          load.longestGapMs = 0;
          const rejoin = await fleet.disturb(name, kind);
          if (disturbed.length === Math.ceil(COUNT / 2)) {
            await server.crash();
            await server.startAgain();
          }
          await eventually(
            'the others to go on',
            async () => ((await audit.attempts())['succeeded'] ?? 0) > succeeded,
          );
          if (kind === 'freeze') await systemClock.sleep(2 * LEASE_TTL_MS);
          const joinsAtMs = systemClock.monotonicMs();
          await rejoin();
          await lanesAreShared();
          const sharedAfterMs = Math.round(systemClock.monotonicMs() - joinsAtMs);
          const longestGapMs = Math.round(load.longestGapMs);
          disturbed.push({ kind, name, lanes, atMs, longestGapMs, sharedAfterMs });
        }
        await load.end();

        const indices = [...load.succeeded.keys()];
        for (const path of load.succeeded.values()) {
          await fleet.submissionWhere(path, ({ state }) => state === 'succeeded');
        }
        // Every instance must report the same state of every submission. A state that changes
        // between the reads of two instances is read again.
        for (const path of load.succeeded.values()) {
          let answers: readonly string[] = [];
          await eventually(
            'equal answers',
            async () => {
              answers = await Promise.all(
                fleet.running.map(async (instance) => (await instance.get(path)).text),
              );
              return new Set(answers).size === 1;
            },
            ANSWERS_AGREE_MS,
          ).catch(() => undefined);
          expect([...new Set(answers)]).toEqual([answers[0]]);
        }
        expect(await audit.attempts()).toEqual({ succeeded: indices.length + 1 });
        for (const index of indices)
          expect([index, await timesPaid(stack.chain, index)]).toEqual([index, 1]);
        const included = new Set(
          LANES.flatMap((lane) => stack.chain.inclusions(lane)).map(({ hash }) => toFelt(hash)),
        );
        const paid = (await audit.callsByAttempt()).map(
          (hashes) => hashes.filter((hash) => included.has(toFelt(hash))).length,
        );
        expect(paid).toEqual(paid.map(() => 1));
        expect(await audit.staleClaims()).toEqual([]);
        expect(
          await eventually('no hole in any lane', async () => (await audit.holes()).length === 0),
        ).toBe(true);

        // Check that the disturbances had an effect: other instances leased the lanes.
        const handovers = await audit.handovers();
        expect(disturbed.flatMap(({ lanes }) => lanes).length).toBe(COUNT);
        expect(new Set(handovers.map(({ to }) => to)).size).toBeGreaterThan(2);
        expect(indices.length).toBeGreaterThan(COUNT);
        if (REPORT !== undefined) {
          const report = {
            withdrawals: indices.length,
            turnedAway: load.turnedAway,
            leases: handovers.length,
            disturbed: disturbed.map(({ kind, longestGapMs, sharedAfterMs }) => ({
              kind,
              longestGapMs,
              sharedAfterMs,
            })),
          };
          writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`);
        }
      },
      COUNT * MS_EACH,
    );
  },
);
