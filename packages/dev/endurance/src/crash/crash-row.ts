import { systemClock } from '@sotto/kernel';
import { EndedEarly, eventually, type Service } from '@sotto/process-kit';
import { audit, findings, type Audit } from '../ledger/audit.js';
import { livePrivateActions, readLedger, unsettled } from '../ledger/read-ledger.js';
import { mixedRequests, privatePayments, type LoadRequests } from '../stack/load-requests.js';
import type { Stack } from '../stack/stack.js';
import { Callers } from './callers.js';
import type { CrashPoint } from './points.js';
import { Recoveries } from './recoveries.js';
import { calm } from './stirs.js';

export interface CrashRowOptions {
  /** Number of kills at each failpoint. */
  readonly times: number;
  /** Number of new requests per second; two of three are private actions. */
  readonly requestsPerSecond: number;
}

/** Result of killing the service at one failpoint or at several failpoints. */
export interface CrashRow {
  readonly points: readonly string[];
  readonly kills: number;
  /** Number of kills after which all work in flight has ended. */
  readonly recovered: number;
  readonly mostInFlight: number;
  /** Number of withdrawals and private actions that the service accepted. */
  readonly submissions: number;
  /** Number of private actions that the pool has applied. */
  readonly privateActions: number;
  /** Number of private actions whose fee the relayer has earned. */
  readonly privateFees: number;
  /**
   * Number of responses by outcome that callers received before and when their requests were
   * accepted.
   */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly audit: Audit;
  /**
   * Requests whose repetitions returned another response than the first request, or responses that
   * differ from each other.
   */
  readonly otherAnswers: readonly string[];
  /**
   * Maximum time in s from a kill until all work that was in flight at that kill had ended. The
   * service may be killed again within this time.
   */
  readonly slowestRecoverySeconds: number;
}

const STIR_EVERY_MS = 300;
const POLL_EVERY_MS = 100;
const REACH_TIMEOUT_MS = 180_000;

/** Returns the findings of a row. The list has no items if all conditions are met. */
export function rowFindings({
  points,
  kills,
  recovered,
  audit: audited,
  otherAnswers: others,
  privateActions,
  privateFees,
}: CrashRow): readonly string[] {
  const lacking =
    recovered === kills ? [] : [`${kills - recovered} kills were never recovered from`];
  const unequal =
    privateActions === privateFees
      ? []
      : [`${privateActions} private actions were applied and ${privateFees} fees earned`];
  return [...findings(audited), ...others, ...lacking, ...unequal].map(
    (text) => `${points.join(', ')}: ${text}`,
  );
}

/**
 * Kills the service repeatedly at each failpoint under a continuous load of withdrawals and private
 * actions. A kill counts only if private actions were in flight. Then waits until the service has
 * finished its work, and audits the result.
 * @param report function that receives progress lines
 */
