import { systemClock } from '@sotto/kernel';
import { OpenLoad } from '@sotto/load-kit';
import { thisMachine, type Machine } from '@sotto/load-kit/report';
import { eventually, type Service } from '@sotto/process-kit';
import { audit, findings, type Audit } from '../ledger/audit.js';
import { readLedger, unsettled } from '../ledger/read-ledger.js';
import { Reads } from '../measure/reads.js';
import type { RequestSummary } from '../measure/requests.js';
import { Sampler } from '../measure/sampler.js';
import type { Stack } from '../stack/stack.js';
import { LoadGenerator } from './load-generator.js';

export interface OverloadOptions {
  /** Duration of the overload, in seconds. */
  readonly seconds: number;
  /** Requested withdrawals per second, as a multiple of the measured capacity. */
  readonly factor: number;
  readonly readsPerSecond: number;
  /**
   * Duration in seconds of each measurement before the overload. The first measurement is made with
   * reads only, and the second measures the capacity.
   */
  readonly measureSeconds: number;
  /** Maximum number of withdrawals in progress that the service accepts. */
  readonly room: number;
}

export interface OverloadReport extends OverloadOptions {
  readonly machine: Machine;
  /** Measured capacity: withdrawals completed per second when each caller waits for its outcome. */
  readonly capacityPerSecond: number;
  /** Withdrawals requested per second. */
  readonly offeredPerSecond: number;
  readonly withdrawals: RequestSummary;
  /** Number of responses with status 429 or 503 that lack a Retry-After header. */
  readonly withoutRetryAfter: number;
  readonly unloadedReads: Readonly<Record<string, RequestSummary>>;
  readonly loadedReads: Readonly<Record<string, RequestSummary>>;
  readonly residentMemoryBytes: {
    readonly before: number;
    readonly most: number;
    readonly after: number;
  };
  readonly eventLoopDelayP99Seconds: number;
  readonly settledAfterSeconds: number;
  readonly audit: Audit;
  /** Warnings and errors in the service's log, by message. */
  readonly log: Readonly<Record<string, number>>;
}

/**
 * Number of callers while the capacity is measured. This is more than the number of withdrawals
 * that the lanes can process at a time.
 */
const CAPACITY_CALLERS = 24;
const SAMPLE_EVERY_MS = 1_000;
/**
 * Maximum growth of the process memory, in bytes. This is several times the memory that is needed
 * for the bodies of all requests in progress.
 */
const MEMORY_GROWTH_MAX_BYTES = 512 * 2 ** 20;

/**
 * Accepted outcomes of each read. The readiness check of an overloaded service may fail, but pool
 * reads must succeed.
 */
const SERVED: ReadonlyMap<string, readonly string[]> = new Map([
  ['pool status', ['200']],
  ['health/ready', ['200', '503']],
]);

/** Returns all findings of the overload run; empty if the service met all conditions. */
export function overloadFindings(report: OverloadReport): readonly string[] {
  const {
    audit: audited,
    withdrawals,
    withoutRetryAfter,
    residentMemoryBytes,
    loadedReads,
  } = report;
  const found = [...findings(audited)];
  if (withoutRetryAfter > 0)
    found.push(`${withoutRetryAfter} withdrawals were rejected without a Retry-After`);
  for (const [outcome, count] of Object.entries(withdrawals.outcomes)) {
    if (!/^(?:2\d\d|429|503)(?: |$)/.test(outcome))
      found.push(`${count} withdrawals were answered: ${outcome}`);
  }
  for (const [read, { outcomes }] of Object.entries(loadedReads)) {
    for (const [outcome, count] of Object.entries(outcomes))
      if (SERVED.get(read)?.includes(outcome) !== true)
        found.push(`${count} reads of ${read} were answered: ${outcome}`);
  }
  if (residentMemoryBytes.most - residentMemoryBytes.before > MEMORY_GROWTH_MAX_BYTES)
    found.push('memory grew without bound');
  return found;
}

/**
 * Measures the capacity, requests a multiple of the capacity and compares the ledger with the
 * chain.
 * @param report receives progress lines
 */
