import type { Ledger, RejectionReason, SubmissionCommandType } from '@sotto/submission-core';
import type { Metrics } from '@sotto/telemetry';

const EVENTS: Readonly<Record<SubmissionCommandType, true>> = {
  request: true,
  store: true,
  claim: true,
  refusal: true,
  settle: true,
  finalize: true,
  reopen: true,
  import: true,
  introduce: true,
  quarantine: true,
  end_quarantine: true,
  adopt: true,
  renew: true,
  end_waiting: true,
  observe: true,
};

const RESULTS: Readonly<Record<RejectionReason | 'applied', true>> = {
  applied: true,
  already_live: true,
  already_succeeded: true,
  not_final: true,
  stale_fence: true,
  stale_version: true,
  attempt_moved_on: true,
  nonce_taken: true,
  nonce_beyond_window: true,
  nonce_settled: true,
  not_settled_so: true,
  transaction_gone: true,
  proves_nothing: true,
  price_too_low: true,
  no_gap: true,
  too_early: true,
  lane_quarantined: true,
  lane_paused: true,
  ledger_behind: true,
  known_already: true,
  other_request: true,
  unknown_row: true,
};

/**
 * Commands whose purpose can be to end an attempt. Other commands may also report that an attempt
 * has ended.
 */
const ENDING: ReadonlySet<SubmissionCommandType> = new Set([
  'refusal',
  'settle',
  'end_waiting',
  'adopt',
]);

/** Wraps the ledger and counts every command of the machine by its result. */
export function withLedgerMetrics(ledger: Ledger, metrics: Metrics): Ledger {
  const events = metrics.counter<{ event: string[]; result: string[] }>({
    name: 'sotto_ledger_events_total',
    help: 'Commands of the submission machine by their result: applied, or the reason why the command was rejected and nothing was written.',
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
      if (property !== 'apply') return typeof value === 'function' ? value.bind(target) : value;
      const record: Ledger['apply'] = async (event) => {
        const recorded = await target.apply(event);
        events.add({ event: event.type, result: recorded.applied ? 'applied' : recorded.because });
        const endedAtMs = recorded.attempt?.endedAtMs ?? null;
        if (
          recorded.applied &&
          ENDING.has(event.type) &&
          recorded.attempt !== null &&
          endedAtMs !== null
        ) {
          ended.observe(
            { state: recorded.attempt.state },
            (endedAtMs - recorded.attempt.acceptedAtMs) / 1_000,
          );
        }
        return recorded;
      };
      return record;
    },
  });
}
