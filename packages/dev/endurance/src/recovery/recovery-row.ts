import { eventually, type Service } from '@sotto/process-kit';
import { Callers } from '../crash/callers.js';
import { unsettled } from '../ledger/read-ledger.js';
import type { Stack } from '../stack/stack.js';
import { accountsOf, acceptanceOf, type RecoveryCase } from './cases.js';
import type { Disturbed, Scene } from './disturbances.js';
import { truthOf, type Truth } from './truth.js';

export interface RecoveryOptions {
  /** Number of repetitions, if the case repeats. */
  readonly times: number;
  /** Duration of the load before the disturbance. */
  readonly seconds: number;
  readonly withdrawalsPerSecond: number;
}

export interface RecoveryRow extends Disturbed {
  readonly name: string;
  readonly what: string;
  readonly truth: Truth;
  /** Answers to callers until their requests were accepted. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Attempts and nonces still open when every caller had an answer. */
  readonly unsettled: number;
}

/** Returns the findings of a row; empty if all is well. */
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
 * Runs one case under a continuous load, lets the service recover, and compares every caller's
 * answer with the chain.
 */
export async function recoveryRow(
  stack: Stack,
  { name, what, lanes = ['lane1', 'lane2'], manyTimes, disturb }: RecoveryCase,
  { times, seconds, withdrawalsPerSecond }: RecoveryOptions,
  tell: (text: string) => void,
): Promise<RecoveryRow> {
  let taking: Service | null = null;
  const callers = new Callers(() => taking);
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

  callers.start(withdrawalsPerSecond);
  const scene: Scene = {
    stack,
    times: manyTimes ? times : 1,
    loadMs: seconds * 1_000,
    serve,
    take,
    close,
    moreAccounts,
    tell,
  };
  const disturbed = await disturb(scene);
  await callers.end();
  const truth = await truthOf(stack, [...callers.answered.keys()]);
  // Attempts and nonces that do not settle are counted below.
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
