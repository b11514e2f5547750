import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@sotto/kernel';
import { JsonRpc } from '../node/json-rpc.js';
import { DevnetControls } from './devnet-controls.js';
import { findDevnet } from './find-devnet.js';

/** Start options of devnet. All options have defaults. */
export interface DevnetOptions {
  /** Path of the devnet program. @default {@link findDevnet} */
  readonly program?: string | undefined;
  /** Seed from which accounts and keys are derived. @default 0 */
  readonly seed?: number | undefined;
  /** Number of predeployed accounts. @default 3 */
  readonly accounts?: number | undefined;
  /**
   * Balance of each account, in fri of STRK and in wei of ETH. @default one million whole tokens
   */
  readonly initialBalance?: bigint | undefined;
  /** Price of L2 gas in fri. @default 8e9, the network's floor */
  readonly l2GasPriceFri?: bigint | undefined;
  /**
   * Trigger of a new block. `transaction`: each transaction creates a block. `demand`: only {@link
   * DevnetControls.createBlock} creates a block. A number: seconds between blocks.
   * @default 'transaction'
   */
  readonly blockGeneration?: 'transaction' | 'demand' | number | undefined;
  /**
   * True to store every block's state, so that blocks can be aborted and old state can be read.
   * @default false
   */
  readonly stateArchive?: boolean | undefined;
  /** Command-line flags in addition to those of the other options. @default none */
  readonly moreFlags?: readonly string[] | undefined;
  /** Port of the node. @default 0, a free port */
  readonly port?: number | undefined;
  /** Function that receives each line of devnet's output. @default discarded */
  readonly log?: ((line: string) => void) | undefined;
}

const HOST = '127.0.0.1';
/**
 * Path of the built supervisor, which runs as a separate process. Tests that import the TypeScript
 * sources also use the built file.
 */
const SUPERVISOR = fileURLToPath(new URL('../../dist/devnet/supervisor.js', import.meta.url));
const START_TIMEOUT_MS = 30_000;
const POLL_EVERY_MS = 25;
const MILLION_TOKENS = 10n ** 24n;

/**
 * Error if starknet-devnet is not installed on this machine. The message is displayed to the user.
 */
export class DevnetMissing extends Error {
  constructor() {
    super('starknet-devnet is not installed: put it on the PATH, or name it in STARKNET_DEVNET');
    this.name = 'DevnetMissing';
  }
}

/** Running starknet-devnet, which ends after {@link stop} or when this process ends. */
export class Devnet {
  /** URL of the node's JSON-RPC. */
  readonly url: string;
  readonly controls: DevnetControls;
  /** Promise that never rejects, and that resolves when the process has ended. */
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
   * Starts devnet and resolves when it accepts requests.
   * @throws DevnetMissing; Error with devnet's last output if it ends or does not accept requests
   *   within half a minute, after devnet was stopped
   */
  static async start(options: DevnetOptions = {}): Promise<Devnet> {
    const program = options.program ?? findDevnet();
    if (program === undefined) throw new DevnetMissing();
    const supervisor = spawn(process.execPath, [SUPERVISOR, program, ...flagsOf(options)], {
      // The IPC channel informs the supervisor that this process has ended.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env['PATH'] },
      detached: true,
    });
    // Wait for `close` instead of `exit`: devnet has the pipes open, so they close only after
    // devnet has ended.
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

  /** Stops the process and resolves when it has ended. */
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
      await systemClock.sleep(POLL_EVERY_MS);
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
  return [
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...(options.moreFlags ?? []),
  ];
}

/**
 * Returns the port that devnet prints. @throws Error with devnet's output if it ends before
 * printing the port
 */
function listeningPort(
  supervisor: ChildProcess,
  ended: Promise<void>,
  log: (line: string) => void,
): Promise<number> {
  const { stdout, stderr } = supervisor;
  if (stdout === null || stderr === null) return Promise.reject(new Error('devnet has no output'));
  let lastWords = '';
  return new Promise((resolve, reject) => {
    // Continue to read after the port was found: a full pipe would block devnet.
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
