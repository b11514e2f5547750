import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSqliteStore } from '@sotto/adapter-store';
import type { SubmissionEvent } from '@sotto/submission-core';
import * as fc from 'fast-check';
import { happenings } from '../support/commands.js';
import { Machine } from '../support/machine.js';

/** Every write waits for the disk, which says nothing about the machine: files stay in memory where the system has a place for that. */
const FILES = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const COMMANDS = 40;
const RUNS = Number(process.env['MACHINE_RUNS'] ?? 2_000);
/** What the machine must have written in so many runs, or they say little: a `release` needs a prepare without claim, which it never writes. */
const WRITTEN = [
  'request',
  'end_waiting',
  'prepare',
  'claim',
  'refusal',
  'observe',
  'replace',
  'cancel',
  'fill',
  'catch_up',
  'settle ours accepted',
  'settle ours expired',
  'settle stranger accepted',
];
const ENOUGH_RUNS = 1_000;
const seed = Number(process.env['MACHINE_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

/** An empty store that every run starts from a copy of: its migrations take longer than the run. */
async function emptyStore(directory: string): Promise<string> {
  const path = join(directory, 'empty.db');
  const store = await openSqliteStore({ path });
  await store.close();
  return path;
}

describe('the submission machine on SQLite and a sandbox chain', () => {
  let directory: string;
  let template: string;
  const written = new Set<string>();
  const onWritten = (event: SubmissionEvent): void => {
    written.add(event.type === 'settle' ? `settle ${event.taker.kind} ${event.loser.to}` : event.type);
  };
  beforeAll(async () => {
    directory = mkdtempSync(join(FILES, 'machine-'));
    template = await emptyStore(directory);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each([
    ['with nullifiers', true],
    ['without nullifiers, which would hide a double', false],
  ])(
    `pays once per attempt, tells no untrue end and settles everything: a pool %s (seed ${seed})`,
    async (_name, hasNullifiers) => {
      const commands = fc.array(happenings, { minLength: COMMANDS, maxLength: COMMANDS });
      const property = fc.asyncProperty(commands, async (happened) => {
        const machine = await Machine.start({ directory, emptyStore: template, hasNullifiers, onWritten });
        try {
          await fc.asyncModelRun(() => ({ model: {}, real: machine }), happened);
          expect(await machine.heal()).toEqual([]);
          expect(await machine.brokenByLedger()).toEqual([]);
          expect(await machine.paidTwice()).toEqual([]);
        } finally {
          await machine.stop();
        }
      });
      await fc.assert(property, { numRuns: RUNS / 2, seed: hasNullifiers ? seed : seed + 1 });
    },
    900_000,
  );

  it('has written every kind of event meanwhile', () => {
    expect((RUNS < ENOUGH_RUNS ? [] : WRITTEN).filter((name) => !written.has(name))).toEqual([]);
  });
});
