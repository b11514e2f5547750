import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import {
  jsonLine,
  serviceEnvironment,
  writeJson,
  type SandboxUrls,
  type Variables,
} from '@sotto/process-kit';
import { z } from 'zod';
import { get } from '../load/http-client.js';
import type { Flow } from './flow.js';
import { MeasuredChild } from './measured-child.js';
import { feeAddress, lanes } from './world.js';

/** How often either flow asks the node what became of transactions. */
export const POLL_INTERVAL_MS = 200;
/**
 * Undecided transactions of one account at a time: the most that the service takes. The usual flow
 * has no such limit.
 */
const IN_FLIGHT_PER_LANE = 100;

const PROFILE = fileURLToPath(import.meta.resolve('@sotto/api/profiles/sandbox.json'));
const PROGRAM = import.meta.resolve('@sotto/api');
const Listening = z.object({ message: z.literal('listening'), url: z.url() });
/** More than any load here costs or asks for: what is measured is not the limits of a caller. */
const BOUNDLESS = '100000000';
const BOUNDLESS_FRI = String(10n ** 30n);
const MANY = '10000';
const LOOK_EVERY_MS = 5;

export interface ServiceOptions {
  readonly folder: string;
  readonly node: SandboxUrls;
  readonly lanes: number;
  /** @default a new one */
  readonly ledgerFile?: string;
  /** When private bytes of ended withdrawals are wiped. @default the service's */
  readonly retentionMs?: number;
  /** As a file URL. @default the one that is installed */
  readonly program?: string;
  /** Of Node itself. */
  readonly nodeOptions?: readonly string[];
}

/** The built service, in its default settings but for limits, in a process of its own. */
export class Service implements Flow {
  private constructor(
    readonly process: MeasuredChild,
    readonly url: string,
    private readonly ledgerFile: string,
    /** From the start of the process until it took withdrawals. */
    readonly readyAfterMs: number,
  ) {}

  /** Resolves when it takes withdrawals. */
  static async start({
    folder,
    node,
    lanes: count,
    ledgerFile,
    retentionMs,
    program = PROGRAM,
    nodeOptions = [],
  }: ServiceOptions): Promise<Service> {
    const file = ledgerFile ?? `${folder}/ledger.sqlite`;
    if (ledgerFile === undefined)
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    const startMs = performance.now();
    const process = new MeasuredChild({
      name: 'service',
      program,
      nodeOptions,
      env: {
        ...environment(folder, node, count, file),
        ...(retentionMs === undefined ? {} : { RETENTION_MS: String(retentionMs) }),
      },
      logFile: `${folder}/service.log`,
    });
    try {
      const { url } = await process.line(jsonLine(Listening));
      while ((await get(`${url}/health/ready`)).status !== 200)
        await systemClock.sleep(LOOK_EVERY_MS);
      return new Service(process, url, file, performance.now() - startMs);
    } catch (error) {
      await process.stop('SIGKILL');
      throw error;
    }
  }

  /**
   * Resolves when every attempt in the ledger has ended: at ACCEPTED_ON_L2, later than its caller
   * is answered.
   */
  async settled(): Promise<void> {
    const ledger = new DatabaseSync(this.ledgerFile, { readOnly: true });
    try {
      const unsettled = ledger.prepare(
        "select count(*) as n from attempts where state in ('accepted', 'prepared', 'broadcast')",
      );
      while (unsettled.get()?.['n'] !== 0) await systemClock.sleep(POLL_INTERVAL_MS);
    } finally {
      ledger.close();
    }
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

function environment(
  folder: string,
  node: SandboxUrls,
  count: number,
  ledgerFile: string,
): Variables {
  const settings = {
    networkProfile: PROFILE,
    verificationKeyFile: writeJson(folder, 'verification-key.json', trapdoorKey),
    databaseFile: ledgerFile,
    rpcUrl: node.rpcUrl,
    lanes: lanes.slice(0, count),
    feeAddress,
    instanceId: 'bench',
  };
  return serviceEnvironment(settings, {
    PRICE_API_URL: node.aggregatorUrl,
    REWARDS_URL: node.rewardsUrl,
    BRIDGE_URL: node.bridgeUrl,
    POLL_INTERVAL_MS: String(POLL_INTERVAL_MS),
    MAX_IN_FLIGHT_PER_LANE: String(IN_FLIGHT_PER_LANE),
    NONCE_WINDOW: String(IN_FLIGHT_PER_LANE),
    RATE_LIMIT_SUBMISSIONS_PER_MINUTE: BOUNDLESS,
    RATE_LIMIT_READS_PER_MINUTE: BOUNDLESS,
    GAS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
    GAS_BUDGET_IN_ALL_FRI: BOUNDLESS_FRI,
    LOSS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
    MAX_REQUESTS_IN_FLIGHT_PER_CLIENT: MANY,
    MAX_CONNECTIONS_PER_CLIENT: MANY,
    ADMISSION_QUEUE: MANY,
    SHUTDOWN_DRAIN_MS: '0',
  });
}
