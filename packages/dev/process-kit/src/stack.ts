import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toFelt } from '@sotto/kernel';
import type { Variables } from './child.js';
import { Service } from './service.js';

/** An account that the service signs for. */
export interface KeyedAccount {
  readonly address: bigint;
  readonly privateKey: bigint;
}

/** Formats an account for the service's variables. */
export function keyed({ address, privateKey }: KeyedAccount): object {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}

/** Settings that every service needs. */
export interface ServiceSettings {
  /** File of the network profile. */
  readonly networkProfile: string;
  /** File of the verification key, in snarkjs' format. @default the profile's */
  readonly verificationKeyFile?: string;
  readonly databaseFile: string;
  readonly rpcUrl: string;
  readonly lanes: readonly KeyedAccount[];
  readonly feeAddress: string;
  readonly instanceId: string;
}

/**
 * Returns a service's variables, with a free port. @param others additional or overriding variables
 */
export function serviceEnvironment(settings: ServiceSettings, others: Variables = {}): Variables {
  return {
    MODE: 'development',
    PORT: '0',
    NETWORK_PROFILE: settings.networkProfile,
    STARKNET_RPC_URLS: settings.rpcUrl,
    RELAY_ACCOUNTS: JSON.stringify(settings.lanes.map(keyed)),
    FEE_ADDRESS: settings.feeAddress,
    DATABASE_PATH: settings.databaseFile,
    INSTANCE_ID: settings.instanceId,
    ...(settings.verificationKeyFile === undefined
      ? {}
      : { VERIFICATION_KEY_PATH: settings.verificationKeyFile }),
    ...others,
  };
}

/** Returns the service's variables for the servers that accompany the sandbox's chain. */
export function neighbourVariables({
  aggregatorUrl,
  rewardsUrl,
  bridgeUrl,
}: Neighbours): Variables {
  return {
    PRICE_API_URL: aggregatorUrl,
    AGGREGATOR_URL: aggregatorUrl,
    REWARDS_URL: rewardsUrl,
    BRIDGE_URL: bridgeUrl,
  };
}

interface Neighbours {
  readonly aggregatorUrl: string;
  readonly rewardsUrl: string;
  readonly bridgeUrl: string;
}

/** A limit that no load reaches. */
const BOUNDLESS = '100000000';
const BOUNDLESS_FRI = String(10n ** 30n);

/** Variables without the limits that would affect the single caller of a measurement. */
export const WITHOUT_LIMITS: Variables = {
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: BOUNDLESS,
  RATE_LIMIT_READS_PER_MINUTE: BOUNDLESS,
  GAS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
  GAS_BUDGET_IN_ALL_FRI: BOUNDLESS_FRI,
  LOSS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
};

/** Returns the ledger's file in a stack's folder. */
export const ledgerIn = (folder: string): string => join(folder, 'ledger.sqlite');

/** Writes a value into a file of the folder, as JSON. @returns the file */
export function writeJson(folder: string, name: string, value: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

export interface StackOptions {
  /** The built service's main module, as a file URL. */
  readonly program: string;
  /** Folder of this stack; {@link Stack.stop} removes it. */
  readonly folder: string;
  /** Variables of every service. */
  readonly environment: Variables;
  /** Options of Node for every service. */
  readonly nodeOptions?: readonly string[];
  /** Chain and servers below the service, in the order in which they stop after it. */
  readonly beneath: readonly { stop(): Promise<void> }[];
  /** True if each service writes a separate file. @default false: the memory of this process */
  readonly logs?: boolean;
  /** Receives the services' output if no files do. */
  readonly onOutput?: (text: string) => void;
}

/** The service with its chain and servers. The chain outlives the service, as does the ledger. */
export class Stack {
  #service: Service | null = null;
  readonly #logFiles: string[] = [];

  constructor(private readonly options: StackOptions) {}

  /** Folder of this stack. */
  get folder(): string {
    return this.options.folder;
  }

  /** Variables of the service, for another program with the same settings. */
  get environment(): Variables {
    return this.options.environment;
  }

  get databaseFile(): string {
    return ledgerIn(this.folder);
  }

  /** Log files of the services, if they write files; oldest first. */
  get logFiles(): readonly string[] {
    return this.#logFiles;
  }

  /** The most recently started service. @throws Error if none was started */
  get service(): Service {
    if (this.#service === null) throw new Error('no service was started');
    return this.#service;
  }

  /** The most recently started service, if it is running. */
  get running(): Service | null {
    return this.#service?.isRunning === true ? this.#service : null;
  }

  /** Resolves when no service is running. */
  async ended(): Promise<void> {
    await this.#service?.ended;
  }

  /**
   * Starts a new process over the same ledger, under the same instance name.
   * @param env overrides the stack's variables for this process
   * @throws Error if the last one is still running
   */
  serve(env: Variables = {}): Service {
    if (this.running !== null) throw new Error('the service still runs');
    this.#service = this.another(env);
    return this.#service;
  }

  /** Starts the service like {@link serve}; resolves when it listens. */
  async restart(env: Variables = {}): Promise<Service> {
    const service = this.serve(env);
    await service.listening();
    return service;
  }

  /**
   * Starts an additional process with the stack's variables, except for these. The caller stops it.
   */
  another(env: Variables): Service {
    const { program, folder, environment, nodeOptions = [], logs = false, onOutput } = this.options;
    if (logs) this.#logFiles.push(join(folder, `service-${this.#logFiles.length + 1}.log`));
    return new Service({
      program,
      env: { ...environment, ...env },
      nodeOptions,
      logFile: this.#logFiles.at(-1),
      onOutput,
    });
  }

  /** Starts {@link another} service; resolves when it listens. */
  async beside(env: Variables): Promise<Service> {
    const service = this.another(env);
    await service.listening();
    return service;
  }

  /**
   * Stops everything, service first.
   * @param how `signal` is sent to the service; `keep` leaves the folder for inspection
   */
  async stop({
    signal = 'SIGKILL',
    keep = false,
  }: { readonly signal?: NodeJS.Signals; readonly keep?: boolean } = {}): Promise<void> {
    await this.#service?.process.stop(signal);
    for (const each of this.options.beneath) await each.stop();
    if (!keep) rmSync(this.options.folder, { recursive: true, force: true });
  }
}
