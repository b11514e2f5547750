import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { toFelt } from '@sotto/kernel';
import {
  hashInvoke,
  keyed,
  ledgerIn,
  serviceEnvironment,
  Stack as ServiceStack,
  writeJson,
  type Variables,
} from '@sotto/process-kit';
import {
  buildGenesis,
  sandboxWorld,
  startSandbox,
  type GenesisOptions,
  type Sandbox,
  type SandboxOptions,
  type Solver,
} from '@sotto/sandbox';
import { noteUndeclared } from '../../support/undeclared-errors.js';
import { TestChain } from './chain.js';
import { readLedger, type LedgerRows } from './ledger.js';
import { NODE_OPTIONS, PROGRAM, QUICK } from './program.js';
import { vector } from './withdrawals.js';

const { chainId, tokens, oracle, pools, verifier, accounts } = sandboxWorld;

export interface StackOptions {
  /** @default the chain creates blocks automatically, as the sandbox does */
  readonly cadence?: SandboxOptions['cadence'];
  /** @default the chain uses the service's clock */
  readonly clockShiftMs?: SandboxOptions['clockShiftMs'];
  /**
   * Puts a fault proxy between the service and the chain; {@link Stack.fork} adds replicas to it.
   * @default false
   */
  readonly isProxied?: boolean;
  /**
   * True if the service may compare its ledger with any block of the chain, as on a chain that
   * creates blocks on demand.
   * @default true: the sandbox rarely creates empty blocks
   */
  readonly blocksOnDemand?: boolean;
  /** Path after the node's address. Node providers put their keys there. @default '' */
  readonly nodePath?: string;
  /**
   * Environment variables in addition to the usual variables. A function may first start the
   * servers whose addresses are values of these variables.
   */
  readonly env?: Variables | ((sandbox: Sandbox) => Variables | Promise<Variables>);
  /**
   * True if the service serves everything on the sandbox's chain: every pool, private swaps, and a
   * second source of prices.
   * @default one pool and the oracle
   */
  readonly whole?: boolean;
  /** Gas limits in the network profile, which replace the limits of the specification. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Further members of the network profile, which replace default members of the same name. */
  readonly profile?: Readonly<Record<string, unknown>>;
  /** Makes the deposits before the service is tested. @default the vector's leaves in its pool */
  readonly deposit?: (chain: TestChain) => Promise<void>;
  /** @default the genesis of the sandbox */
  readonly genesis?: Omit<GenesisOptions, 'verificationKey'>;
  /** Verification key of the proofs, in snarkjs' format. @default the key of the test vector */
  readonly verificationKey?: object;
  /** True if the stack starts the service; false if the test starts the service. @default true */
  readonly isStarted?: boolean;
}

/** A replica of the chain that the service reaches through the proxy. */
export interface Fork {
  readonly chain: TestChain;
  /** Number of the replica in the proxy's routes. The first chain has number 0. */
  readonly target: number;
}

/** A chain on which the vector's note can be withdrawn, with the service for that chain. */
export class Stack extends ServiceStack {
  readonly chain: TestChain;

  private constructor(
    private readonly sandbox: Sandbox,
    folder: string,
    environment: Variables,
    private readonly faultProxy: FaultProxy | null,
  ) {
    super({
      program: PROGRAM,
      nodeOptions: NODE_OPTIONS,
      folder,
      environment,
      beneath: [...(faultProxy === null ? [] : [faultProxy]), sandbox],
      onOutput: noteUndeclared,
    });
    this.chain = new TestChain(sandbox);
  }

  /** Resolves when the deposits are made and the service accepts connections. */
  static async start(options: StackOptions = {}): Promise<Stack> {
    const {
      cadence,
      clockShiftMs,
      genesis = {},
      deposit = (chain) => chain.deposit(),
      verificationKey = vector.verificationKey,
    } = options;
    const sandbox = await startSandbox({
      genesis: buildGenesis({ verificationKey, ...genesis }),
      cadence,
      clockShiftMs,
      hashInvoke,
    });
    const folder = mkdtempSync(join(tmpdir(), 'sotto-e2e-'));
    const proxy = options.isProxied ? await startFaultProxy({ target: sandbox.rpcUrl }) : null;
    const rpcUrl = proxy?.url ?? sandbox.rpcUrl;
    const environment = await environmentOf(sandbox, rpcUrl, folder, options);
    const stack = new Stack(sandbox, folder, environment, proxy);
    try {
      const service = options.isStarted === false ? null : stack.serve();
      await deposit(stack.chain);
      await service?.listening();
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** Solver that simulates the other chains of the bridge. */
  get solver(): Solver {
    return this.sandbox.solver;
  }

  /** Proxy through which the service reads its chain. @throws Error without a proxy */
  get proxy(): FaultProxy {
    if (this.faultProxy === null) throw new Error('nothing is between the service and its chain');
    return this.faultProxy;
  }

  /**
   * Creates a replica of the chain, which differs from the first chain from now on. The replica
   * gets requests only when a route of the proxy contains its number.
   */
  async fork(): Promise<Fork> {
    const replica = await this.sandbox.fork();
    return { chain: new TestChain(replica), target: this.proxy.addReplica(replica.rpcUrl) };
  }

  ledger(): LedgerRows {
    return readLedger(this.databaseFile);
  }
}

async function environmentOf(
  sandbox: Sandbox,
  rpcUrl: string,
  folder: string,
  {
    nodePath = '',
    whole = false,
    limits = {},
    profile = {},
    blocksOnDemand = true,
    env = {},
    verificationKey = vector.verificationKey,
  }: StackOptions,
): Promise<Variables> {
  const settings = {
    networkProfile: writeJson(folder, 'network-profile.json', {
      ...(whole ? wholeProfile() : smallProfile()),
      blocksOnDemand,
      limits,
      ...profile,
      verificationKey: writeJson(folder, 'verification-key.json', verificationKey),
    }),
    databaseFile: ledgerIn(folder),
    rpcUrl: `${rpcUrl}${nodePath}`,
    lanes: [accounts.lane1],
    feeAddress: vector.relayer,
    instanceId: 'e2e',
  };
  const { aggregatorUrl } = sandbox;
  const swaps = {
    AGGREGATOR_URL: aggregatorUrl,
    PRICE_API_URL: aggregatorUrl,
    SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(accounts.swapOwner)),
  };
  return serviceEnvironment(settings, {
    ...QUICK,
    ...(whole ? swaps : {}),
    ...(typeof env === 'function' ? await env(sandbox) : env),
  });
}

/** Returns the network profile that is shipped with the service. */
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

function describeToken({
  address,
  decimals,
}: {
  readonly address: bigint;
  readonly decimals: number;
}): object {
  return { address: toFelt(address), decimals };
}
