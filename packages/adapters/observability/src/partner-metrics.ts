import type { Metrics } from '@sotto/telemetry';

/** Figures of one partner. */
export interface PartnerFigures {
  readonly partner: string;
  /** Number of elements of its replies that were left out. */
  readonly leftOut: number;
  /** Status with which it rejects the operator's credentials; null if it does not. */
  readonly rejectedWith: number | null;
}

/** Exposes unusable elements of partners' replies, and partners that reject the operator's key. */
export function partnerMetrics(metrics: Metrics, partners: readonly PartnerFigures[]): void {
  const labels = { partner: partners.map(({ partner }) => partner) };
  metrics.counted<{ partner: string[] }>(
    {
      name: 'sotto_partner_elements_left_out_total',
      help: 'Elements of a partner’s answers that could not be used, such as quotes and prices.',
      labels,
    },
    () => partners.map(({ partner, leftOut: value }) => ({ labels: { partner }, value })),
  );
  metrics.gauge<{ partner: string[] }>(
    {
      name: 'sotto_partner_key_rejected',
      help: '1 for a partner whose last answer was 401 or 403, 0 for another.',
      labels,
    },
    async () =>
      partners.map(({ partner, rejectedWith }) => ({
        labels: { partner },
        value: Number(rejectedWith !== null),
      })),
  );
}
