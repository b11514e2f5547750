import { REASON_CODES } from '@sotto/facts';
import type { GetVerdict, HeadWatch, Verdict } from '@sotto/relayer-core';
import type { Metrics } from '@sotto/telemetry';

export interface VerdictSources {
  readonly verdict: Pick<GetVerdict, 'current'>;
  readonly head: Pick<HeadWatch, 'status'>;
  readonly pools: readonly { readonly key: string }[];
}

/**
 * Exposes whether a withdrawal can succeed now, from the verdict that readiness and alerts also
 * use.
 */
export function verdictMetrics(metrics: Metrics, { verdict, head, pools }: VerdictSources): void {
  const keys = pools.map(({ key }) => key);
  /** Returns the verdict; null before the first check. */
  const now = (): Verdict | null => {
    const current = verdict.current();
    return current.asOfMs === 0 ? null : current;
  };
  metrics.gauge<{ pool: string[] }>(
    {
      name: 'sotto_withdrawal_possible',
      help: '1 while a withdrawal from the pool can succeed here, 0 while a reason blocks it.',
      labels: { pool: keys },
    },
    async () =>
      (now()?.pools ?? []).map(({ key, canWithdraw }) => ({
        labels: { pool: key },
        value: canWithdraw ? 1 : 0,
      })),
  );
  metrics.gauge<{ pool: string[]; reason: string[] }>(
    {
      name: 'sotto_withdrawal_blocked',
      help: '1 for each reason that blocks withdrawals from the pool, whether of the pool or of the instance.',
      labels: { pool: keys, reason: [...REASON_CODES] },
    },
    async () => {
      const { reasons, pools: judged } = now() ?? { reasons: [], pools: [] };
      return judged.flatMap(({ key, reasons: own }) =>
        [...new Set([...reasons, ...own].map(({ code }) => code))].map((reason) => ({
          labels: { pool: key, reason },
          value: 1,
        })),
      );
    },
  );
  metrics.gauge<{ reason: string[] }>(
    {
      name: 'sotto_warning',
      help: '1 for each thing that is wrong and blocks no withdrawal, because something else makes up for it.',
      labels: { reason: [...REASON_CODES] },
    },
    async () => {
      const codes = (now()?.warnings ?? []).map(({ code }) => code);
      return [...new Set(codes)].map((reason) => ({ labels: { reason }, value: 1 }));
    },
  );
  flag(metrics, 'sotto_ready', '1 while this instance is ready, as `/health/ready` has it.', () =>
    valueOf(now(), () => true),
  );
  flag(metrics, 'sotto_store_writable', '1 while the store commits durably.', () =>
    valueOf(now(), ({ component }) => component === 'store'),
  );
  headMetrics(metrics, head);
}

function headMetrics(metrics: Metrics, head: VerdictSources['head']): void {
  flag(metrics, 'sotto_head_block', 'Height of the newest block that the node shows.', () => {
    const status = head.status();
    return status === null ? null : status.blockNumber;
  });
  flag(
    metrics,
    'sotto_head_age_seconds',
    'Age of that block by its timestamp, or how long no newer one has come where that is longer.',
    () => {
      const status = head.status();
      return status === null ? null : status.ageMs / 1_000;
    },
  );
}

type Reason = Verdict['reasons'][number];

/**
 * Returns 0 if the verdict contains a reason for which `counts` returns true, otherwise 1. Returns
 * null before the first check.
 */
function valueOf(verdict: Verdict | null, counts: (reason: Reason) => boolean): number | null {
  if (verdict === null) return null;
  return verdict.reasons.some(counts) ? 0 : 1;
}

function flag(
  metrics: Metrics,
  name: `sotto_${string}`,
  help: string,
  valueNow: () => number | null,
): void {
  metrics.gauge({ name, help, labels: {} }, async () => {
    const value = valueNow();
    return value === null ? [] : [{ labels: {}, value }];
  });
}