export async function overload(
  stack: Stack,
  options: OverloadOptions,
  report: (text: string) => void,
): Promise<OverloadReport> {
  const { seconds, factor, measureSeconds } = options;
  const service = await stack.restart();
  await service.ready();
  const sampler = new Sampler(service);
  sampler.start(SAMPLE_EVERY_MS);
  const unloadedReads = await readFor(service, options, measureSeconds);

  const crowd = new LoadGenerator(service);
  const capacityPerSecond = await capacityOf(crowd, measureSeconds);
  const offeredPerSecond = Math.max(1, capacityPerSecond * factor);
  report(
    `the capacity is ${capacityPerSecond.toFixed(1)} withdrawals a second; requesting ${offeredPerSecond.toFixed(1)}`,
  );
  await settle(stack, report);
  const before = sampler.samples.at(-1)?.residentMemoryBytes ?? 0;
  const samplesBefore = sampler.samples.length;

  const pressing = new LoadGenerator(service, crowd.begun);
  const load = new OpenLoad(async () => void (await pressing.query()));
  load.start({ perSecond: offeredPerSecond });
  const loadedReads = await readFor(service, options, seconds);
  await load.end();
  if (!service.isRunning) throw new Error(`the service ended; its log is in ${stack.folder}`);
  report(`${pressing.begun - crowd.begun} withdrawals were requested`);

  const settledAfterSeconds = await settle(stack, report);
  await sampler.end();
  const [inclusions, paidOut] = await Promise.all([
    stack.chain.inclusions(),
    stack.chain.paidOut(),
  ]);
  const samples = sampler.samples.slice(samplesBefore);
  return {
    ...options,
    machine: thisMachine(),
    capacityPerSecond,
    offeredPerSecond,
    withdrawals: pressing.summary(),
    withoutRetryAfter: pressing.withoutRetryAfter,
    unloadedReads,
    loadedReads,
    residentMemoryBytes: {
      before,
      most: Math.max(...samples.map(({ residentMemoryBytes }) => residentMemoryBytes)),
      after: samples.at(-1)?.residentMemoryBytes ?? 0,
    },
    eventLoopDelayP99Seconds: Math.max(...samples.map((sample) => sample.eventLoopDelayP99Seconds)),
    settledAfterSeconds,
    audit: audit({
      ledger: readLedger(stack.databaseFile),
      inclusions,
      paidOut,
      accepted: [...crowd.accepted, ...pressing.accepted],
    }),
    log: stack.logCounts(),
  };
}

async function readFor(
  service: Service,
  { readsPerSecond }: OverloadOptions,
  seconds: number,
): Promise<ReturnType<Reads['summary']>> {
  const reads = new Reads(service);
  const load = new OpenLoad((index) => reads.read(index));
  load.start({ perSecond: readsPerSecond });
  await systemClock.sleep(seconds * 1_000);
  await load.end();
  return reads.summary();
}

/**
 * Runs callers that request their next withdrawal as soon as the last one has ended. Returns the
 * number of withdrawals completed per second.
 */
async function capacityOf(crowd: LoadGenerator, seconds: number): Promise<number> {
  const startMs = systemClock.monotonicMs();
  const endsMs = startMs + seconds * 1_000;
  let served = 0;
  const caller = async (): Promise<void> => {
    while (systemClock.monotonicMs() < endsMs) if (await crowd.query()) served += 1;
  };
  await Promise.all(Array.from({ length: CAPACITY_CALLERS }, caller));
  return (served * 1_000) / (systemClock.monotonicMs() - startMs);
}

/**
 * Waits until every attempt and nonce is settled. If the wait times out, the audit reports the
 * unsettled attempts and nonces. @returns seconds waited
 */
async function settle(stack: Stack, report: (text: string) => void): Promise<number> {
  const startMs = systemClock.monotonicMs();
  await eventually('everything to settle', () => unsettled(stack.databaseFile) === 0).catch(
    (error: Error) => report(error.message),
  );
  return (systemClock.monotonicMs() - startMs) / 1_000;
}
