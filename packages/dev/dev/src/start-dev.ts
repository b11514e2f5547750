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
  /** Port of the service; 0 selects any free port. @default 0 */
  readonly port?: number;
  /**
   * Settings of the service by the names of its environment variables, such as `{ ANSWER_AT:
   * 'accepted_on_l2' }`. Settings that the stack provides, such as chain and accounts, are not
   * used. Unknown settings are ignored.
   */
  readonly settings?: Readonly<Record<string, string | undefined>>;
  /**
   * True if the keeper performs all its tasks. False if it performs only the tasks that `npm start`
   * demonstrates.
   * @default false
   */
  readonly keeperAll?: boolean;
  /**
   * Parent folder of this run's folder for ledger and logs. @default the system's folder for
   * temporary files
   */
  readonly stateFolder?: string;
  readonly onProgress?: Listener;
  /**
   * Signal that aborts the start. The start then rejects with the signal's reason and leaves no
   * process or file.
   */
  readonly signal?: AbortSignal;
}

export interface DevOptions extends ServiceOptions {
  /** Port of the Starknet node; 0 selects any free port. @default 0 */
  readonly nodePort?: number;
  /** Port of the helpers over HTTP; 0 selects any free port. @default 0 */
  readonly helpersPort?: number;
}

/** Running chain with the service, and operations that only a development chain supports. */
export type DevStack = DevDescription & DevHelpers & Running;
/** Running service over an existing chain. */
export type RunningService = ServiceDescription & Running;

const HOST = '127.0.0.1';

/**
 * Starts a Starknet node, doubles of the external services, and the service, as separate processes.
 * Resolves when the service accepts withdrawals, within some seconds.
 * @throws PortTaken; DevError with the reason, after all processes have stopped (the message
 *   contains the paths of the remaining logs); the signal's reason
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
 * Starts only the service, over an existing chain, such as starknet-devnet with the protocol's
 * contracts deployed. The result has no helpers.
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
 * @param helpersUrl URL of the helpers, from the stack's description
 * @throws DevError if no stack responds at this URL
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
