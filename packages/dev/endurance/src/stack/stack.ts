import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { trapdoorKey } from '@sotto/load-kit';
import {
  keyed,
  serviceEnvironment,
  Stack as ServiceStack,
  writeJson,
  type Service,
  type Variables,
} from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { Chain, lanes } from './chain.js';
import { LogCounts } from './log-counts.js';
import { feeAddress } from './withdrawals.js';

const PROFILE = fileURLToPath(import.meta.resolve('@sotto/api/profiles/sandbox.json'));
/** More than any load here costs or asks for: what is looked at is not the limits of a caller. */
const BOUNDLESS = '100000000';
const BOUNDLESS_FRI = String(10n ** 30n);

/** The chain and the service over it, as processes of their own. */
export class Stack {
  readonly databaseFile: string;
  #copies = 0;
  readonly #services: ServiceStack;
  readonly #remove = (): void => rmSync(this.logFolder, { recursive: true, force: true });

  private constructor(
    /** Where the processes' logs are until {@link stop}. */
    readonly logFolder: string,
    readonly chain: Chain,
    env: Variables,
    nodeOptions: readonly string[],
    profile: object,
    logs: boolean,
  ) {
    const { rpcUrl, aggregatorUrl, rewardsUrl, bridgeUrl } = chain.urls;
    this.databaseFile = join(logFolder, 'ledger.sqlite');
    const settings = {
      networkProfile: writeJson(logFolder, 'profile.json', {
        ...JSON.parse(readFileSync(PROFILE, 'utf8')),
        ...profile,
      }),
      verificationKeyFile: writeJson(logFolder, 'verification-key.json', trapdoorKey),
      databaseFile: this.databaseFile,
      rpcUrl,
      lanes: Object.values(lanes),
      feeAddress,
      instanceId: 'endurance',
    };
    const environment = serviceEnvironment(settings, {
      METRICS_PORT: '0',
      PRICE_API_URL: aggregatorUrl,
      REWARDS_URL: rewardsUrl,
      BRIDGE_URL: bridgeUrl,
      AGGREGATOR_URL: aggregatorUrl,
      SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(sandboxWorld.accounts.swapOwner)),
      POLL_INTERVAL_MS: '200',
      IDLE_INTERVAL_MS: '500',
      RATE_LIMIT_SUBMISSIONS_PER_MINUTE: BOUNDLESS,
      RATE_LIMIT_READS_PER_MINUTE: BOUNDLESS,
      GAS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
      GAS_BUDGET_IN_ALL_FRI: BOUNDLESS_FRI,
      LOSS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
      ...env,
    });
    this.#services = new ServiceStack({
      program: import.meta.resolve('@sotto/api'),
      folder: logFolder,
      environment,
      nodeOptions,
      beneath: [chain],
      logs,
    });
    process.once('exit', this.#remove);
  }

  /**
   * Resolves when the chain is up; the service is not started yet.
   * @param env of every service, besides the usual
   * @param chainEnv of the chain
   * @param nodeOptions of every service
   * @param profile members of the network profile besides those of the sandbox's
   * @param logs false if this process reads what services write
   */
  static async start(
    env: Variables = {},
    chainEnv: Variables = {},
    nodeOptions: readonly string[] = [],
    profile: object = {},
    logs = true,
  ): Promise<Stack> {
    const folder = mkdtempSync(join(tmpdir(), 'sotto-endurance-'));
    try {
      const chain = await Chain.start(join(folder, 'chain.log'), chainEnv);
      return new Stack(folder, chain, env, nodeOptions, profile, logs);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The service that was started last. @throws Error when none was */
  get service(): Service {
    return this.#services.service;
  }

  /** The service that was started last, while it runs. */
  get running(): Service | null {
    return this.#services.running;
  }

  /**
   * A new process over the same ledger, under the same instance name. Resolves when it listens.
   * @param env for this process alone
   */
  serve(env: Variables = {}): Promise<Service> {
    return this.#services.restart(env);
  }

  /** One more process over the same ledger, which its caller ends. Resolves when it listens. */
  async another(env: Variables): Promise<Service> {
    const service = this.#services.another(env);
    await service.listening();
    return service;
  }

  /** A copy of the ledger as it is now, as an operator's backup would be. */
  copyLedger(): string {
    const copy = join(this.logFolder, `copy-${(this.#copies += 1)}.sqlite`);
    const database = new DatabaseSync(this.databaseFile);
    try {
      database.exec(`vacuum into '${copy}'`);
    } finally {
      database.close();
    }
    return copy;
  }

  /** Puts a copy in the place of the ledger, or nothing. No process may have it open. */
  replaceLedger(copy: string | null): void {
    for (const suffix of ['', '-wal', '-shm', '-heartbeat'])
      rmSync(`${this.databaseFile}${suffix}`, { force: true });
    if (copy !== null) copyFileSync(copy, this.databaseFile);
  }

  /** What all services of the stack have logged as a warning or worse, by message. */
  logCounts(): Readonly<Record<string, number>> {
    const counts = new LogCounts();
    for (const file of this.#services.logFiles)
      for (const line of readFileSync(file, 'utf8').split('\n')) counts.read(line);
    return counts.counts;
  }

  /** Ends everything. @param how `keep` leaves ledger and logs for inspection */
  async stop(how: { readonly keep?: boolean } = {}): Promise<void> {
    await this.#services.stop(how);
    process.off('exit', this.#remove);
  }
}
