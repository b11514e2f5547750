import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFelt } from '@sotto/kernel';
import { hashInvoke } from '@sotto/process-kit';
import {
  buildGenesis,
  sandboxWorld,
  startSandbox,
  type GenesisOptions,
  type Sandbox,
  type SandboxAccount,
  type SandboxOptions,
  type Solver,
} from '@sotto/sandbox';
import { TestChain } from './chain.js';
import { readLedger, type LedgerRows } from './ledger.js';
import { Service } from './service.js';
import { vector } from './withdrawals.js';

const { chainId, tokens, oracle, pools, verifier, accounts } = sandboxWorld;

/** Of a process's environment. */
export type Variables = Readonly<Record<string, string>>;

export interface StackOptions {
  /** @default the chain moves by itself, as the sandbox does */
  readonly cadence?: SandboxOptions['cadence'];
  /** Behind the node's address, where providers put their keys. @default '' */
  readonly nodePath?: string;
  /** Variables besides the usual ones. */
  readonly env?: Variables | ((sandbox: Sandbox) => Variables);
  /**
   * Serves all that stands on the sandbox's chain: every pool, private swaps, and a second source
   * of prices.
   * @default one pool and the oracle
   */
  readonly whole?: boolean;
  /** Gas that the network profile says, in place of the specification's. */
  readonly limits?: Readonly<Record<string, number>>;
  /** What is deposited before the service is tested. @default the vector's leaves in its pool */
  readonly deposit?: (chain: TestChain) => Promise<void>;
  /** @default the sandbox's */
  readonly genesis?: Omit<GenesisOptions, 'verificationKey'>;
  /** That proofs hold under, in snarkjs' form. @default the vector's */
  readonly verificationKey?: object;
}

/**
 * A chain on which the vector's note can be withdrawn, and the service over it. The chain outlives
 * the service, as the ledger does.
 */
export class Stack {
  readonly chain: TestChain;
  readonly folder = mkdtempSync(join(tmpdir(), 'sotto-e2e-'));
  readonly databaseFile = join(this.folder, 'ledger.sqlite');
  /** The service that was started last. */
  service: Service;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(
    private readonly sandbox: Sandbox,
    {
      nodePath = '',
      whole = false,
      limits = {},
      env = {},
      verificationKey = vector.verificationKey,
    }: StackOptions,
  ) {
    this.chain = new TestChain(sandbox);
    const profile = { ...(whole ? wholeProfile() : smallProfile()), limits };
    const usual = {
      ...this.#usualEnvironment(profile, verificationKey),
      ...(whole ? this.#swaps() : {}),
    };
    this.#env = {
      ...usual,
      STARKNET_RPC_URL: `${sandbox.rpcUrl}${nodePath}`,
      ...(typeof env === 'function' ? env(sandbox) : env),
    };
    this.service = new Service(this.#env);
  }

  /** Resolves when the deposits are made and the service listens. */
  static async start(options: StackOptions = {}): Promise<Stack> {
    const {
      cadence,
      genesis = {},
      deposit = (chain) => chain.deposit(),
      verificationKey = vector.verificationKey,
    } = options;
    const stack = new Stack(
      await startSandbox({
        genesis: buildGenesis({ verificationKey, ...genesis }),
        cadence,
        hashInvoke,
      }),
      options,
    );
    try {
      await deposit(stack.chain);
      await stack.service.listening();
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /**
   * A new process over the same ledger, under the same instance name.
   * @param env on top of the stack's, for this process
   */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<Service> {
    if (this.service.isRunning) throw new Error('the service still runs');
    this.service = new Service({ ...this.#env, ...env });
    await this.service.listening();
    return this.service;
  }

  /**
   * One more process over the same chain, with the stack's variables but for these. The caller ends
   * it.
   */
  another(env: Variables): Service {
    return new Service({ ...this.#env, ...env });
  }

  /** Of the service, for another program that takes the same settings. */
  get environment(): Variables {
    return this.#env;
  }

  /** Plays the chains that funds are bridged from and to. */
  get solver(): Solver {
    return this.sandbox.solver;
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

  #swaps(): Readonly<Record<string, string>> {
    const { aggregatorUrl } = this.sandbox;
    return {
      AGGREGATOR_URL: aggregatorUrl,
      PRICE_API_URL: aggregatorUrl,
      SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(accounts.swapOwner)),
    };
  }

  #usualEnvironment(profile: object, verificationKey: object): Readonly<Record<string, string>> {
    const profileFile = join(this.folder, 'network-profile.json');
    const keyFile = join(this.folder, 'verification-key.json');
    writeFileSync(keyFile, JSON.stringify(verificationKey));
    writeFileSync(profileFile, JSON.stringify({ ...profile, verificationKey: keyFile }));
    return {
      MODE: 'development',
      PORT: '0',
      NETWORK_PROFILE: profileFile,
      RELAY_ACCOUNTS: JSON.stringify([keyed(accounts.lane1)]),
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

/** The profile that comes with the service. */
function wholeProfile(): object {
  const profile: object = JSON.parse(
    readFileSync(new URL('../../../profiles/sandbox.json', import.meta.url), 'utf8'),
  );
  return profile;
}

function smallProfile(): object {
  return {
    name: 'sandbox',
    chainId,
    tokens: {
      STRK: describeToken(tokens.STRK),
      WBTC: describeToken(tokens.WBTC),
      USDC: describeToken(tokens.USDC),
    },
    oracle: { kind: 'pragma', address: toFelt(oracle) },
    pools: [
      {
        key: 'sentinel_1x',
        address: toFelt(pools.sentinel_1x.address),
        token: 'WBTC',
        kind: 'withdraw',
        verifier: toFelt(verifier),
      },
    ],
  };
}

/** An account as the service's variables have it. */
export function keyed({ address, privateKey }: SandboxAccount): object {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}

function describeToken({
  address,
  decimals,
}: {
  readonly address: bigint;
  readonly decimals: number;
}): object {
  return { address: toFelt(address), decimals };
}
