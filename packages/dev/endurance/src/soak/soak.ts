import { statSync } from 'node:fs';
import { systemClock } from '@sotto/kernel';
import { OpenLoad } from '@sotto/load-kit';
import { thisMachine, type Machine } from '@sotto/load-kit/report';
import { eventually } from '@sotto/process-kit';
import { audit, type Audit } from '../ledger/audit.js';
import { readLedger, unsettled } from '../ledger/read-ledger.js';
import type { ProcessSample } from '../measure/process-metrics.js';
import { Reads } from '../measure/reads.js';
import { Requests, type RequestSummary } from '../measure/requests.js';
import { Sampler } from '../measure/sampler.js';
import type { Stack } from '../stack/stack.js';
import { withdrawalBody } from '../stack/withdrawals.js';

export interface SoakOptions {
  readonly minutes: number;
  readonly withdrawalsPerSecond: number;
  readonly readsPerSecond: number;
  readonly sampleEverySeconds: number;
}

export interface SoakReport extends SoakOptions {
  readonly machine: Machine;
  readonly withdrawals: RequestSummary;
  readonly reads: Readonly<Record<string, RequestSummary>>;
  /** Samples, oldest first. The last sample is from the time after everything had settled. */
  readonly samples: readonly ProcessSample[];
  readonly missedSamples: number;
  /** Warnings and errors in the service's log, by message. */
  readonly log: Readonly<Record<string, number>>;
  readonly audit: Audit;
  /** Total size of the ledger's files at the end, in bytes. */
  readonly ledgerBytes: number;
  /** Seconds from the end of the load until every attempt and nonce was settled. */
  readonly settledAfterSeconds: number;
}

/** Time limit of a request, in ms: longer than the service waits for an outcome. */
const REQUEST_TIMEOUT_MS = 60_000;
const REPORT_EVERY_MS = 60_000;

/**
 * Runs the service under a steady load and compares its ledger with the chain.
 * @param report receives progress lines
 */
export async function soak(
  stack: Stack,
  options: SoakOptions,
  report: (text: string) => void,
): Promise<SoakReport> {
  const { minutes, withdrawalsPerSecond, readsPerSecond, sampleEverySeconds } = options;
  const service = await stack.restart();
  await service.ready();
  const [withdrawals, reads, sampler] = [new Requests(), new Reads(service), new Sampler(service)];
  const accepted: string[] = [];
  const submitting = new OpenLoad(async (index) => {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await withdrawals.note(() =>
      service.withdraw(withdrawalBody(index), { signal }),
    );
    const id = answer?.headers.get('location')?.split('/').at(-1);
    if (answer !== null && answer.status < 300 && id !== undefined) accepted.push(id);
  });
  const reading = new OpenLoad((index) => reads.read(index));

  sampler.start(sampleEverySeconds * 1_000);
  submitting.start({ perSecond: withdrawalsPerSecond });
  reading.start({ perSecond: readsPerSecond });
  const ends = systemClock.monotonicMs() + minutes * 60_000;
  while (systemClock.monotonicMs() < ends) {
    await systemClock.sleep(Math.min(REPORT_EVERY_MS, ends - systemClock.monotonicMs()));
    if (!service.isRunning) throw new Error(`the service ended; its log is in ${stack.folder}`);
    report(
      `${submitting.begun} withdrawals begun, ${submitting.underway} in progress, ${accepted.length} answered`,
    );
  }
  await Promise.all([submitting.end(), reading.end()]);

  const endedMs = systemClock.monotonicMs();
  // The audit reports attempts and nonces that do not settle.
  await eventually('everything to settle', () => unsettled(stack.databaseFile) === 0).catch(
    (error: Error) => report(error.message),
  );
  const settledAfterSeconds = (systemClock.monotonicMs() - endedMs) / 1_000;
  await sampler.end();
  const [inclusions, paidOut] = await Promise.all([
    stack.chain.inclusions(),
    stack.chain.paidOut(),
  ]);
  return {
    ...options,
    machine: thisMachine(),
    withdrawals: withdrawals.summary(),
    reads: reads.summary(),
    samples: sampler.samples,
    missedSamples: sampler.missed,
    log: stack.logCounts(),
    audit: audit({ ledger: readLedger(stack.databaseFile), inclusions, paidOut, accepted }),
    ledgerBytes: sizeOf(stack.databaseFile) + sizeOf(`${stack.databaseFile}-wal`),
    settledAfterSeconds,
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
