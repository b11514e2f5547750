import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { claimPorts } from './claim-port.js';
import {
  fromJson,
  type DevDescription,
  type DevDescriptionJson,
  type ServiceDescription,
} from './description.js';
import { describeAt, HelperClient, type DevHelpers } from './helpers.js';
import type { ExistingChain } from './existing-chain.js';
import type { Listener, Running } from './running.js';
import { StackProcess } from './stack/process.js';

export interface ServiceOptions {
  /** Port of the service; 0 for any free one. @default 0 */
  readonly port?: number;
  /**
   * Settings of the service by the names of its variables, such as
   * `{ ANSWER_AT: 'accepted_on_l2' }`. Settings that the stack provides, such as chain and
   * accounts, are not used; unknown ones are ignored.
   */
  readonly settings?: Readonly<Record<string, string | undefined>>;
  /**
   * True if the keeper performs all tasks, not only those that `npm start` shows.
   * @default false
   */
  readonly keeperAll?: boolean;
  /** Parent of this run's folder for ledger and logs. @default the system's for temporary files */
  readonly stateFolder?: string;
  readonly onProgress?: Listener;
  /** Aborts the start: it rejects with the signal's reason and leaves no process or file. */
  readonly signal?: AbortSignal;
}

export interface DevOptions extends ServiceOptions {
  /** Port of the Starknet node; 0 for any free one. @default 0 */
  readonly nodePort?: number;
  /** Port of the helpers over HTTP; 0 for any free one. @default 0 */
  readonly helpersPort?: number;
}

/** A chain with the service, and operations that only a development chain supports. */
export type DevStack = DevDescription & DevHelpers & Running;
/** A service over an existing chain. */
export type RunningService = ServiceDescription & Running;

const HOST = '127.0.0.1';

/**
 * Starts a Starknet node, doubles of its partners and the service, as separate processes. Resolves
 * when the service accepts withdrawals, within some seconds.
 * @throws PortTaken; DevError with the reason, after all processes are stopped (the message names
 *   the remaining logs); the signal's reason
 */
export async function startDev(options: DevOptions = {}): Promise<DevStack> {
  const { nodePort = 0, helpersPort = 0, signal } = options;
  const [servicePort = 0] = await claimPorts([options.port ?? 0, nodePort, helpersPort], HOST);
  const [stack, json] = await StackProcess.start<DevDescriptionJson>(
    { ...orderOf(options, servicePort), chain: { kind: 'own', nodePort, helpersPort } },
    options.onProgress ?? ignore,
    signal,
  );
  return Object.assign(new HelperClient(json.helpersUrl), fromJson(json), runningOf(stack));
}

/**
 * Starts the service alone over an existing chain, such as starknet-devnet with the protocol's
 * contracts deployed. There are no helpers then.
 * @throws the errors of {@link startDev}
 */
export async function startService(
  chain: ExistingChain,
  options: ServiceOptions = {},
): Promise<RunningService> {
  const [servicePort = 0] = await claimPorts([options.port ?? 0], HOST);
  const [stack, description] = await StackProcess.start<ServiceDescription>(
    { ...orderOf(options, servicePort), chain: { ...chain, kind: 'below' } },
    options.onProgress ?? ignore,
    options.signal,
  );
  return { ...description, ...runningOf(stack) };
}

/**
 * Connects to a stack that another process has started, such as a test runner's global setup.
 * @param helpersUrl URL of the helpers, from its description
 * @throws DevError if there is no stack
 */
export async function connectDev(helpersUrl: string): Promise<DevDescription & DevHelpers> {
  return Object.assign(new HelperClient(helpersUrl), await describeAt(helpersUrl));
}

function orderOf(
  { settings = {}, keeperAll = false, stateFolder }: ServiceOptions,
  servicePort: number,
) {
  if (stateFolder !== undefined) mkdirSync(stateFolder, { recursive: true });
  const given = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    host: HOST,
    servicePort,
    keeperAll,
    settings: Object.fromEntries(given),
    folder: mkdtempSync(
      stateFolder === undefined ? join(tmpdir(), 'sotto-dev-') : join(resolve(stateFolder), 'run-'),
    ),
  };
}

function runningOf(stack: StackProcess<unknown>): Running {
  return {
    ended: stack.ended,
    stop: (how) => stack.stop(how),
    [Symbol.asyncDispose]: () => stack.stop(),
  };
}

function ignore(): void {}
