import { fileURLToPath } from 'node:url';
import { systemClock } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import {
  jsonLine,
  neighbourVariables,
  serviceEnvironment,
  WITHOUT_LIMITS,
  writeJson,
  type SandboxUrls,
  type Variables,
} from '@sotto/process-kit';
import type { SandboxAccount } from '@sotto/sandbox';
import { z } from 'zod';
import { get } from '../load/http-client.js';
import type { Flow } from './flow.js';
import { MeasuredChild } from './measured-child.js';
import { SqliteStore, type Store } from './store.js';
import { feeAddress } from './world.js';

/** Interval in ms at which the usual flow and a tuned service poll transactions. */
export const POLL_INTERVAL_MS = 200;
/**
 * Maximum number of transactions in flight per account: the largest value that the service accepts.
 * The usual flow has no such limit.
 */
const IN_FLIGHT_PER_LANE = 100;

/**
 * Settings of the service. `default` uses the default of every setting, as an operator may do.
 * `tuned` gives the maximum throughput on this machine.
 */
const SETTINGS = {
  default: {},
  tuned: {
    POLL_INTERVAL_MS: String(POLL_INTERVAL_MS),
    MAX_IN_FLIGHT_PER_LANE: String(IN_FLIGHT_PER_LANE),
    NONCE_WINDOW: String(IN_FLIGHT_PER_LANE),
  },
} as const satisfies Readonly<Record<string, Variables>>;

const PROFILE = fileURLToPath(import.meta.resolve('@sotto/api/profiles/sandbox.json'));
const PROGRAM = import.meta.resolve('@sotto/api');
const Listening = z.object({ message: z.literal('listening'), url: z.url() });
/** Value for limits that must never be reached in the benchmark. */
const MANY = '10000';
const POLL_EVERY_MS = 5;

export interface ServiceOptions {
  readonly folder: string;
  readonly node: SandboxUrls;
  readonly lanes: readonly SandboxAccount[];
  /** Name of the service, unique among services that run at the same time. @default 'service' */
  readonly name?: string;
  /** Settings of the service. @default 'tuned' */
  readonly settings?: keyof typeof SETTINGS;
  /** Database of the service. @default a new SQLite file */
  readonly store?: Store;
  /** Environment variables in addition to the settings. */
  readonly env?: Variables;
  /** File URL of the program. @default the installed program */
  readonly program?: string;
  /** True to measure the event loop from the moment at which the service listens. @default false */
  readonly watched?: boolean;
  /** Command line options of Node. */
  readonly nodeOptions?: readonly string[];
}

/**
 * The built service as a separate process. Limits that a single caller would reach are disabled.
 */
export class Service implements Flow {
  private constructor(
    readonly process: MeasuredChild,
    readonly url: string,
    readonly store: Store,
    /**
     * Time in ms from the start of the process until it listens. The next parameter is the time
     * until it accepts withdrawals.
     */
    readonly listeningAfterMs: number,
    readonly readyAfterMs: number,
  ) {}

  /** Resolves when the service accepts withdrawals. */
  static async start(options: ServiceOptions): Promise<Service> {
    const {
      folder,
      name = 'service',
      program = PROGRAM,
      nodeOptions = [],
      watched = false,
    } = options;
    const store = options.store ?? SqliteStore.fresh(folder, name);
    const startMs = performance.now();
    const process = new MeasuredChild({
      name,
      program,
      nodeOptions,
      env: environment(options, store),
      logFile: `${folder}/${name}.log`,
    });
    try {
      const { url } = await process.line(jsonLine(Listening));
      if (watched) process.watchDelay();
      const listeningAfterMs = performance.now() - startMs;
      while ((await get(`${url}/health/ready`)).status !== 200)
        await systemClock.sleep(POLL_EVERY_MS);
      const readyAfterMs = performance.now() - startMs;
      return new Service(process, url, store, listeningAfterMs, readyAfterMs);
    } catch (error) {
      await process.stop('SIGKILL');
      throw error;
    }
  }

  /**
   * Resolves when every attempt in the store has ended, which means ACCEPTED_ON_L2. This is later
   * than the response to the caller.
   */
  async settled(): Promise<void> {
    while ((await this.store.unsettled()) > 0) await systemClock.sleep(POLL_INTERVAL_MS);
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

function environment(
  { folder, node, lanes, settings = 'tuned', env = {} }: ServiceOptions,
  store: Store,
): Variables {
  const given = {
    networkProfile: PROFILE,
    verificationKeyFile: writeJson(folder, 'verification-key.json', trapdoorKey),
    // The environment variables of the store override this setting.
    databaseFile: '',
    rpcUrl: node.rpcUrl,
    lanes,
    feeAddress,
    instanceId: 'bench',
  };
  return serviceEnvironment(given, {
    ...neighbourVariables(node),
    AGGREGATOR_URL: '',
    ...WITHOUT_LIMITS,
    MAX_REQUESTS_IN_FLIGHT_PER_CLIENT: MANY,
    MAX_CONNECTIONS_PER_CLIENT: MANY,
    ADMISSION_QUEUE: MANY,
    TRUST_PROXY: '1',
    SHUTDOWN_DRAIN_MS: '0',
    ...SETTINGS[settings],
    ...store.env,
    ...env,
  });
}
