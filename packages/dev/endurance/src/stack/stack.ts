import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { trapdoorKey } from '@sotto/load-kit';
import {
  keyed,
  ledgerIn,
  neighbourVariables,
  serviceEnvironment,
  Stack as ServiceStack,
  WITHOUT_LIMITS,
  writeJson,
  type Variables,
} from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { Chain, lanes } from './chain.js';
import { LogCounts } from './log-counts.js';
import { feeAddress } from './withdrawals.js';

const PROFILE = fileURLToPath(import.meta.resolve('@sotto/api/profiles/sandbox.json'));

/** Sandbox chain and service, each as a separate process. */
export class Stack extends ServiceStack {
  #copies = 0;
  readonly #remove = (): void => rmSync(this.folder, { recursive: true, force: true });

  private constructor(
    folder: string,
    readonly chain: Chain,
    env: Variables,
    nodeOptions: readonly string[],
    profile: object,
    logs: boolean,
  ) {
    const settings = {
      networkProfile: writeJson(folder, 'profile.json', {
        ...JSON.parse(readFileSync(PROFILE, 'utf8')),
        ...profile,
      }),
      verificationKeyFile: writeJson(folder, 'verification-key.json', trapdoorKey),
      databaseFile: ledgerIn(folder),
      rpcUrl: chain.urls.rpcUrl,
      lanes: Object.values(lanes),
      feeAddress,
      instanceId: 'endurance',
    };
    super({
      program: import.meta.resolve('@sotto/api'),
      folder,
      environment: serviceEnvironment(settings, {
        METRICS_PORT: '0',
        ...neighbourVariables(chain.urls),
        SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(sandboxWorld.accounts.swapOwner)),
        POLL_INTERVAL_MS: '200',
        IDLE_INTERVAL_MS: '500',
        ...WITHOUT_LIMITS,
        ...env,
      }),
      nodeOptions,
      beneath: [chain],
      logs,
    });
    process.once('exit', this.#remove);
  }

  /**
   * Starts the chain only. Callers start the service later.
   * @param env additional settings of every service
   * @param chainEnv settings of the chain
   * @param nodeOptions Node options of every service
   * @param profile overrides of the sandbox's network profile
   * @param logs false if this process reads the services' output
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

  /** Copies the current ledger file in the same way as a backup by an operator. */
  copyLedger(): string {
    const copy = join(this.folder, `copy-${(this.#copies += 1)}.sqlite`);
    const database = new DatabaseSync(this.databaseFile);
    try {
      database.exec(`vacuum into '${copy}'`);
    } finally {
      database.close();
    }
    return copy;
  }

  /**
   * Replaces the ledger by a copy. If `copy` is null, deletes the ledger. Precondition: no process
   * has the ledger open.
   */
  replaceLedger(copy: string | null): void {
    for (const suffix of ['', '-wal', '-shm', '-heartbeat'])
      rmSync(`${this.databaseFile}${suffix}`, { force: true });
    if (copy !== null) copyFileSync(copy, this.databaseFile);
  }

  /** Counts warnings and errors of all services of the stack, by message. */
  logCounts(): Readonly<Record<string, number>> {
    const counts = new LogCounts();
    for (const file of this.logFiles)
      for (const line of readFileSync(file, 'utf8').split('\n')) counts.read(line);
    return counts.counts;
  }

  override async stop(how: Parameters<ServiceStack['stop']>[0] = {}): Promise<void> {
    await super.stop(how);
    process.off('exit', this.#remove);
  }
}
