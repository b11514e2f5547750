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

/** An account as the service's variables have it. */
export function keyed({ address, privateKey }: KeyedAccount): object {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}

/** What every service needs to know. */
export interface ServiceSettings {
  /** File of the network profile. */
  readonly networkProfile: string;
  /** File of the key that proofs must hold under, in snarkjs' form. @default the profile's */
  readonly verificationKeyFile?: string;
  readonly databaseFile: string;
  readonly rpcUrl: string;
  readonly lanes: readonly KeyedAccount[];
  readonly feeAddress: string;
  readonly instanceId: string;
}

/** A service's variables, on any free port. @param others besides them, or in their place */
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

/** The servers beside the sandbox's chain, as the service's variables have them. */
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

/** More than any load costs or asks for. */
const BOUNDLESS = '100000000';
const BOUNDLESS_FRI = String(10n ** 30n);

/** Variables of a service that is measured, and not the limits of its one caller. */
export const WITHOUT_LIMITS: Variables = {
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: BOUNDLESS,
  RATE_LIMIT_READS_PER_MINUTE: BOUNDLESS,
  GAS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
  GAS_BUDGET_IN_ALL_FRI: BOUNDLESS_FRI,
  LOSS_BUDGET_PER_POOL_FRI: BOUNDLESS_FRI,
};

/** The ledger's file in the folder of a stack. */
export const ledgerIn = (folder: string): string => join(folder, 'ledger.sqlite');

/** Puts a value into a file of the folder, as JSON. @returns the file */
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
  /** Of Node itself, for every service. */
  readonly nodeOptions?: readonly string[];
  /** What the service stands on, chain and servers, in the order in which they end after it. */
  readonly beneath: readonly { stop(): Promise<void> }[];
  /** Whether each service writes a file of its own. @default false: the memory of this process */
  readonly logs?: boolean;
  /** Hears what the services write, where no files take it. */
  readonly onOutput?: (text: string) => void;
}

/** The service and what it stands on. The chain outlives the service, as the ledger does. */
export class Stack {
  #service: Service | null = null;
  readonly #logFiles: string[] = [];

  constructor(private readonly options: StackOptions) {}

  /** Of this stack alone. */
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

  /** What the services have written, where they write files; oldest first. */
  get logFiles(): readonly string[] {
    return this.#logFiles;
  }

  /** The service that was started last. @throws Error when none was */
  get service(): Service {
    if (this.#service === null) throw new Error('no service was started');
    return this.#service;
  }

  /** The service that was started last, while it runs. */
  get running(): Service | null {
    return this.#service?.isRunning === true ? this.#service : null;
  }

  /** Resolves when no service runs. */
  async ended(): Promise<void> {
    await this.#service?.ended;
  }

  /**
   * A new process over the same ledger, under the same instance name.
   * @param env on top of the stack's, for this process
   * @throws Error while the last one runs
   */
  serve(env: Variables = {}): Service {
    if (this.running !== null) throw new Error('the service still runs');
    this.#service = this.another(env);
    return this.#service;
  }

  /** As {@link serve}; resolves when it listens. */
  async restart(env: Variables = {}): Promise<Service> {
    const service = this.serve(env);
    await service.listening();
    return service;
  }

  /** One more process, with the stack's variables but for these. The caller ends it. */
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
   * Ends everything, service first.
   * @param how `signal` asks the service to end; `keep` leaves the folder for inspection
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