export async function crashRow(
  stack: Stack,
  points: readonly CrashPoint[],
  { times, requestsPerSecond }: CrashRowOptions,
  report: (text: string) => void,
): Promise<CrashRow> {
  let taking: Service | null = null;
  const requests = mixedRequests(stack.chain.urls);
  const callers = new Callers(() => taking, requests);
  const serve = async (env: Readonly<Record<string, string>>): Promise<Service> => {
    const service = await stack.restart(env);
    taking = service;
    return service;
  };
  await serve({});
  await stack.service.ready();
  stack.service.kill('SIGKILL');
  await stack.service.ended;

  callers.start(requestsPerSecond);
  const recoveries = new Recoveries(stack.databaseFile);
  for (const { point, time } of points.flatMap((each) =>
    Array.from({ length: times }, (_, index) => ({ point: each, time: index })),
  )) {
    const env = {
      ...point.env,
      SOTTO_FAILPOINT: point.name,
      SOTTO_CRASH_AFTER: String(1 + (time % point.times)),
    };
    const startMs = systemClock.monotonicMs();
    let reached = false;
    while (!reached) {
      const service = await serve(env).catch(diedAtOnce);
      const died = service === null || (await untilItDies(stack, service, point, recoveries));
      reached = died && livePrivateActions(stack.databaseFile) > 0;
      taking = null;
      await calm(stack.chain);
    }
    recoveries.killed();
    report(
      `${point.name}: killed ${time + 1} of ${times}, after ${((systemClock.monotonicMs() - startMs) / 1_000).toFixed(1)} s`,
    );
  }

  await serve({});
  await callers.end();
  // Continue even if some nonces and attempts do not settle, because the audit reports them.
  await eventually('everything to settle', () => {
    recoveries.poll();
    return unsettled(stack.databaseFile) === 0;
  }).catch(() => undefined);
  recoveries.poll();
  const [inclusions, paidOut, { paid, fees }] = await Promise.all([
    stack.chain.inclusions(),
    stack.chain.paidOut(),
    privatePayments(stack.chain),
  ]);
  const accepted = [...callers.answered.values()].flatMap((ids) => [...ids]);
  return {
    points: points.map(({ name }) => name),
    kills: recoveries.kills,
    recovered: recoveries.recovered,
    mostInFlight: recoveries.mostInFlight,
    submissions: callers.answered.size,
    privateActions: paid,
    privateFees: fees,
    outcomes: callers.outcomes,
    audit: audit({ ledger: readLedger(stack.databaseFile), inclusions, paidOut, accepted }),
    otherAnswers: await otherAnswers(stack, callers.answered, requests),
    slowestRecoverySeconds: recoveries.slowestMs / 1_000,
  };
}

/**
 * Returns null if the service was killed at a failpoint before it printed its address.
 * @throws any other error
 */
function diedAtOnce(error: unknown): null {
  if (error instanceof EndedEarly && error.ending.signal === 'SIGKILL') return null;
  throw error;
}

/**
 * Returns true if the service was killed at the failpoint. @throws Error if the service never
 * reached the failpoint
 */
async function untilItDies(
  stack: Stack,
  service: Service,
  { name, stir, restartAfterMs }: CrashPoint,
  recoveries: Recoveries,
): Promise<boolean> {
  const startMs = systemClock.monotonicMs();
  const disturb = stir?.();
  for (let nextMs = 0; service.isRunning; await systemClock.sleep(POLL_EVERY_MS)) {
    recoveries.poll();
    const livedMs = systemClock.monotonicMs() - startMs;
    if (restartAfterMs !== undefined && livedMs > restartAfterMs) {
      service.kill('SIGKILL');
      await service.ended;
      return false;
    }
    if (livedMs > REACH_TIMEOUT_MS)
      throw new Error(`the service did not get to "${name}" in ${REACH_TIMEOUT_MS} ms`);
    if (livedMs < nextMs) continue;
    await disturb?.(stack.chain);
    nextMs = livedMs + STIR_EVERY_MS;
  }
  const { code, signal } = await service.ended;
  if (signal !== 'SIGKILL')
    throw new Error(`the service ended with ${code} ${signal}; its log is in ${stack.folder}`);
  return true;
}

/**
 * Sends every succeeded request two more times. Both responses must contain the same transaction,
 * and the submission id of the earlier response.
 */
async function otherAnswers(
  stack: Stack,
  names: Callers['answered'],
  requests: LoadRequests,
): Promise<readonly string[]> {
  const succeeded = new Set(
    readLedger(stack.databaseFile)
      .attempts.filter(({ state }) => state === 'succeeded')
      .map(({ id }) => id),
  );
  const found: string[] = [];
  for (const [index, ids] of names) {
    const [id] = [...ids].filter((name) => succeeded.has(name));
    if (id === undefined) continue;
    const request = await requests(index);
    const answers = await Promise.all([0, 1].map(() => request.send(stack.service)));
    const texts = new Set(
      answers.map(({ status, text, headers }) => `${status} ${text} ${headers.get('location')}`),
    );
    const [text = ''] = texts;
    if (
      texts.size !== 1 ||
      !text.startsWith('200 ') ||
      !text.includes('SUCCEEDED') ||
      !text.endsWith(id)
    )
      found.push([...texts].join(' and '));
  }
  return found;
}
