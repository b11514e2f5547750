import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { filledCalldata, trapdoorKey } from '@sotto/load-kit';
import {
  Child,
  SandboxChain,
  Stack,
  keyed,
  ledgerIn,
  neighbourVariables,
  serviceEnvironment,
  signerListens,
  writeJson,
} from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import { NOT_IN_PRODUCTION, isPermissive } from '../permissive.js';
import { unitSettings } from '../unit/kit-files.js';
import { alertsOn, hasPromtool } from './lasting-metrics.js';
import { entriesBelow, manifestsAmong, type Entry, type Manifest } from './packages.js';

const { accounts } = sandboxWorld;
const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
/** Path of the checkout as it occurs in the names of pnpm's folders. */
const checkoutInNames = checkout.replaceAll(/^\/|\/$/g, '').replaceAll('/', '+');
const DEVELOPMENT = [...NOT_IN_PRODUCTION, 'jest', 'typescript', 'turbo', '@sotto/process-kit'];
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const PLENTY_FRI = String(10n ** 30n);

let scratch: string;
let folder: string;
let entries: readonly Entry[];
let manifests: readonly Manifest[];
/** Metrics of the tested service before its withdrawal, in Prometheus' format. */
let idleMetrics = '';

beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'sotto-bundle-')));
  folder = join(scratch, 'sotto');
  const command = ['run', '--silent', 'bundle-production', '--', '--built', folder];
  const { status, stderr } = spawnSync('npm', command, {
    cwd: checkout,
    encoding: 'utf8',
    env: { ...process.env, SOTTO_COMMIT: COMMIT },
  });
  if (status !== 0) throw new Error(`there is no folder: ${stderr}`);
  entries = entriesBelow(folder);
  manifests = manifestsAmong(entries);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Returns the settings of a unit, with all of its folders replaced by one folder of this test. */
