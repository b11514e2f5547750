import { randomInt } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Child, EndedEarly, signerListens, type Variables } from '@sotto/process-kit';
import { OWN_KEY } from '@sotto/process-kit/environment';
import { KEPT_VAULTS, keeperProcess } from './support/keeper-process.js';
import { NODE_OPTIONS, PROGRAM } from './support/program.js';
import { signerProcess } from './support/signer-process.js';
import { Stack } from './support/stack.js';

const CLI = new URL('../../../cli/dist/main.js', import.meta.url).href;
/** Number of kills per process. Set `SOTTO_KILLS=20` for a measurement. */
const KILLS = Number(process.env['SOTTO_KILLS'] ?? 2);
/**
 * Longest delay from the spawn to the kill, in milliseconds. So the kill may happen before the
 * process prints its first line, during the start, or while the process serves.
 */
const LATEST_KILL_MS = 2_000;
const LATEST_BACKUP_KILL_MS = 1_200;
const OWN_ACCOUNT = { address: 0xacc1n, privateKey: BigInt(OWN_KEY) };

/**
 * Pattern of the causes with which a start may fail: codes of the ledger, codes of the signer's
 * files, and names of settings.
 */
const NAMED = /"code":"LEDGER_\w+"|"error":"SIGNER_\w+: [^"]+|^ {2}[A-Z_]+: .+/m;

describe('O1: a killed signer', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-kills-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('a killed signer starts again in production although its old socket file still exists', async () => {
    const options = {
      account: OWN_ACCOUNT,
      env: { MODE: 'production', SIGNER_SOCKET_MODE: '660' },
    };
    for (let starts = 0; starts < 2; starts += 1) {
      const signer = signerProcess(folder, options);
      await signerListens(signer);
      await signer.stop('SIGKILL');
      expect(statSync(join(folder, 'signer.sock')).mode & 0o777).toBe(0o660);
    }
  });
});

/** Function that starts a process under test with the files in a folder. */
type Start = (folder: string) => Child;

const isListening = (line: string): true | undefined =>
  line.includes('"message":"listening"') ? true : undefined;

/**
 * Returns `serves` if the process serves requests. If the start fails with a known cause, returns
 * `names` and the cause. In all other cases, returns the whole output.
 */
async function outcomeOf(child: Child): Promise<string> {
  try {
    await child.line(isListening);
    return 'serves';
  } catch (error) {
    if (!(error instanceof EndedEarly)) throw error;
    const [name] = NAMED.exec(child.output) ?? [];
    return name === undefined ? child.output : `names ${name.trim()}`;
  } finally {
    await child.stop();
  }
}

/** Updates the path of the verification key in the copied profile. */
function moveProfile(copy: string, from: string): void {
  const profile = join(copy, 'network-profile.json');
  if (existsSync(profile))
    writeFileSync(profile, readFileSync(profile, 'utf8').replaceAll(from, copy));
}

/**
 * Truncates some files in the folder, each to a random length. @returns descriptions of the
 * truncations
 */
function cutFiles(folder: string): readonly string[] {
  const cuts: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    const { size } = statSync(file);
    if (!statSync(file).isFile() || size === 0 || randomInt(3) !== 0) continue;
    const length = randomInt(size);
    truncateSync(file, length);
    cuts.push(`${name} ${length} of ${size}`);
  }
  return cuts;
}

describe('O1: processes that are killed at random moments', () => {
  let folder: string;
  let stack: Stack;
  let environment: Variables;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-kills-'));
    stack = await Stack.start({ profile: { vaults: KEPT_VAULTS } });
    await stack.service.process.stop();
    environment = {
      ...stack.environment,
      MEMPOOL_LIFETIME_MS: '1000',
      NODE_COMPILE_CACHE: join(stack.folder, 'compiled'),
    };
  });
  afterEach(async () => {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Returns the environment variables for the copy of the data in this folder: all paths point to
   * the copy.
   */
  const over = (data: string): Variables =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(stack.folder, data),
      ]),
    );
  const start: Readonly<Record<string, Start>> = {
    api: (data) =>
      new Child({ name: 'api', program: PROGRAM, nodeOptions: NODE_OPTIONS, env: over(data) }),
    keeper: (data) => keeperProcess(over(data)),
    signer: (data) => {
      mkdirSync(data, { recursive: true });
      return signerProcess(data, { env: { NODE_COMPILE_CACHE: join(data, 'compiled') } });
    },
  };

  it.each(Object.keys(start))(
    'a killed process starts again with its files; with a truncated copy of these files, it starts or reports a known cause: %s',
    async (name) => {
      const run = start[name];
      if (run === undefined) throw new Error('unknown');
      const data = name === 'signer' ? join(folder, 'signer') : stack.folder;
      for (let kills = 0; kills < KILLS; kills += 1) {
        const moment = randomInt(LATEST_KILL_MS);
        const child = run(data);
        await sleep(moment);
        await child.stop('SIGKILL');
        const copy = join(folder, `copy-${kills}`);
        cpSync(data, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
        moveProfile(copy, stack.folder);
        const cuts = cutFiles(copy);
        const cut = await outcomeOf(run(copy));
        expect({ cut, moment, cuts }).toEqual({
          cut: expect.stringMatching(/^(?:serves$|names )/),
          moment,
          cuts,
        });
        if (process.env['SOTTO_KILLS'] !== undefined)
          process.stdout.write(
            `${name} killed after ${moment} ms; cut: ${cut} (${cuts.join(', ')})\n`,
          );
        expect({ left: await outcomeOf(run(data)), moment }).toEqual({ left: 'serves', moment });
      }
    },
  );

  it('a killed backup can be repeated, and leaves no partial copy of the ledger', async () => {
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    for (let kills = 0; kills < KILLS; kills += 1) {
      const out = join(backups, `${kills}.sqlite`);
      const backUp = (): Child =>
        new Child({
          name: 'sotto',
          program: CLI,
          args: ['backup', '--out', out, '--store', stack.databaseFile],
        });
      const moment = randomInt(LATEST_BACKUP_KILL_MS);
      const killed = backUp();
      await sleep(moment);
      await killed.stop('SIGKILL');
      const wasDone = existsSync(out);
      const again = backUp();
      const { code } = await again.ended;
      expect({ code, output: again.output, moment }).toEqual({
        code: wasDone ? 2 : 0,
        output: expect.stringContaining(wasDone ? 'never overwritten' : 'checked'),
        moment,
      });
    }
    expect(readdirSync(backups)).toHaveLength(KILLS);
  });
});
