import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { get } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { shortenedRules } from '../../src/chaos/alerts.js';
import { CHAOS_CASES } from '../../src/chaos/cases.js';
import { renderChaos, withRow, type ChaosReport } from '../../src/chaos/chaos-report.js';
import type { ChaosRow } from '../../src/chaos/chaos-row.js';
import { FaultShim } from '../../src/chaos/fault-shim.js';
import { TcpProxy } from '../../src/chaos/tcp-proxy.js';
import { ENVIRONMENT, OVERRIDES } from '../../src/chaos/settings.js';
import { TlsProxy } from '../../src/chaos/tls-proxy.js';
import { ALERTING_FILES } from '../../src/chaos/world.js';
import { rowsReport } from '../../src/report/tables.js';

/** Maximum time for bytes to pass the loopback interface on a busy machine, in ms. */
const PASSES_WITHIN_MS = 50;

describe('the rules under chaos', () => {
  it('the alert rules of the chaos test equal the shipped rules, but with all times divided by sixty', () => {
    const rules =
      '  interval: 15s\n      for: 2m\n      expr: increase(a[5m]) > 0\n      for: 1h\n';
    expect(shortenedRules(rules)).toBe(
      '  interval: 1000ms\n      for: 2000ms\n      expr: increase(a[5m]) > 0\n      for: 60000ms\n',
    );
  });

  it('the shipped alert rules contain every alert that a chaos case expects', () => {
    const alerts = new Set(
      [...readFileSync(ALERTING_FILES.rules, 'utf8').matchAll(/- alert: (\w+)/g)].map(
        ([, name]) => name,
      ),
    );
    const named = new Set(
      CHAOS_CASES.flatMap(({ alert, others }) => [
        ...(alert === null ? [] : [alert]),
        ...(others?.alerts ?? []),
      ]),
    );
    expect([...named].filter((name) => !alerts.has(name))).toEqual([]);
  });
});

describe('the settings under chaos', () => {
  it('T15: the chaos test uses the default settings of production, and reports every exception', () => {
    const set = Object.entries(ENVIRONMENT).flatMap(([name, value]) => (value === '' ? [] : name));
    const listed = OVERRIDES.flatMap(({ names }) => names);
    expect(set.filter((name) => !listed.includes(name))).toEqual([]);
    const texts = CHAOS_CASES.flatMap(({ env = {} }) => Object.keys(env));
    expect(new Set(texts)).toEqual(new Set(['HEAD_MAX_AGE_MS', 'MEMPOOL_LIFETIME_MS']));
  });
});

const report = (...rows: readonly ChaosRow[]): ChaosReport =>
  rowsReport({ seconds: 1, withdrawalsPerSecond: 2, lasts: 3 }, rows);

describe('the page of chaos', () => {
  const row: ChaosRow = {
    name: 'fault',
    what: 'it fails',
    skipped: null,
    isShown: true,
    shownAfterSeconds: 1,
    seen: ['CODE'],
    recoveredAfterSeconds: 2,
    paidAfterSeconds: 3,
    isUpstream: true,
    fired: ['One', 'Two'],
    reached: ['One'],
    alert: 'One',
    others: null,
    env: {},
    truth: null,
    findings: ['wrong'],
  };
  const other = { ...row, name: 'fault of another kind', findings: ['wrong too'] };

  it('a later chaos run of one fault replaces only the rows of this fault in the report page', () => {
    const page = renderChaos(report(row, other));
    const mended = { ...row, findings: [], shownAfterSeconds: 4, reached: ['Two'] };
    expect(withRow(page, report(mended), mended)).toBe(renderChaos(report(mended, other)));
  });
});

describe('the cases', () => {
  it('there are at least forty chaos cases, each with a unique name', () => {
    const names = new Set(CHAOS_CASES.map(({ name }) => name));
    expect(names.size).toBe(CHAOS_CASES.length);
    expect(names.size).toBeGreaterThanOrEqual(40);
  });
});

