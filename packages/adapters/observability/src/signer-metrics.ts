import type { Metrics } from '@sotto/telemetry';

/** Exposes the state of a signer. Prometheus can't reach the signer's network. */
export function signerMetrics(metrics: Metrics, signer: { isAnswering(): Promise<boolean> }): void {
  metrics.gauge(
    {
      name: 'sotto_signer_up',
      help: '1 if the signer answers this instance and signs for its chain, 0 if not. Absent without SIGNER_URL.',
      labels: {},
    },
    async () => [{ labels: {}, value: Number(await signer.isAnswering()) }],
  );
}