const settingsOf = (unit: string, place: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(unitSettings(`systemd/${unit}`)).map(([name, value]) => [
      name,
      value.replace(/(?:\/(?:etc|run|var\/lib)\/sotto-signer|%d)\//, `${place}/`),
    ]),
  );

const program = (name: string): string =>
  join(folder, 'node_modules', '@sotto', name, 'dist', 'main.js');

describe('the folder that operators run', () => {
  it('the production folder has the four programs, and only packages with permissive licences', () => {
    expect(readdirSync(join(folder, 'node_modules', '@sotto'))).toEqual([
      'api',
      'cli',
      'keeper',
      'signer',
    ]);
    const names = manifests.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['@sotto/groth16', 'express', 'pg', 'starknet']));
    expect(names.filter((name) => DEVELOPMENT.includes(name))).toEqual([]);
    const others = manifests.filter(({ license }) => !isPermissive(license));
    expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
  });

  it('O3 the production folder includes the release notes', () => {
    const notes = readFileSync(join(folder, 'RELEASE-NOTES.md'), 'utf8');
    expect(notes).toBe(
      readFileSync(new URL('../../../../docs/release-notes.md', import.meta.url), 'utf8'),
    );
    expect(notes).toMatch(/^## Schemas$/m);
    expect(notes).toMatch(/^### Renamed$/m);
  });

  it('the file sbom.json lists each package in the folder', () => {
    const { components } = z
      .object({ components: z.array(z.object({ purl: z.string() })) })
      .parse(JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8')));
    const listed = new Set(components.map(({ purl }) => purl));
    const missing = manifests
      .map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`)
      .filter((purl) => !listed.has(purl));
    expect(missing).toEqual([]);
  });

  it('the production folder contains no files that only a compiler or developer reads', () => {
    const unread = /\.(?:d\.[cm]?ts|map|tsbuildinfo)$|@sotto\/[a-z-]+\/(?:src|test|\.turbo)$/;
    const found = entries.filter(({ path }) => unread.test(path));
    expect(found.map(({ path }) => relative(folder, path))).toEqual([]);
  });

  it('no file in the production folder contains the path of the checkout or of the build folder', () => {
    const places = [`${checkout}apps/`, `${checkout}packages/`, `${checkout}node_modules/`];
    const named = [...places, `${checkoutInNames}+`, folder];
    const found = entries.filter(({ path, kind }) => {
      const text = kind === 'link' ? readlinkSync(path) : relative(folder, path);
      const content = kind === 'file' ? readFileSync(path) : Buffer.alloc(0);
      return named.some((place) => text.includes(place) || content.includes(place));
    });
    expect(found.map(({ path }) => relative(folder, path))).toEqual([]);
    // A link to a path outside the folder would contain the path of the checkout too.
    const links = entries.filter(({ kind }) => kind === 'link');
    expect(links.length).toBeGreaterThan(100);
    for (const { path } of links) expect(realpathSync(path).startsWith(folder)).toBe(true);
  });

  it('every program in the production folder starts', () => {
    const cwd = scratch;
    const env = { PATH: process.env['PATH'] };
    const start = (path: string, ...args: readonly string[]) =>
      spawnSync(process.execPath, [path, ...args], { cwd, env, encoding: 'utf8' });
    const command = start(realpathSync(join(folder, 'node_modules', '.bin', 'sotto')), '--help');
    expect(command.stdout).toContain('Usage: sotto');
    for (const name of ['api', 'keeper', 'signer']) {
      const { status, stdout, stderr } = start(program(name));
      expect({ name, status, says: `${stdout}${stderr}` }).toEqual({
        name,
        status: 1,
        says: expect.stringContaining('configuration'),
      });
    }
  });

  it.each([
    ['help', ['--help'], 0],
    ['a result', ['check-config', '--json'], 1],
  ])(
    'a command ends without a stack trace if the reader of %s has disconnected',
    async (_, args, code) => {
      const path = realpathSync(join(folder, 'node_modules', '.bin', 'sotto'));
      const command = spawn(process.execPath, [path, ...args], {
        env: { PATH: process.env['PATH'] },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      // The reader of the output disconnects before the command has written anything.
      command.stdout.destroy();
      let complaints = '';
      command.stderr.setEncoding('utf8').on('data', (text: string) => {
        complaints += text;
      });
      expect(await once(command, 'close')).toEqual([code, null]);
      expect(complaints).not.toMatch(/EPIPE|\n {4}at /);
    },
  );

  it('the production folder’s programs relay a withdrawal with the settings of the systemd units', async () => {
    const { sentinel_1x: pool } = sandboxWorld.pools;
    const profile = join(folder, 'node_modules', '@sotto', 'api', 'profiles', 'sandbox.json');
    const feeAddress = toFelt(accounts.feeCollector.address);
    const lane = toFelt(accounts.lane1.address);
    const swapOwner = toFelt(accounts.swapOwner.address);
    const chain = await SandboxChain.start(join(scratch, 'chain.log'));
    const signerOf = (args: readonly string[], env = {}): Child =>
      new Child({ name: 'signer', program: pathToFileURL(program('signer')).href, args, env });
    const work = join(scratch, 'work');
    mkdirSync(work);
    const stack = new Stack({
      program: pathToFileURL(program('api')).href,
      folder: work,
      environment: serviceEnvironment(
        {
          networkProfile: profile,
          verificationKeyFile: writeJson(work, 'verification-key.json', trapdoorKey),
          databaseFile: ledgerIn(work),
          rpcUrl: chain.urls.rpcUrl,
          lanes: [],
          feeAddress,
          instanceId: 'bundle',
        },
        {
          RELAY_ACCOUNTS: JSON.stringify([{ address: lane }]),
          SWAP_OWNER_ACCOUNT: JSON.stringify({ address: swapOwner }),
          ...settingsOf('with-signer.conf', work),
          ...neighbourVariables(chain.urls),
          METRICS_PORT: '0',
          POLL_INTERVAL_MS: '100',
          IDLE_INTERVAL_MS: '200',
          CONSOLE: 'true',
          OPERATOR_API_TOKENS: JSON.stringify({ default: 'token-of-an-operator' }),
          NODE_TIMEOUT_MS: '120000',
          NODE_SEND_TIMEOUT_MS: '120000',
          POLL_TIMEOUT_MS: '300000',
          WAIT_FOR_CONFIRMATION_MS: '300000',
        },
      ),
      beneath: [chain],
    });
    let signer: Child | undefined;
    try {
      await chain.fillPool(pool, [accounts.lane1]);
      const drafted = signerOf([
        'policy',
        `--profile=${profile}`,
        `--relay=${lane}`,
        `--swap-owner=${swapOwner}`,
        `--per-hour-fri=${PLENTY_FRI}`,
        `--per-day-fri=${PLENTY_FRI}`,
      ]);
      await drafted.ended;
      writeFileSync(join(work, 'policy.json'), drafted.output);
      writeJson(work, 'keys', [keyed(accounts.lane1), keyed(accounts.swapOwner)]);
      // The signer runs in development mode, because the sandbox's keys are sample keys, which
      // production mode rejects.
      signer = signerOf([], {
        ...settingsOf('sotto-signer.service', work),
        MODE: 'development',
      });
      await signerListens(signer);
      const service = await stack.restart();
      await service.ready();
      expect((await service.get('/status')).body).toMatchObject({
        status: { build: { commit: COMMIT } },
      });
      idleMetrics = await (await fetch(service.metricsUrl)).text();
      expect(await service.get('/console/', { accept: 'text/html' })).toMatchObject({
        status: 200,
        text: expect.stringContaining('<title>Sotto console</title>'),
      });
      const calldata = filledCalldata({ note: 0, relayer: feeAddress, fee: 900n });
      const answer = await service.withdraw({ poolAddress: toFelt(pool.address), calldata });
      expect(answer).toMatchObject({ status: 200, body: { execution_status: 'SUCCEEDED' } });
      const paid = await chain.control('paidInclusions');
      expect(paid).toEqual([
        expect.objectContaining({ sender: lane, executionStatus: 'SUCCEEDED' }),
      ]);
      // These values come from the unit: the file mode of the socket and the path of the signer's
      // ledger.
      expect(statSync(join(work, 'signer.sock')).mode & 0o777).toBe(0o660);
      expect(existsSync(join(work, 'book.sqlite'))).toBe(true);
    } finally {
      await stack.stop({ keep: true });
      await signer?.stop();
    }
  });

  (hasPromtool ? describe : describe.skip)('the alerts', () => {
    it('no alert fires on the metrics of an idle service', () => {
      expect(idleMetrics).toMatch(/^sotto_ready 1$/m);
      expect(alertsOn(idleMetrics)).toEqual([]);
      const unready = idleMetrics.replace(/^sotto_ready 1$/m, 'sotto_ready 0');
      expect(alertsOn(unready)).toEqual(['NotReady']);
    });
  });
});
