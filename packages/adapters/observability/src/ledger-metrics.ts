import type { EngineStatus, SubmissionEngine } from '@sotto/submission-core';
import type { Metrics } from '@sotto/telemetry';

const STATES: Readonly<Record<NonNullable<EngineStatus['ledger']> | 'UP_TO_DATE', true>> = {
  UP_TO_DATE: true,
  NOT_READ: true,
  NOT_JUDGED: true,
  LEDGER_OF_ANOTHER_CHAIN: true,
  LEDGER_BEHIND_CHAIN: true,
};

/** Exposes whether the ledger agrees with its chain, and by how much the clocks differ. */
export function ledgerMetrics(metrics: Metrics, engine: Pick<SubmissionEngine, 'status'>): void {
  const states = Object.keys(STATES);
  metrics.gauge<{ state: string[] }>(
    {
      name: 'sotto_ledger_state',
      help: '1 for the present state of the ledger relative to its chain, 0 for the other states.',
      labels: { state: states },
    },
    async () => {
      const now = engine.status().ledger ?? 'UP_TO_DATE';
      return states.map((state) => ({ labels: { state }, value: state === now ? 1 : 0 }));
    },
  );
  metrics.counted<{ alarm: string[] }>(
    {
      name: 'sotto_alarms_total',
      help: 'Events that should never happen, by alarm.',
      labels: {
        alarm: [
          'foreign_transaction',
          'reopened_nonce',
          'reopened_final_nonce',
          'disproved_refusal',
          'shared_instance_id',
        ],
      },
    },
    () => {
      const { foreign, reopened, reopenedFinal, disprovedRefusals, sharedInstanceIds } =
        engine.status().alarms;
      return [
        { labels: { alarm: 'foreign_transaction' }, value: foreign },
        { labels: { alarm: 'reopened_nonce' }, value: reopened },
        { labels: { alarm: 'reopened_final_nonce' }, value: reopenedFinal },
        { labels: { alarm: 'disproved_refusal' }, value: disprovedRefusals },
        { labels: { alarm: 'shared_instance_id' }, value: sharedInstanceIds },
      ];
    },
  );
  metrics.gauge(
    {
      name: 'sotto_refusals_believed',
      help: '0 where no refusal of the node is believed, by the settings or because one was disproved.',
      labels: {},
    },
    async () => [{ labels: {}, value: engine.status().isStrict ? 0 : 1 }],
  );
  metrics.gauge<{ against: string[] }>(
    {
      name: 'sotto_clock_skew_seconds',
      help: 'How far this machine’s clock is ahead of the store’s, and of the newest block’s timestamp.',
      labels: { against: ['store', 'chain'] },
    },
    async () => {
      const { store, chain } = engine.status().clockSkewMs;
      return [
        ...(store === null ? [] : [{ labels: { against: 'store' }, value: store / 1_000 }]),
        ...(chain === null ? [] : [{ labels: { against: 'chain' }, value: chain / 1_000 }]),
      ];
    },
  );
}
