import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSqliteStore } from '@sotto/adapter-store';
import { toFelt } from '@sotto/kernel';
import { OWN_KEY, environment } from '@sotto/process-kit/environment';
import { VARIABLES } from '@sotto/relayer';
import type { Environment } from '../../src/terminal.js';
import { run } from './terminal.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inRepository = (path: string): string =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const FINE = {
  ...environment,
  MODE: 'development',
  NETWORK_PROFILE: inRepository('apps/api/profiles/sandbox.json'),
  VERIFICATION_KEY_PATH: inRepository('packages/wallet/prover/keys/verification_key.json'),
};
const inFolder = (name: string): string => join(folder, name);

/** Creates a key file. @returns the private key in the file */
async function made(name: string): Promise<string> {
  const out = inFolder(name);
  await run(['keys', 'new', '--class-hash', CLASS, '--single', '--out', out, '--json']);
  return JSON.parse(readFileSync(out, 'utf8')).privateKey;
}

interface Called {
  readonly args?: readonly string[];
  readonly env?: Environment;
  readonly nodeOptions?: readonly string[];
}

const CLASS = '0x5b4b537eaa2399e3aa99c4e2e0208ebd6c71bc1467938cd52c798c601e43564';

describe('a command line', () => {
  it.each([
    ['an unknown command', ['docter'], 'Did you mean doctor?'],
    ['an unknown option', ['check-config', '--jso'], 'Did you mean --json?'],
    ['a command without an option that it needs', ['keys', 'new'], '--class-hash'],
    ['a choice that there is not', ['submissions', '--state', 'done'], 'Allowed choices are'],
    ['a file of variables that is not there', ['doctor', '--env-file', '/none'], 'ENOENT'],
    ['no service', ['lanes'], 'Set SOTTO_URL'],
    ['no token', ['lanes', '--url', 'http://127.0.0.1:1'], 'OPERATOR_API_TOKEN'],
  ])('a command line is rejected with %s', async (_, args, said) => {
    const { exitCode, results, progress } = await run(args);
    expect(exitCode).toBe(2);
    expect(results).toEqual([]);
    expect(progress.join('\n')).toContain(said);
  });

  it.each([['accept-ledger'], ['reconcile'], ['backup', '--out', '/none'], ['accept-loss']])(
    'O5: the command ends with exit code 2 if the settings are invalid: %s',
    async (...args) => {
      const { exitCode, results, progress } = await run(args, { ...FINE, PORT: 'high' });
      expect({ exitCode, results }).toEqual({ exitCode: 2, results: [] });
      expect(progress.join('\n')).toContain('PORT: ');
    },
  );

  it('O5: accept-ledger ends with exit code 2 if no node answers', async () => {
    const { exitCode, results } = await run(['accept-ledger'], {
      ...FINE,
      STARKNET_RPC_URLS: 'http://127.0.0.1:1',
    });
    expect({ exitCode, results }).toEqual({ exitCode: 2, results: [] });
  });

  it('a command line with --help prints all commands', async () => {
    const { exitCode, results } = await run(['--help']);
    expect(exitCode).toBe(0);
    for (const name of ['doctor', 'check-config', 'reconcile|audit', 'follow', 'keys', 'backup'])
      expect(results.join('\n')).toContain(name);
    expect((await run(['audit', '--help'])).results.join('\n')).toContain('--store');
  });
});

