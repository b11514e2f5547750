import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toFelt } from '@sotto/kernel';
import type { Variables } from './child.js';
import { Service } from './service.js';

/** Account with the private key that the service uses to sign. */
export interface KeyedAccount {
  readonly address: bigint;
  readonly privateKey: bigint;
}

/** Formats an account for the service's environment variables. */
export function keyed({ address, privateKey }: KeyedAccount): object {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}

/** Settings that every service needs. */
export interface ServiceSettings {
  /** Path of the network profile's file. */
  readonly networkProfile: string;
  /**
   * Path of the verification key's file, in snarkjs' format. @default the file that the profile
   * names
   */
  readonly verificationKeyFile?: string;
  readonly databaseFile: string;
  readonly rpcUrl: string;
  readonly lanes: readonly KeyedAccount[];
  readonly feeAddress: string;
  readonly instanceId: string;
}

/**
 * Returns the variables of a service, with a free port. @param others variables that are added or
 * override the defaults
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

/**
 * Returns the variables with which the service finds the servers that run in addition to the
 * sandbox chain.
 */
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

/** Value of a limit that no load reaches. */
const BOUNDLESS = '100000000';
const BOUNDLESS_FRI = String(10n ** 30n);

/** Variables that remove the limits which a single caller would reach in a measurement. */
export const WITHOUT_LIMITS: Variables = {
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: BOUNDLESS,
  RATE_LIMIT_READS_PER_MINUTE: BOUNDLESS,
  GAS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
  GAS_BUDGET_IN_ALL_FRI: BOUNDLESS_FRI,
  LOSS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
};

/** Returns the path of the ledger's file in a stack's folder. */
export const ledgerIn = (folder: string): string => join(folder, 'ledger.sqlite');

/** Writes a value as JSON into a file of the folder. @returns path of the file */
export function writeJson(folder: string, name: string, value: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

export interface StackOptions {
  /** File URL of the built service's main module. */
  readonly program: string;
  /** Folder of this stack; {@link Stack.stop} removes it. */
  readonly folder: string;
  /** Environment variables of every service of this stack. */
  readonly environment: Variables;
  /** Command-line options of Node for every service. */
  readonly nodeOptions?: readonly string[];
  /** Chain and servers that the service uses, in the order in which they stop after the service. */
  readonly beneath: readonly { stop(): Promise<void> }[];
  /**
   * True if each service writes its output to a separate file. @default false: output is stored in
   * memory
   */
  readonly logs?: boolean;
  /** Receives the output of the services if it is not written to files. */
  readonly onOutput?: (text: string) => void;
}

/**
 * The service with its chain and other servers. Chain and ledger remain when the service is
 * restarted.
 */
export class Stack {
  #service: Service | null = null;
  readonly #logFiles: string[] = [];

  constructor(private readonly options: StackOptions) {}

  /** Folder of this stack. */
  get folder(): string {
    return this.options.folder;
  }

  /** Environment variables of the service, for another program that needs the same settings. */
  get environment(): Variables {
    return this.options.environment;
  }

  get databaseFile(): string {
    return ledgerIn(this.folder);
  }

  /** Log files of the services, oldest first; empty if the services write no files. */
  get logFiles(): readonly string[] {
    return this.#logFiles;
  }

  /** The service that was started last. @throws Error if no service was started */
  get service(): Service {
    if (this.#service === null) throw new Error('no service was started');
    return this.#service;
  }

  /** The service that was started last; null if it is not running. */
  get running(): Service | null {
    return this.#service?.isRunning === true ? this.#service : null;
  }

  /** Resolves when the service that was started last has ended. */
  async ended(): Promise<void> {
    await this.#service?.ended;
  }

  /**
   * Starts a new process of the service with the same ledger and the same instance name.
   * @param env variables that override the stack's variables for this process
   * @throws Error if the previous process is still running
   */
  serve(env: Variables = {}): Service {
    if (this.running !== null) throw new Error('the service still runs');
    this.#service = this.another(env);
    return this.#service;
  }

  /** Starts the service as {@link serve} does. Resolves when the service listens. */
  async restart(env: Variables = {}): Promise<Service> {
    const service = this.serve(env);
    await service.listening();
    return service;
  }

  /**
   * Starts an additional process of the service. `env` overrides the stack's variables. The caller
   * must stop the process.
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

  /** Starts {@link another} service. Resolves when this service listens. */
  async beside(env: Variables): Promise<Service> {
    const service = this.another(env);
    await service.listening();
    return service;
  }

  /**
   * Stops the service first, then the chain and the other servers.
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
