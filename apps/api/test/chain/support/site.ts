import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSottoClient, type SottoClient } from '@sotto/client';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { toFelt } from '@sotto/kernel';
import { eventually } from '../../e2e/support/eventually.js';
import { readLedger, type LedgerRows } from '../../e2e/support/ledger.js';
import { Service } from '../../e2e/support/service.js';
import { vector } from '../../e2e/support/withdrawals.js';
import type { ChainStart, ChainUnderTest } from './chain-under-test.js';
import type { PoolKey, WorldAccount } from './chain-world.js';

/** Opens the curator's route. */
export const CURATOR_TOKEN = 'token-of-the-curators-caller';
/** Where fees go. */
export const FEE_ADDRESS = BigInt(vector.relayer);

export interface SiteOptions {
  /** What is in the pools before the service starts. */
  readonly deposits?: Readonly<Partial<Record<PoolKey, readonly bigint[]>>>;
  /** How many accounts relay. @default 1 */
  readonly lanes?: 1 | 2;
  /** Variables besides the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** That proofs hold under, in snarkjs' form. @default the development key */
  readonly verificationKey?: object;
}

/** The built service over a chain, with a proxy between them that makes things go wrong. */
export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'sotto-chain-'));
  /** The process that was started last. */
  service: Service;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(
    readonly chain: ChainUnderTest,
    readonly proxy: FaultProxy,
    { lanes = 1, env = {}, verificationKey = vector.verificationKey }: SiteOptions,
  ) {
    this.#env = { ...this.#usualEnvironment(verificationKey, lanes), ...env };
    this.service = new Service(this.#env);
  }

  /** Resolves when the deposits are made and the service takes withdrawals. */
  static async start(
    startChain: (start: ChainStart) => Promise<ChainUnderTest>,
    options: SiteOptions = {},
  ): Promise<Site> {
    const { deposits = {}, verificationKey = vector.verificationKey } = options;
    const chain = await startChain({ verificationKey });
    const site = new Site(chain, await startFaultProxy({ target: chain.client.rpcUrl }), options);
    try {
      for (const pool of poolKeys(deposits)) await chain.deposit(pool, deposits[pool] ?? []);
      await listening(site.service);
      await site.service.ready();
      site.proxy.resetCounters();
      return site;
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  get client(): SottoClient {
    return createSottoClient({ baseUrl: this.service.url });
  }

  /** What the ledger of the service says. */
  ledger(): LedgerRows {
    return readLedger(this.#databaseFile);
  }

  /**
   * Ends the service and starts a new process over the same ledger. Resolves when it listens.
   * @param env on top of the usual one
   */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.service.isRunning) this.service.kill('SIGTERM');
    await this.service.ended;
    this.service = new Service({ ...this.#env, ...env });
    await listening(this.service);
  }

  /** Resolves once a fault of this kind has met a request. */
  async proxyStruck(kind: string): Promise<void> {
    await eventually('the fault to strike', () => (this.proxy.counters().struck[kind] ?? 0) > 0);
  }

  /** What becomes of a submission. */
  async settled(
    location: string | null,
    state: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    return eventually(`the submission to be ${state}`, async () => {
      const { body } = await this.service.get(location ?? '');
      const submission: Readonly<Record<string, unknown>> = Object(body);
      return submission['state'] === state && submission;
    });
  }

  async stop(): Promise<void> {
    if (this.service.isRunning) this.service.kill('SIGKILL');
    await this.service.ended;
    await this.proxy.stop();
    await this.chain.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #databaseFile(): string {
    return join(this.folder, 'ledger.sqlite');
  }

  #usualEnvironment(verificationKey: object, lanes: number): Readonly<Record<string, string>> {
    const { world, profile, neighbours } = this.chain;
    const profileFile = join(this.folder, 'network-profile.json');
    const keyFile = join(this.folder, 'verification-key.json');
    writeFileSync(keyFile, JSON.stringify(verificationKey));
    writeFileSync(profileFile, JSON.stringify(profile));
    const { lane1, lane2, swapOwner, curator } = world.accounts;
    return {
      MODE: 'development',
      PORT: '0',
      NETWORK_PROFILE: profileFile,
      VERIFICATION_KEY_PATH: keyFile,
      STARKNET_RPC_URL: this.proxy.url,
      RELAY_ACCOUNTS: JSON.stringify([lane1, lane2].slice(0, lanes).map(keyed)),
      SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(swapOwner)),
      CURATOR_ACCOUNT: JSON.stringify(keyed(curator)),
      CURATOR_API_TOKEN: CURATOR_TOKEN,
      FEE_ADDRESS: toFelt(FEE_ADDRESS),
      AGGREGATOR_URL: neighbours.aggregatorUrl,
      PRICE_API_URL: neighbours.aggregatorUrl,
      REWARDS_URL: neighbours.rewardsUrl,
      DATABASE_PATH: this.#databaseFile,
      INSTANCE_ID: 'chain-test',
      // The contracts belong to accounts that are lanes here: a test that pauses one signs with a
      // lane's key.
      PAUSE_ON_FOREIGN_TRANSACTION: 'false',
      POLL_INTERVAL_MS: '50',
      IDLE_INTERVAL_MS: '200',
      RESEND_AFTER_MS: '1000',
      // One test is one caller, and asks more in a second than people do in a minute.
      RATE_LIMIT_SUBMISSIONS_PER_MINUTE: '10000',
      RATE_LIMIT_READS_PER_MINUTE: '10000',
      RATE_LIMIT_QUOTES_PER_MINUTE: '10000',
    };
  }
}

/** Resolves when it answers. @throws Error when it ends before */
async function listening(service: Service): Promise<void> {
  await eventually(
    'the service to listen',
    () => !service.isRunning || service.output.includes('"listening"'),
  );
  await service.listening();
}

function keyed({ address, privateKey }: WorldAccount): object {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}

function poolKeys(deposits: Readonly<Partial<Record<PoolKey, unknown>>>): readonly PoolKey[] {
  const all: readonly PoolKey[] = [
    'sentinel_1x',
    'sentinel_2x',
    'stable_10',
    'swap_input_1',
    'swap_input_2',
  ];
  return all.filter((key) => deposits[key] !== undefined);
}
