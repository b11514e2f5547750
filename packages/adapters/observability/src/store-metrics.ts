import type { StoreHealth } from '@sotto/submission-core';
import type { Metrics } from '@sotto/telemetry';

/**
 * Components of the store whose sizes are exposed. Tables are not included: they differ by
 * database, and the database's own tools report their sizes.
 */
const STORE_PARTS = ['database', 'log', 'free', 'disk_free'] as const;

/** Exposes the size of the store, and the free space of its disk. */
export function storeMetrics(metrics: Metrics, health: Pick<StoreHealth, 'size'>): void {
  metrics.gauge<{ kind: string[] }>(
    {
      name: 'sotto_store_bytes',
      help: 'Bytes of the database, of its log, of the unused space in the database, and of the free space on its disk.',
      labels: { kind: [...STORE_PARTS] },
    },
    async () =>
      (await health.size()).flatMap(({ kind, bytes }) =>
        STORE_PARTS.some((part) => part === kind) ? [{ labels: { kind }, value: bytes }] : [],
      ),
  );
}
