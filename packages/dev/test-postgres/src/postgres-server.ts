import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@sotto/process-kit/free-port';
import { Client } from 'pg';
import type { Found, User } from './binaries.js';

const READY = 'ready to accept connections';
const LAST_OUTPUT = 2_000;

/**
 * Shell script that starts the given server and stops it when standard input ends. So the server
 * also stops when the tests are killed. The folder is deleted unless the last input line is `keep`.
 * The shell closes its own error stream, so that the stream ends when the server ends.
 */
const UNTIL_INPUT_ENDS =
  'folder=$1; shift; "$@" & server=$!; exec 2>/dev/null; read -r word; kill -INT "$server"; wait "$server"; [ "$word" = keep ] || rm -rf "$folder"';
const KEEP = 'keep\n';

/** Duration of one unit of CPU time in `/proc`, in ms. */
const TICK_MS = 10;
/** Index of the first CPU time in `/proc/<pid>/stat`, counted from the field after the name. */
const FIRST_CPU_TIME = 11;

/**
 * Returns the CPU time of a process in ms; 0 if the process has ended. @param fields 2 for the
 * process alone, 4 to add its ended children
 */
function cpuMsOf(pid: number, fields: 2 | 4): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = afterName.slice(FIRST_CPU_TIME, FIRST_CPU_TIME + fields);
  return ticks.reduce((sum, count) => sum + Number(count), 0) * TICK_MS;
}

export interface PostgresServerOptions {
  /**
   * Additional settings of the server, such as `fsync=on`.
   * @default the fastest settings, which may lose data at a power loss
   */
  readonly settings?: readonly string[];
}

/** PostgreSQL server on a free port of 127.0.0.1, in a temporary folder. */
export class PostgresServer {
  /** Folder of all files of the server. */
  readonly folder: string;
  readonly #data: string;
  readonly #password = randomBytes(16).toString('hex');
  readonly #found: Extract<Found, { kind: 'found' }>;
  readonly #settings: readonly string[];
  #port = 0;
  #process: ChildProcess | null = null;
  #databases = 0;

  private constructor(
    found: Extract<Found, { kind: 'found' }>,
    { settings = [] }: PostgresServerOptions,
  ) {
    this.#found = found;
    this.#settings = [
      'fsync=off',
      'full_page_writes=off',
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      ...settings,
    ];
    this.folder = mkdtempSync(join(tmpdir(), 'postgres-'));
    this.#data = join(this.folder, 'data');
  }

  /**
   * Starts a server. Resolves when the server accepts connections. @param found result of
   * `findPostgres`
   */
  static async start(
    found: Extract<Found, { kind: 'found' }>,
    options: PostgresServerOptions = {},
  ): Promise<PostgresServer> {
    const server = new PostgresServer(found, options);
    try {
      server.#initialise();
      server.#port = await freePort();
      await server.#run();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Returns the URL of a database, including the password. */
  urlOf(database: string): string {
    return `postgres://tester:${this.#password}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Creates an empty database and returns its URL. */
  async createDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    const client = new Client({ connectionString: this.urlOf('postgres') });
    await client.connect();
    try {
      await client.query(`create database ${name}`);
    } finally {
      await client.end();
    }
    return this.urlOf(name);
  }

  /**
   * Kills the server and all connections immediately. After the next start, all acknowledged data
   * is available.
   */
  async crash(): Promise<void> {
    const ended = this.#ended();
    process.kill(this.#pid(), 'SIGKILL');
    await ended;
  }

  /**
   * Stops every process of the server with SIGSTOP. Connections stay open, but no query is
   * answered.
   */
  pause(): void {
    for (const pid of this.#pids()) process.kill(pid, 'SIGSTOP');
  }

  /** Continues the processes of the server after a pause. */
  goOn(): void {
    for (const pid of this.#pids()) process.kill(pid, 'SIGCONT');
  }

  /** Starts the server after a crash or a halt. Resolves when the server accepts connections. */
  async startAgain(): Promise<void> {
    await this.#run();
  }

  /** Ends all sessions and stops the server, as in a restart by an operator. */
  async halt(): Promise<void> {
    const ended = this.#ended();
    this.#process?.stdin?.end(KEEP);
    await ended;
  }

  /** Stops the server and deletes its files. */
  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.folder, { recursive: true, force: true });
    if (this.#found.temporary !== null)
      rmSync(this.#found.temporary, { recursive: true, force: true });
  }

  /**
   * Returns the CPU time of the server so far, in ms: of the processes that run and of those that
   * have ended. Reads `/proc`, so it works on Linux only.
   */
  cpuMs(): number {
    const [main = 0, ...others] = this.#pids();
    return cpuMsOf(main, 4) + others.reduce((sum, pid) => sum + cpuMsOf(pid, 2), 0);
  }

  /** Returns the id of the server process that accepts connections. */
  #pid(): number {
    const [pid = ''] = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(pid);
  }

  /**
   * Returns the ids of the process that accepts connections and of the processes that serve them.
   */
  #pids(): readonly number[] {
    const pid = this.#pid();
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return [pid, ...children.split(' ').filter(Boolean).map(Number)];
  }

  get #user(): User & { readonly cwd: string } {
    return { ...this.#found.user, cwd: '/' };
  }

  #initialise(): void {
    const passwordFile = join(this.folder, 'password');
    writeFileSync(passwordFile, this.#password, { mode: 0o600 });
    const { uid, gid } = this.#found.user;
    if (uid !== undefined && gid !== undefined)
      for (const path of [this.folder, passwordFile]) chownSync(path, uid, gid);
    const options = [
      '-U',
      'tester',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--no-sync',
      '-E',
      'UTF8',
      '--locale=C',
    ];
    execFileSync(join(this.#found.folder, 'initdb'), ['-D', this.#data, ...options], {
      ...this.#user,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  async #run(): Promise<void> {
    const settings = this.#settings.flatMap((setting) => ['-c', setting]);
    const command = [
      join(this.#found.folder, 'postgres'),
      '-D',
      this.#data,
      '-p',
      String(this.#port),
      ...settings,
    ];
    const started = spawn('/bin/sh', ['-c', UNTIL_INPUT_ENDS, 'sh', this.folder, ...command], {
      ...this.#user,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#process = started;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      started.stderr.on('data', (chunk: Buffer) => {
        output = `${output}${chunk.toString()}`.slice(-LAST_OUTPUT);
        if (output.includes(READY)) resolve();
      });
      started.stderr.once('end', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
      started.once('error', reject);
    });
  }

  async #ended(): Promise<void> {
    const running = this.#process;
    if (running?.stderr === null || running?.stderr === undefined || running.stderr.closed) return;
    await once(running.stderr, 'close');
    running.stdin?.end(KEEP);
    this.#process = null;
  }
}