describe('check-config', () => {
  it('the command check-config prints every problem of the settings at once', async () => {
    const env = { ...environment, PRICE_API_URL: '', MAX_CONNECTIONS: 'many' };
    const { exitCode, results } = await run(['check-config', '--json'], env);
    expect(exitCode).toBe(1);
    const { problems } = JSON.parse(results.join(''));
    expect(problems).toEqual([
      expect.stringMatching(/^MAX_CONNECTIONS: /),
      'PRICE_API_URL: is required in production',
      'NETWORK_PROFILE: the file cannot be read',
    ]);
  });

  it('the command check-config warns of settings that weaken a protection', async () => {
    const { results, exitCode } = await run(['check-config'], {
      ...FINE,
      DEPOSIT_LEAF_RESERVE: '0',
    });
    expect(results.join('\n')).toBe(
      'warning: DEPOSIT_LEAF_RESERVE is 0: deposits may fill a tree to its last leaf\nthe settings are fine',
    );
    expect(exitCode).toBe(0);
  });

  it('O5: the command check-config warns of a misspelt optional setting with the nearest name', async () => {
    const env = { LOSS_BUDGET_PER_POL_FRI: '1', PATH: '/bin', ...FINE };
    const { results, exitCode } = await run(['check-config'], env);
    expect(results.join('\n')).toBe(
      'warning: LOSS_BUDGET_PER_POL_FRI is not a setting; the nearest name is LOSS_BUDGET_PER_POOL_FRI\nthe settings are fine',
    );
    expect(exitCode).toBe(0);
  });

  it('O5: the command check-config reports a misspelt required setting both as unknown and as missing', async () => {
    const { RELAY_ACCOUNTS = '', ...env }: Readonly<Record<string, string>> = FINE;
    const args = ['check-config', '--json'];
    const { results, exitCode } = await run(args, { ...env, RELAY_ACOUNTS: RELAY_ACCOUNTS });
    expect(exitCode).toBe(1);
    expect(JSON.parse(results.join(''))).toMatchObject({
      problems: [expect.stringMatching(/^RELAY_ACCOUNTS: is required/)],
      unknown: ['RELAY_ACOUNTS is not a setting; the nearest name is RELAY_ACCOUNTS'],
    });
  });

  it('O5: the command check-config warns of every unknown name in an environment file', async () => {
    const file = inFolder('unknown.env');
    writeFileSync(file, 'WEB_HOOKS=yes\nNODE_EXTRA_CA_CERTS=ca.pem\n');
    const { results } = await run(['check-config', '--json', '--env-file', file]);
    expect(JSON.parse(results.join('')).unknown).toEqual(['WEB_HOOKS is not a setting']);
  });

  describe.each([['check-config'], ['doctor']])('O5: warnings of %s', (command) => {
    const LINES = [
      'SOME_TLS_KEY=x',
      'DATABASE_URL: postgres://u:hunter2SECRET@h/db?sslmode=require',
      'MIIEvSECRETBASE64hunter2==',
    ];
    const WARNINGS = [
      'SOME_TLS_KEY is not a setting',
      'line 2 of the environment file is no setting: = must follow DATABASE_URL',
      'line 3 of the environment file is no setting',
    ];

    it.each([
      ['its own', (file: string) => ({ args: ['--env-file', file] })],
      [
        'Node’s',
        (file: string) => ({
          env: parseEnv(readFileSync(file, 'utf8')),
          nodeOptions: [`--env-file=${file}`],
        }),
      ],
    ])(
      'the command prints the same warnings as a start of the service for an environment file that this option reads: %s',
      async (_, optionsOf) => {
        const file = inFolder('secret.env');
        writeFileSync(file, `${LINES.join('\n')}\n`);
        const { args = [], env = {}, nodeOptions = [] }: Called = optionsOf(file);
        const { results } = await run([command, ...args], env, { nodeOptions });
        for (const warning of WARNINGS) expect(results.join('\n')).toContain(warning);
        expect(results.join('\n')).not.toMatch(/hunter2|SECRET|postgres:/);
      },
    );
  });

  describe('with the operator’s own token in the shell', () => {
    const TOKENS = JSON.stringify({ one: 'a'.repeat(32), two: 'b'.repeat(32) });
    const OWN = 'a'.repeat(32);

    it.each([['OPERATOR_API_TOKEN'], ['OPERATOR_API_TOKEN_FILE']])(
      'P3: check-config treats the shell variable %s as the operator’s own API token, not as a setting',
      async (name) => {
        const env = { OPERATOR_API_TOKENS: TOKENS, [name]: OWN };
        const { results } = await run(['check-config', '--json'], env);
        const { problems, stale } = JSON.parse(results.join(''));
        expect(JSON.stringify(problems)).not.toContain('OPERATOR_API_TOKEN');
        expect(stale).toEqual([
          `${name} is the operator’s own token here: a service with OPERATOR_API_TOKENS refuses it`,
        ]);
        const examined = await run(['doctor', '--json'], env);
        const { findings } = JSON.parse(examined.results.join(''));
        const messages = JSON.stringify(
          findings.filter(({ level }: { level: string }) => level === 'failure'),
        );
        expect(messages).not.toContain('OPERATOR_API_TOKEN');
      },
    );

    it.each([['accept-ledger'], ['reconcile'], ['backup', '--out', '/none'], ['accept-loss']])(
      'P3: the command does not treat the operator’s own API token in the shell as a setting: %s',
      async (...args) => {
        const env = { PORT: 'high', OPERATOR_API_TOKENS: TOKENS, OPERATOR_API_TOKEN: OWN };
        const { progress } = await run(args, env);
        expect(progress.join('\n')).toContain('PORT: ');
        expect(progress.join('\n')).not.toContain('OPERATOR_API_TOKEN');
      },
    );

    it('P3: check-config rejects a service’s environment file that contains both token variables', async () => {
      const file = inFolder('both.env');
      writeFileSync(file, `OPERATOR_API_TOKENS=${TOKENS}\nOPERATOR_API_TOKEN=${OWN}\n`);
      const { results } = await run(['check-config', '--json', '--env-file', file]);
      expect(JSON.parse(results.join('')).problems).toContain(
        'OPERATOR_API_TOKEN: give either OPERATOR_API_TOKEN or OPERATOR_API_TOKENS, not both',
      );
    });
  });

  it('the command check-config warns of a setting’s former name, and rejects a removed setting by name', async () => {
    const old = {
      OPERATOR_API_TOKEN: 't'.repeat(32),
      ADMISSION_SLOTS: '16',
      SMALL_BATCH_BELOW: '7',
    };
    const { results } = await run(['check-config', '--json'], old);
    const { problems, unknown } = JSON.parse(results.join(''));
    expect(problems).toContain(
      'SMALL_BATCH_BELOW: is no longer a setting: it is always 3; remove it',
    );
    expect(JSON.stringify([problems, unknown])).not.toMatch(/ADMISSION_SLOTS|OPERATOR_API_TOKEN/);
  });

  it('O5: check-config suggests the right name for a misspelling of every setting', async () => {
    const names = Object.keys(VARIABLES);
    const found = await Promise.all(
      names.map(async (name) => {
        const misspelt = `${name.slice(0, 2)}${name.slice(3)}`;
        const { results } = await run(['check-config', '--json'], { [misspelt]: '1' });
        return JSON.parse(results.join('')).unknown.join('');
      }),
    );
    expect(found.map((sentence) => sentence.split('nearest name is ')[1])).toEqual(names);
  });

  it('the command check-config reads nothing from the shell if an environment file is given', async () => {
    const file = inFolder('service.env');
    writeFileSync(file, `# as systemd has it\nMODE=development\nexport PORT="high"\n`);
    const { results } = await run(['check-config', '--env-file', file], {
      MAX_CONNECTIONS: 'many',
    });
    expect(results.join('\n')).toContain('PORT: ');
    expect(results.join('\n')).not.toContain('MAX_CONNECTIONS');
  });

  it('the command check-config prints no value of a setting', async () => {
    const env = { ...environment, RELAY_ACCOUNTS: `{"address": "${OWN_KEY}"` };
    const { results } = await run(['check-config'], env);
    expect(results.join('')).not.toMatch(/marker|5f1b2c8d9e0a/);
  });
});

