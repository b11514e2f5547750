import { eventually, type Service } from '@sotto/process-kit';
import { Callers } from '../crash/callers.js';
import { unsettled } from '../ledger/read-ledger.js';
import { mixedRequests } from '../stack/load-requests.js';
import type { Stack } from '../stack/stack.js';
import { accountsOf, acceptanceOf, type RecoveryCase } from './cases.js';
import type { Disturbed, Scene } from './disturbances.js';
import { truthOf, type Truth } from './truth.js';

export interface RecoveryOptions {
  /** Number of times that a repeated disturbance happens. */
  readonly times: number;
  /** Duration of the load before the disturbance, in seconds. */
  readonly seconds: number;
  /** Number of new requests per second; two of three are private actions. */
  readonly requestsPerSecond: number;
}

export interface RecoveryRow extends Disturbed {
  readonly name: string;
  readonly what: string;
  readonly truth: Truth;
  /**
   * Number of responses by status and code that callers received before and when their requests
   * were accepted.
   */
  readonly outcomes: Readonly<Record<string, number>>;
  /**
   * Number of attempts and nonces that were still not settled after every caller had its outcome.
   */
  readonly unsettled: number;
}

/** Returns all findings of a recovery case; empty if the service recovered correctly. */
export function recoveryFindings({
  name,
  findings,
  truth,
  unsettled: open,
}: RecoveryRow): readonly string[] {
  const left = open === 0 ? [] : [`${open} attempts and nonces never settled`];
  return [...findings, ...truth.findings, ...left].map((text) => `${name}: ${text}`);
}

/**
 * Runs one case under a continuous load and waits until the service has recovered. Then every
 * caller's outcome is compared with the chain.
 */
export async function recoveryRow(
  stack: Stack,
  { name, what, lanes = ['lane1', 'lane2'], manyTimes, disturb }: RecoveryCase,
  { times, seconds, requestsPerSecond }: RecoveryOptions,
  report: (text: string) => void,
): Promise<RecoveryRow> {
  let taking: Service | null = null;
  const requests = mixedRequests(stack.chain.urls);
  const callers = new Callers(() => taking, requests);
  const first = {
    RELAY_ACCOUNTS: accountsOf(lanes),
    ACCEPT_EMPTY_LEDGER: await acceptanceOf(stack.chain, lanes),
  };
  const serve: Scene['serve'] = async (env = {}) => {
    const service = await stack.restart({ ...first, ...env });
    taking = service;
    return service;
  };
  const take = (service: Service): void => {
    taking = service;
  };
  const close = (): void => {
    taking = null;
  };
  const moreAccounts = accountsOf(['lane1', 'lane2']);

  callers.start(requestsPerSecond);
  const scene: Scene = {
    stack,
    times: manyTimes ? times : 1,
    loadMs: seconds * 1_000,
    serve,
    take,
    close,
    moreAccounts,
    report,
  };
  const disturbed = await disturb(scene);
  await callers.end();
  const truth = await truthOf(stack, [...callers.answered.keys()], 0, requests);
  // Unsettled attempts and nonces are counted below, so it is no error if this wait times out.
  await eventually('everything to settle', () => unsettled(stack.databaseFile) === 0).catch(
    () => undefined,
  );
  return {
    ...disturbed,
    name,
    what,
    truth,
    outcomes: callers.outcomes,
    unsettled: unsettled(stack.databaseFile),
  };
}
