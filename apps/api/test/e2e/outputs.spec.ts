import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { Child, eventually, signerUrl, type Variables } from '@sotto/process-kit';
import { freePort } from '@sotto/process-kit/free-port';
import { sandboxWorld } from '@sotto/sandbox';
import { HeldPipe } from './support/held-pipe.js';
import { KEPT_VAULTS, keeperProcess } from './support/keeper-process.js';
import { NODE_OPTIONS, PROGRAM } from './support/program.js';
import { signerProcess } from './support/signer-process.js';
import { Stack } from './support/stack.js';
import { good } from './support/withdrawals.js';

const { accounts } = sandboxWorld;
const CLI = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
const PROCESSES = ['signer', 'api', 'keeper'] as const;
type Process = (typeof PROCESSES)[number];

/**
 * Log destination of each process, and a function that changes the destinations once all processes
 * run.
 */
interface Outputs {
  readonly of: (process: Process) => number;
  readonly running: () => void;
  readonly end: () => void;
}

function pipes(folder: string, prepare: (pipe: HeldPipe) => void): readonly HeldPipe[] {
  return PROCESSES.map((name) => {
    const pipe = new HeldPipe(join(folder, `${name}.log`));
    prepare(pipe);
    return pipe;
  });
}

const inputOf =
  (made: readonly HeldPipe[]) =>
  (name: Process): number =>
    made[PROCESSES.indexOf(name)]?.input ?? -1;

/**
 * Returns one pipe per process, whose readers do not read. Each pipe is full before the process
 * writes its first line.
 */
function fullPipes(folder: string): Outputs {
  const made = pipes(folder, (pipe) => pipe.fill());
  return {
    of: inputOf(made),
    running: () => made.forEach((pipe) => pipe.given()),
    end: () => made.forEach((pipe) => pipe.close()),
  };
}

function readersThatDie(folder: string): Outputs {
  const made = pipes(folder, () => {});
  return {
    of: inputOf(made),
    running: () =>
      made.forEach((pipe) => {
        pipe.given();
        pipe.close();
      }),
    end: () => {},
  };
}

function fullDisk(): Outputs {
  const file = openSync('/dev/full', 'w');
  return { of: () => file, running: () => {}, end: () => closeSync(file) };
}

/** Returns the status of a GET request; null if there was no response. */
function answer(url: string): Promise<number | null> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status,
    () => null,
  );
}

describe('O2: a log that cannot be written', () => {
  let folder: string;
  let stack: Stack;
  let started: Child[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-outputs-'));
    started = [];
    stack = await Stack.start({ profile: { vaults: KEPT_VAULTS } });
    await stack.service.process.stop();
  });
  afterEach(async () => {
    await Promise.all(started.map((child) => child.stop()));
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['because its reader has stopped', fullPipes],
    ['because its reader has died', readersThatDie],
    ['because the disk is full', fullDisk],
  ])(
    'a log that cannot be written stops neither service nor keeper nor signer: %s',
    async (_, outputsIn) => {
      const outputs = outputsIn(folder);
      const [port, metricsPort, keeperPort] = [
        await freePort(),
        await freePort(),
        await freePort(),
      ];
      started.push(signerProcess(folder, { destination: outputs.of('signer') }));
      started.push(
        new Child({
          name: 'api',
          program: PROGRAM,
          nodeOptions: NODE_OPTIONS,
          destination: outputs.of('api'),
          env: {
            ...stack.environment,
            RELAY_ACCOUNTS: JSON.stringify([{ address: toFelt(accounts.lane1.address) }]),
            SIGNER_URL: signerUrl(folder),
            PORT: String(port),
            METRICS_PORT: String(metricsPort),
            LOG_LEVEL: 'debug',
          },
        }),
      );
      const keeperEnvironment = { ...stack.environment, PORT: String(keeperPort) };
      started.push(keeperProcess(keeperEnvironment, outputs.of('keeper')));
      const service = `http://127.0.0.1:${port}`;
      for (const url of [`${service}/health/ready`, `http://127.0.0.1:${keeperPort}/health/ready`])
        await eventually(`${url} to be ready`, async () => {
          for (const { name, isRunning } of started)
            if (!isRunning) throw new Error(`${name} ended`);
          return (await answer(url)) === 200;
        });
      outputs.running();
      const response = await fetch(`${service}/api/relayer/withdraw`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(good),
      });
      expect(await response.json()).toMatchObject({ execution_status: 'SUCCEEDED' });
      expect(await answer(`http://127.0.0.1:${keeperPort}/health/live`)).toBe(200);
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      expect(metrics).toMatch(/^sotto_log_lines_lost_total \d+$/m);
      await Promise.all(started.map((child) => child.stop('SIGTERM')));
      for (const { ended } of started) expect(await ended).toEqual({ code: 0, signal: null });
      outputs.end();
    },
  );
});

describe('O2: a log on a socket, as a supervisor has it', () => {
  it('a process continues even if the reader of its log socket has stopped', async () => {
    const telemetry = new URL(
      '../../../../packages/platform/telemetry/dist/index.js',
      import.meta.url,
    );
    const program = `
      import { createLogger } from '${telemetry.href}';
      const logger = createLogger({ level: 'info' });
      for (let index = 0; index < 4000; index += 1) logger.error({ text: 'x'.repeat(300) }, 'line');
      process.stderr.write('went on');`;
    // Pipes that Node creates are sockets. The parent process reads a stream only if the stream has
    // a listener.
    const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
    expect(String((await once(child.stderr, 'data'))[0])).toBe('went on');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('O2: a collector that answers nothing', () => {
  it('a trace collector that never responds delays neither a withdrawal nor the shutdown of the service', async () => {
    const collector = createServer(() => {});
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const address = collector.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const stack = await Stack.start({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}`,
        // These timeouts are longer than the time for which the test waits for the end of the
        // service.
        OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
        OTEL_BSP_EXPORT_TIMEOUT: '60000',
      },
    });
    try {
      const { service } = stack;
      expect((await service.withdraw(good)).body).toMatchObject({ execution_status: 'SUCCEEDED' });
      await service.process.stop('SIGTERM');
      expect(await service.ended).toEqual({ code: 0, signal: null });
    } finally {
      await stack.stop();
      collector.close();
    }
  });
});

function run(args: readonly string[], stdout: number, env: Variables = {}): ChildProcess {
  return spawn(process.execPath, [CLI, ...args], {
    stdio: ['ignore', stdout, 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  });
}

describe('O2: the command line tool', () => {
  it('the command line tool reports a full disk and exits with code 2', async () => {
    const disk = openSync('/dev/full', 'w');
    const command = run(['--help'], disk);
    let errors = '';
    command.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    expect(await once(command, 'close')).toEqual([2, null]);
    expect(errors).toBe('the result could not be written (ENOSPC)\n');
    closeSync(disk);
  });

  it('the command line tool exits on SIGTERM even if no process reads its standard output', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sotto-outputs-'));
    const pipe = new HeldPipe(join(folder, 'result'));
    pipe.fill();
    const token = 'token-of-the-operator';
    const stack = await Stack.start({
      env: { OPERATOR_API_TOKENS: JSON.stringify({ default: token }) },
    });
    try {
      const command = run(['follow', '--url', stack.service.url, '--json'], pipe.input, {
        OPERATOR_API_TOKEN: token,
      });
      const [following] = await once(command.stderr ?? command, 'data');
      expect(String(following)).toBe('following\n');
      await stack.service.withdraw(good);
      command.kill('SIGTERM');
      expect(await once(command, 'exit')).toEqual([0, null]);
    } finally {
      pipe.given();
      pipe.close();
      await stack.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
