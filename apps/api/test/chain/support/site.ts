import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createSottoClient, type SottoClient } from '@sotto/client';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { toFelt } from '@sotto/kernel';
import {
  eventually,
  keyed,
  ledgerIn,
  serviceEnvironment,
  Stack,
  writeJson,
  type Service,
  type Variables,
} from '@sotto/process-kit';
import { readLedger, type LedgerRows } from '../../e2e/support/ledger.js';
import { NODE_OPTIONS, PROGRAM, QUICK } from '../../e2e/support/program.js';
import { vector } from '../../e2e/support/withdrawals.js';
import { noteUndeclared } from '../../support/undeclared-errors.js';
import type { ChainStart, ChainUnderTest } from './chain-under-test.js';
import type { PoolKey } from './chain-world.js';

/** API token for the curator's route. */
export const CURATOR_TOKEN = 'token-of-the-curators-caller';
/** Address that receives the fees. */
export const FEE_ADDRESS = BigInt(vector.relayer);

export interface SiteOptions {
  /** Commitments that are deposited in the pools before the service starts. */
  readonly deposits?: Readonly<Partial<Record<PoolKey, readonly bigint[]>>>;
  /** Number of relay lanes. @default 1 */
  readonly lanes?: 1 | 2;
  /** Environment variables of the service in addition to the usual variables. */
  readonly env?: Variables | ((chain: ChainUnderTest) => Variables);
  /** Verification key of the proofs, in snarkjs' format. @default the development key */
  readonly verificationKey?: object;
  /** Returns a changed network profile of the chain. @default the profile is unchanged */
  readonly profile?: (chain: ChainUnderTest) => object;
}

/** The built service on a chain. A proxy between service and chain injects faults. */
export class Site extends Stack {
  private constructor(
    readonly chain: ChainUnderTest,
    readonly proxy: FaultProxy,
    folder: string,
    options: SiteOptions,
  ) {
    super({
      program: PROGRAM,
      nodeOptions: NODE_OPTIONS,
      folder,
      environment: environmentOf(chain, proxy, folder, options),
      beneath: [proxy, chain],
      onOutput: noteUndeclared,
    });
  }

  /** Resolves when the deposits are on chain and the service accepts withdrawals. */
  static async start(
    startChain: (start: ChainStart) => Promise<ChainUnderTest>,
    options: SiteOptions = {},
  ): Promise<Site> {
    const { deposits = {}, verificationKey = vector.verificationKey } = options;
    const chain = await startChain({ verificationKey });
    const proxy = await startFaultProxy({ target: chain.client.rpcUrl });
    const site = new Site(chain, proxy, mkdtempSync(join(tmpdir(), 'sotto-chain-')), options);
    try {
      const service = site.serve();
      for (const pool of poolKeys(deposits)) await chain.deposit(pool, deposits[pool] ?? []);
      await service.listening();
      await service.ready();
      proxy.resetCounters();
      return site;
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  get client(): SottoClient {
    return createSottoClient({ baseUrl: this.service.url });
  }

  /** Returns the rows of the service's ledger. */
  ledger(): LedgerRows {
    return readLedger(this.databaseFile);
  }

  /**
   * Ends the service and starts a new process with the same ledger. Resolves when the new process
   * listens.
   * @param env environment variables in addition to the usual variables
   */
  override async restart(env: Variables = {}): Promise<Service> {
    await this.service.process.stop();
    return super.restart(env);
  }

  /**
   * Resolves once a fault of this kind was applied to a request.
   * @param requested request to the service during which the fault should be applied
   * @throws Error if the service responds first; the message contains the response
   */
  async proxyStruck(kind: string, requested?: Promise<unknown>): Promise<void> {
    let answer: unknown;
    requested?.then(
      (value) => (answer = value),
      (error: unknown) => (answer = error),
    );
    await eventually('the fault to strike', () => {
      if ((this.proxy.counters().struck[kind] ?? 0) > 0) return true;
      if (answer === undefined) return false;
      throw new Error(
        `no fault has met a request, and the service answered ${inspect(answer, { depth: 4 })}`,
      );
    });
  }

  /** Waits until a submission reaches a state, and returns the submission. */
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
}

function environmentOf(
  chain: ChainUnderTest,
  proxy: FaultProxy,
  folder: string,
  {
    lanes = 1,
    env = {},
    verificationKey = vector.verificationKey,
    profile = (unchanged) => unchanged.profile,
  }: SiteOptions,
): Variables {
  const { world, neighbours } = chain;
  const { lane1, lane2, swapOwner, curator } = world.accounts;
  const settings = {
    networkProfile: writeJson(folder, 'network-profile.json', profile(chain)),
    verificationKeyFile: writeJson(folder, 'verification-key.json', verificationKey),
    databaseFile: ledgerIn(folder),
    rpcUrl: proxy.url,
    lanes: [lane1, lane2].slice(0, lanes),
    feeAddress: toFelt(FEE_ADDRESS),
    instanceId: 'chain-test',
  };
  return serviceEnvironment(settings, {
    ...QUICK,
    SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(swapOwner)),
    CURATOR_ACCOUNT: JSON.stringify(keyed(curator)),
    CURATOR_API_TOKENS: JSON.stringify({ default: CURATOR_TOKEN }),
    AGGREGATOR_URL: neighbours.aggregatorUrl,
    PRICE_API_URL: neighbours.aggregatorUrl,
    REWARDS_URL: neighbours.rewardsUrl,
    // In these tests, accounts that are lanes also own the contracts. So a test that pauses a
    // contract sends a transaction from a lane, outside the service.
    PAUSE_ON_FOREIGN_TRANSACTION: 'false',
    RATE_LIMIT_QUOTES_PER_MINUTE: '10000',
    ...(typeof env === 'function' ? env(chain) : env),
  });
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
