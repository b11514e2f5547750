import type { Ledger, StoodBack, SubmissionEventType } from '@sotto/submission-core';
import type { Metrics } from '@sotto/telemetry';

const EVENTS: Readonly<Record<SubmissionEventType, true>> = {
  request: true,
  prepare: true,
  claim: true,
  refusal: true,
  release: true,
  replace: true,
  cancel: true,
  fill: true,
  settle: true,
  catch_up: true,
  end_waiting: true,
  observe: true,
};

const RESULTS: Readonly<Record<StoodBack | 'written', true>> = {
  written: true,
  already_live: true,
  already_succeeded: true,
  stale_fence: true,
  attempt_moved_on: true,
  nonce_taken: true,
  nonce_settled: true,
  transaction_dead: true,
  proves_nothing: true,
  already_sent: true,
  price_too_low: true,
  noop_exists: true,
  no_hole: true,
  unknown_row: true,
};

/** The same ledger; every event that the machine records is counted by what became of it. */
export function countedLedger(ledger: Ledger, metrics: Metrics): Ledger {
  const events = metrics.counter<{ event: string[]; result: string[] }>({
    name: 'sotto_ledger_events_total',
    help: 'What the submission machine recorded, and why it stood back where it wrote nothing.',
    labels: { event: Object.keys(EVENTS), result: Object.keys(RESULTS) },
  });
  const ended = metrics.duration<{ state: string[] }>({
    name: 'sotto_submission_seconds',
    help: 'From the acceptance of a submission to its end.',
    labels: { state: ['succeeded', 'reverted', 'refused', 'expired'] },
  });
  return new Proxy(ledger, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property !== 'record') return typeof value === 'function' ? value.bind(target) : value;
      const record: Ledger['record'] = async (event) => {
        const recorded = await target.record(event);
        events.add({ event: event.type, result: recorded.written ? 'written' : recorded.because });
        const endedAtMs = recorded.attempt?.endedAtMs ?? null;
        if (recorded.written && recorded.attempt !== null && endedAtMs !== null) {
          ended.observe({ state: recorded.attempt.state }, (endedAtMs - recorded.attempt.acceptedAtMs) / 1_000);
        }
        return recorded;
      };
      return record;
    },
  });
}
