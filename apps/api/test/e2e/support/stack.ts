import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFelt } from '@sotto/kernel';
import { buildGenesis, sandboxWorld, startSandbox, type GenesisOptions, type Sandbox, type SandboxOptions } from '@sotto/sandbox';
import { TestChain } from './chain.js';
import { readLedger, type LedgerRows } from './ledger.js';
import { Service } from './service.js';
import { vector } from './withdrawals.js';

const { chainId, tokens, oracle, pools, accounts } = sandboxWorld;

export interface StackOptions {
  /** @default the chain moves by itself, as the sandbox does */
  readonly cadence?: SandboxOptions['cadence'];
  /** Behind the node's address, where providers put their keys. @default '' */
  readonly nodePath?: string;
  /** Variables besides the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default the sandbox's */
  readonly genesis?: Omit<GenesisOptions, 'verificationKey'>;
}

/** A chain on which the vector's note can be withdrawn, and the service over it. The chain outlives the service, as the ledger does. */
export class Stack {
  readonly chain: TestChain;
  readonly folder = mkdtempSync(join(tmpdir(), 'sotto-e2e-'));
  readonly databaseFile = join(this.folder, 'ledger.sqlite');
  /** The service that was started last. */
  service: Service;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(
    private readonly sandbox: Sandbox,
    nodePath: string,
    env: Readonly<Record<string, string>>,
  ) {
    this.chain = new TestChain(sandbox);
    this.#env = { ...this.#usualEnvironment(), STARKNET_RPC_URL: `${sandbox.rpcUrl}${nodePath}`, ...env };
    this.service = new Service(this.#env);
  }

  /** Resolves when the deposits are made and the service listens. */
  static async start({ cadence, env = {}, genesis = {}, nodePath = '' }: StackOptions = {}): Promise<Stack> {
    const { verificationKey } = vector;
    const stack = new Stack(await startSandbox({ genesis: buildGenesis({ verificationKey, ...genesis }), cadence }), nodePath, env);
    try {
      await stack.chain.deposit();
      await stack.service.listening();
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** A new process over the same ledger, under the same instance name. @param env on top of the stack's, for this process */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<Service> {
    if (this.service.isRunning) throw new Error('the service still runs');
    this.service = new Service({ ...this.#env, ...env });
    await this.service.listening();
    return this.service;
  }

  ledger(): LedgerRows {
    return readLedger(this.databaseFile);
  }

  async stop(): Promise<void> {
    if (this.service.isRunning) this.service.kill('SIGKILL');
    await this.service.ended;
    await this.sandbox.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #usualEnvironment(): Readonly<Record<string, string>> {
    const profileFile = join(this.folder, 'network-profile.json');
    const keyFile = join(this.folder, 'verification-key.json');
    writeFileSync(keyFile, JSON.stringify(vector.verificationKey));
    writeFileSync(profileFile, JSON.stringify(networkProfile(keyFile)));
    const { address, privateKey } = accounts.lane1;
    return {
      MODE: 'development',
      PORT: '0',
      NETWORK_PROFILE: profileFile,
      RELAY_ACCOUNTS: JSON.stringify([{ address: toFelt(address), privateKey: toFelt(privateKey) }]),
      FEE_ADDRESS: vector.relayer,
      DATABASE_PATH: this.databaseFile,
      INSTANCE_ID: 'e2e',
      POLL_INTERVAL_MS: '50',
      IDLE_INTERVAL_MS: '200',
      RESEND_AFTER_MS: '1000',
      // One test is one caller, and asks more in a second than people do in a minute.
      RATE_LIMIT_SUBMISSIONS_PER_MINUTE: '10000',
      RATE_LIMIT_READS_PER_MINUTE: '10000',
    };
  }
}

function networkProfile(verificationKeyFile: string): object {
  return {
    name: 'sandbox',
    chainId,
    tokens: { STRK: describeToken(tokens.STRK), WBTC: describeToken(tokens.WBTC) },
    oracle: { kind: 'pragma', address: toFelt(oracle) },
    verificationKey: verificationKeyFile,
    pools: [{ key: 'sentinel_1x', address: toFelt(pools.sentinel_1x.address), token: 'WBTC', kind: 'v4' }],
  };
}

function describeToken({ address, decimals }: { readonly address: bigint; readonly decimals: number }): object {
  return { address: toFelt(address), decimals };
}