describe('keys new', () => {
  it('the command keys new writes a key file that only its owner can read, and prints the address of the future account', async () => {
    const file = inFolder('key.json');
    const args = ['keys', 'new', '--class-hash', CLASS, '--out', file];
    const { exitCode, results, progress } = await run(args);
    expect(exitCode).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [account] = JSON.parse(readFileSync(file, 'utf8'));
    const said = [...results, ...progress].join('\n');
    expect(said).toContain(account.address);
    expect(said).toContain('DEPLOY_ACCOUNT');
    expect(said).not.toContain(account.privateKey.slice(2));
    // The service accepts the new key file.
    const config = { ...environment, RELAY_ACCOUNTS: undefined, RELAY_ACCOUNTS_FILE: file };
    const checked = await run(['check-config'], config);
    expect(checked.results.join('\n')).not.toContain('RELAY_ACCOUNTS');
  });

  it('the command keys new does not overwrite an existing file', async () => {
    const file = inFolder('kept.json');
    writeFileSync(file, 'kept');
    const args = ['keys', 'new', '--class-hash', CLASS, '--out', file];
    expect(await run(args)).toMatchObject({ exitCode: 2, results: [] });
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  it('the command keys new creates a different key each time', async () => {
    expect(await made('one.json')).not.toBe(await made('two.json'));
  });
});

describe('accept-loss', () => {
  it('T17: a ledger that lacks acknowledged commits can be opened after the command accept-loss', async () => {
    const store = inFolder('incomplete.sqlite');
    await (await openSqliteStore({ path: store })).close();
    const older = readFileSync(store);
    const { ledger, close } = await openSqliteStore({ path: store });
    await ledger.registerLane(toFelt('0x1'), 'relay');
    await close();
    writeFileSync(store, older);
    const opening = openSqliteStore({ path: store });
    await expect(opening).rejects.toMatchObject({ code: 'LEDGER_INCOMPLETE' });
    expect(await run(['accept-loss', '--store', store, '--json'])).toMatchObject({
      exitCode: 0,
      results: [JSON.stringify({ accepted: store })],
    });
    const accepted = await openSqliteStore({ path: store });
    expect((await accepted.ledger.state()).possibleCopySinceMs).not.toBeNull();
    await accepted.close();
  });

  it('the command accept-loss fails if the ledger file does not exist', async () => {
    expect(await run(['accept-loss', '--store', inFolder('none.sqlite')])).toMatchObject({
      exitCode: 2,
    });
  });
});

describe('backup', () => {
  it('the command backup copies a ledger only to a file that does not exist', async () => {
    const store = inFolder('ledger.sqlite');
    const opened = await openSqliteStore({ path: store });
    const out = inFolder('copy.sqlite');
    const first = await run(['backup', '--store', store, '--out', out, '--json']);
    expect(first).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(first.results.join(''))).toEqual({ file: out, bytes: statSync(out).size });
    const again = await run(['backup', '--store', store, '--out', out]);
    expect(again).toMatchObject({ exitCode: 2, results: [] });
    expect(again.progress.join('')).toContain('never overwritten');
    await opened.close();
  });

  it('O1 the command backup succeeds after a killed backup, and removes the partial copy that it left', async () => {
    const store = inFolder('killed.sqlite');
    await (await openSqliteStore({ path: store })).close();
    const out = inFolder('killed-copy.sqlite');
    const killed = spawnSync('true').pid;
    const left = [killed, process.pid].map((pid) => `${out}.${pid}-0a-1b.partial`);
    const ofAnother = `${out}.${process.ppid}-0a-1b.partial`;
    for (const file of [...left, ofAnother]) writeFileSync(file, '');
    expect(await run(['backup', '--store', store, '--out', out])).toMatchObject({ exitCode: 0 });
    expect(left.filter((file) => existsSync(file))).toEqual([]);
    expect(existsSync(ofAnother)).toBe(true);
  });

  it('the command backup fails if the ledger file does not exist', async () => {
    const args = ['backup', '--store', inFolder('none.sqlite'), '--out', inFolder('x.sqlite')];
    expect(await run(args)).toMatchObject({ exitCode: 2, results: [] });
  });
});
