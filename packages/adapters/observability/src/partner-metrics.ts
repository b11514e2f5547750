import type { Metrics } from '@sotto/telemetry';

/** Figures of one partner for the metrics. */
export interface PartnerFigures {
  readonly partner: string;
  /** Number of elements in the partner's replies that were omitted. */
  readonly leftOut: number;
  /**
   * HTTP status with which the partner rejects the operator's credentials; null if it accepts them.
   */
  readonly rejectedWith: number | null;
}

/**
 * Exposes the number of unusable elements in partners' replies, and the partners that reject the
 * operator's key.
 */
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