describe('TcpProxy', () => {
  let proxy: TcpProxy;
  let client: Socket;
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      heard.push(String(bytes));
      socket.write(`echo ${String(bytes)}`);
    });
    socket.on('error', () => undefined);
  });
  beforeEach(async () => {
    heard.length = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    proxy = await TcpProxy.start({ host: '127.0.0.1', port: address.port });
    client = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    await once(client, 'connect');
  });
  afterEach(async () => {
    client.destroy();
    await proxy.stop();
    server.close();
    await once(server, 'close');
  });

  const say = async (text: string): Promise<unknown> => {
    client.write(text);
    const [answer] = await once(client, 'data', { signal: AbortSignal.timeout(20_000) });
    return String(answer);
  };

  it('the TCP proxy passes bytes in both directions', async () => {
    expect(await say('one')).toBe('echo one');
    expect(await say('two')).toBe('echo two');
  });

  it.each([
    ['mute-requests', ['one']],
    ['mute-answers', ['one', 'two']],
  ] as const)(
    'the TCP proxy can drop the bytes of one direction of a connection: %s',
    async (passage, arrived) => {
      expect(await say('one')).toBe('echo one');
      const answers: string[] = [];
      client.on('data', (bytes) => answers.push(String(bytes)));
      proxy.set(passage);
      client.write('two');
      while (heard.length < arrived.length) await setImmediate();
      await setTimeout(PASSES_WITHIN_MS);
      expect([heard, answers]).toEqual([arrived, []]);
    },
  );

  it('the TCP proxy closes connections above its limit', async () => {
    const closed = once(client, 'close');
    proxy.limitTo(1);
    await closed;
    const open = (): Socket => connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    const first = open();
    first.write('one');
    await once(first, 'data');
    const second = open();
    await new Promise((resolve) => second.once('close', resolve));
    expect([first.destroyed, second.bytesRead]).toEqual([false, 0]);
    first.destroy();
  });

  it('the TCP proxy in reset mode closes existing and new connections', async () => {
    const closed = once(client, 'close');
    proxy.set('reset');
    await closed;
    const next = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => next.once('close', resolve));
    expect([client.destroyed, next.bytesRead]).toEqual([true, 0]);
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

(hasOpenssl ? describe : describe.skip)('TLS in front of a node', () => {
  it('the certificate of the TLS proxy can expire and be renewed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sotto-tls-'));
    const server = createHttpServer((_, response) => response.end('{}'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    const tls = await TlsProxy.before(`http://127.0.0.1:${address.port}/`, folder);
    const query = (): Promise<string> =>
      new Promise((resolve) => {
        get(tls.url, { ca: readFileSync(tls.caFile), agent: false }, (response) => {
          response.resume();
          resolve(String(response.statusCode));
        }).on('error', (error) => resolve(String(Reflect.get(error, 'code'))));
      });
    expect(await query()).toBe('200');
    tls.expire();
    expect(await query()).toBe('CERT_HAS_EXPIRED');
    tls.renew();
    expect(await query()).toBe('200');
    await tls.stop();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
});

const WRITER = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; create table if not exists t (x)');
    database.exec('insert into t values (1)');
    console.log('written');
  } catch ({ errcode }) {
    console.log('failed', errcode & 0xff);
  }
`;
const hasCompiler = spawnSync('cc', ['--version']).status === 0;

(hasCompiler ? describe : describe.skip)('a disk that fails', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-shim-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('the disk fault makes writes and syncs fail only in its own folder', () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const shim = FaultShim.make(disk);
    if (shim === null) throw new Error('the shim was not compiled');
    const write = (file: string): string =>
      spawnSync(process.execPath, ['-e', WRITER, join(folder, file)], {
        env: { ...process.env, ...shim.env },
        encoding: 'utf8',
      }).stdout.trim();
    writeFileSync(join(folder, 'other.sqlite'), '');
    try {
      expect(write('disk/ledger.sqlite')).toBe('written');
      shim.failWrites('ENOSPC');
      expect(write('disk/ledger.sqlite')).toMatch(/^failed/);
      expect(write('other.sqlite')).toBe('written');
      shim.failWrites('EIO');
      expect(write('disk/ledger.sqlite')).toMatch(/^failed/);
      shim.failSyncs('EIO');
      expect(write('disk/ledger.sqlite')).toMatch(/^failed/);
      shim.pass();
      expect(write('disk/ledger.sqlite')).toBe('written');
    } finally {
      shim.close();
    }
  });
});
