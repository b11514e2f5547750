import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { sandboxWorld, type SandboxAccount } from '@sotto/sandbox';
import { Chain, lanes } from './chain.js';
import { LogCounts } from './log-counts.js';
import { Service } from './service.js';
import { feeAddress } from './withdrawals.js';

/** Of a process's environment. */
export type Variables = Readonly<Record<string, string>>;

const PROFILE = fileURLToPath(import.meta.resolve('@sotto/api/profiles/sandbox.json'));
/** More than any load here costs or asks for: what is looked at is not the limits of a caller. */
const BOUNDLESS = '100000000';
const BOUNDLESS_FRI = String(10n ** 30n);

/**
 * The chain and the service over it, as processes of their own. The chain outlives the service, as
 * the ledger does.
 */
export class Stack {
  readonly log = new LogCounts();
  readonly databaseFile: string;
  #copies = 0;
  readonly #remove = (): void => rmSync(this.folder, { recursive: true, force: true });
  /** The service that was started last. */
  #service: Service | null = null;
  #starting: Promise<Service> | null = null;

  private constructor(
    private readonly folder: string,
    readonly chain: Chain,
    private readonly env: Variables,
  ) {
    this.databaseFile = join(folder, 'ledger.sqlite');
    process.once('exit', this.#remove);
  }

  /**
   * Resolves when the chain is up; the service is not started yet.
   * @param env of every service, besides the usual
   * @param chainEnv of the chain
   */
  static async start(env: Variables = {}, chainEnv: Variables = {}): Promise<Stack> {
    const folder = mkdtempSync(join(tmpdir(), 'sotto-endurance-'));
    try {
      const chain = await Chain.start(join(folder, 'chain.log'), chainEnv);
      const stack = new Stack(folder, chain, env);
      writeFileSync(stack.#keyFile, JSON.stringify(trapdoorKey));
      return stack;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** @throws Error while no service listens */
  get service(): Service {
    if (this.#service === null) throw new Error('no service was started');
    return this.#service;
  }

  /** The service that listens now; null without one. */
  get running(): Service | null {
    return this.#service?.isRunning === true ? this.#service : null;
  }

  /**
   * A new process over the same ledger, under the same instance name.
   * @param env for this process alone
   */
  async serve(env: Variables = {}): Promise<Service> {
    this.#starting = Service.start(
      { ...this.#usual(), ...this.env, ...env },
      join(this.folder, 'service.log'),
      this.log,
    );
    this.#service = await this.#starting;
    return this.#service;
  }

  /** One more process over the same ledger, which the stack does not end: its caller does. */
  another(env: Variables): Promise<Service> {
    return Service.start(
      { ...this.#usual(), ...this.env, ...env },
      join(this.folder, 'another.log'),
      this.log,
    );
  }

  /** A copy of the ledger as it is now, as an operator's backup would be. */
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

  /** Puts a copy in the place of the ledger, or nothing. No process may have it open. */
  replaceLedger(copy: string | null): void {
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(`${this.databaseFile}${suffix}`, { force: true });
    if (copy !== null) copyFileSync(copy, this.databaseFile);
  }

  /** Where the processes' logs are until {@link stop}. */
  get logFolder(): string {
    return this.folder;
  }

  /** Ends everything. @param keep leaves ledger and logs for inspection */
  async stop({ keep = false }: { readonly keep?: boolean } = {}): Promise<void> {
    const service = await this.#starting?.catch(() => null);
    service?.kill('SIGKILL');
    await service?.ended;
    await this.chain.stop();
    process.off('exit', this.#remove);
    if (!keep) this.#remove();
  }

  get #keyFile(): string {
    return join(this.folder, 'verification-key.json');
  }

  #usual(): Variables {
    const { rpcUrl, aggregatorUrl, rewardsUrl, bridgeUrl } = this.chain.urls;
    return {
      MODE: 'development',
      PORT: '0',
      METRICS_PORT: '0',
      NETWORK_PROFILE: PROFILE,
      VERIFICATION_KEY_PATH: this.#keyFile,
      STARKNET_RPC_URL: rpcUrl,
      PRICE_API_URL: aggregatorUrl,
      REWARDS_URL: rewardsUrl,
      BRIDGE_URL: bridgeUrl,
      AGGREGATOR_URL: aggregatorUrl,
      RELAY_ACCOUNTS: JSON.stringify(Object.values(lanes).map(keyed)),
      SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(sandboxWorld.accounts.swapOwner)),
      FEE_ADDRESS: feeAddress,
      DATABASE_PATH: this.databaseFile,
      INSTANCE_ID: 'endurance',
      POLL_INTERVAL_MS: '200',
      IDLE_INTERVAL_MS: '500',
      RATE_LIMIT_SUBMISSIONS_PER_MINUTE: BOUNDLESS,
      RATE_LIMIT_READS_PER_MINUTE: BOUNDLESS,
      GAS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
      GAS_BUDGET_IN_ALL_FRI: BOUNDLESS_FRI,
      LOSS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
    };
  }
}

function keyed({ address, privateKey }: SandboxAccount): object {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}
