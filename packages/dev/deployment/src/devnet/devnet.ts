import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@sotto/kernel';
import { JsonRpc } from '../node/json-rpc.js';
import { DevnetControls } from './devnet-controls.js';
import { findDevnet } from './find-devnet.js';

/** How devnet starts; everything has a default. */
export interface DevnetOptions {
  /** The program. @default {@link findDevnet} */
  readonly program?: string | undefined;
  /** Accounts and their keys follow from it. @default 0 */
  readonly seed?: number | undefined;
  /** How many accounts it starts with. @default 3 */
  readonly accounts?: number | undefined;
  /** STRK (fri) and ETH (wei) of each. @default one million whole tokens */
  readonly initialBalance?: bigint | undefined;
  /** @default 8e9, the network's floor */
  readonly l2GasPriceFri?: bigint | undefined;
  /**
   * `transaction`: a block for each transaction. `demand`: {@link DevnetControls.createBlock} alone
   * closes one. A number: seconds.
   * @default 'transaction'
   */
  readonly blockGeneration?: 'transaction' | 'demand' | number | undefined;
  /**
   * Keeps every block's state, so that blocks can be aborted and old state can be read.
   * @default false
   */
  readonly stateArchive?: boolean | undefined;
  /** @default 0, a free port */
  readonly port?: number | undefined;
  /** Takes what devnet writes. @default it is thrown away */
  readonly log?: ((line: string) => void) | undefined;
}

const HOST = '127.0.0.1';
/**
 * Written for tests that read the sources as well: the supervisor is a process of its own, so it
 * has to be built.
 */
const SUPERVISOR = fileURLToPath(new URL('../../dist/devnet/supervisor.js', import.meta.url));
const START_TIMEOUT_MS = 30_000;
const LOOK_EVERY_MS = 25;
const MILLION_TOKENS = 10n ** 24n;

/** There is no starknet-devnet on this machine. The message is for people. */
export class DevnetMissing extends Error {
  constructor() {
    super('starknet-devnet is not installed: put it on the PATH, or name it in STARKNET_DEVNET');
    this.name = 'DevnetMissing';
  }
}

/**
 * A running starknet-devnet. It ends with {@link stop}, or when this process is gone, however that
 * went.
 */
export class Devnet {
  /** Where JSON-RPC is served. */
  readonly url: string;
  readonly controls: DevnetControls;
  /** Resolves, never rejects, when the process has ended. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly supervisor: ChildProcess,
    port: number,
    ended: Promise<void>,
  ) {
    this.url = `http://${HOST}:${port}`;
    this.controls = new DevnetControls(new JsonRpc(this.url));
    this.ended = ended;
  }

  /**
   * Resolves when devnet answers.
   * @throws DevnetMissing; Error with its last words when it ends or does not answer in half a
   *   minute, and nothing of it is left then
   */
  static async start(options: DevnetOptions = {}): Promise<Devnet> {
    const program = options.program ?? findDevnet();
    if (program === undefined) throw new DevnetMissing();
    const supervisor = spawn(process.execPath, [SUPERVISOR, program, ...flagsOf(options)], {
      // Through the channel the supervisor notices that this process is gone.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env['PATH'] },
      detached: true,
    });
    // Not `exit`: devnet holds the pipes, so they close when it is gone as well.
    const ended = once(supervisor, 'close').then(() => undefined);
    try {
      const port = await listeningPort(supervisor, ended, options.log ?? (() => undefined));
      const devnet = new Devnet(supervisor, port, ended);
      await devnet.#untilAlive();
      return devnet;
    } catch (error) {
      supervisor.kill('SIGTERM');
      await ended;
      throw error;
    }
  }

  /** Ends the process; resolves when it is gone. */
  async stop(): Promise<void> {
    this.supervisor.kill('SIGTERM');
    await this.ended;
  }

  async #untilAlive(): Promise<void> {
    const untilMs = systemClock.monotonicMs() + START_TIMEOUT_MS;
    while (systemClock.monotonicMs() < untilMs) {
      const alive = await fetch(`${this.url}/is_alive`, {
        signal: AbortSignal.timeout(START_TIMEOUT_MS),
      }).catch(() => undefined);
      if (alive?.ok === true) return;
      await systemClock.sleep(LOOK_EVERY_MS);
    }
    throw new Error(`devnet does not answer after ${START_TIMEOUT_MS / 1_000} s`);
  }
}

function flagsOf(options: DevnetOptions): readonly string[] {
  const {
    seed = 0,
    accounts = 3,
    initialBalance = MILLION_TOKENS,
    l2GasPriceFri = 8_000_000_000n,
    blockGeneration = 'transaction',
  } = options;
  const flags = {
    host: HOST,
    port: options.port ?? 0,
    seed,
    accounts,
    'initial-balance': initialBalance,
    'l2-gas-price-fri': l2GasPriceFri,
    'block-generation-on': blockGeneration,
    ...(options.stateArchive === true && { 'state-archive-capacity': 'full' }),
  };
  return Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

/** The port that devnet says it listens on. @throws Error with what it wrote when it ends before */
function listeningPort(
  supervisor: ChildProcess,
  ended: Promise<void>,
  log: (line: string) => void,
): Promise<number> {
  const { stdout, stderr } = supervisor;
  if (stdout === null || stderr === null) return Promise.reject(new Error('devnet has no output'));
  let lastWords = '';
  return new Promise((resolve, reject) => {
    // Read to the end all the same: a full pipe would stop devnet.
    for (const stream of [stdout, stderr]) {
      createInterface(stream).on('line', (line) => {
        log(line);
        lastWords = line;
        const port = /listening on \S+:(\d+)/.exec(line)?.[1];
        if (port !== undefined) resolve(Number(port));
      });
    }
    void ended.then(() => reject(new Error(`devnet ended while it started: ${lastWords}`)));
  });
}
