import type { LeverageTargetsHarness } from '@sotto/curator-core/testing/contracts';
import type { StagedStore } from './task-harness.js';

export function leverageTargetsOn({
  store,
  clock,
  open,
  close,
  stop,
}: StagedStore): LeverageTargetsHarness {
  const nowMs = 1_760_000_000_000;
  clock.set(nowMs);
  return {
    subject: store.leverageTargets,
    again: async () => (await open()).leverageTargets,
    nowMs: () => nowMs,
    breakDown: close,
    stop,
  };
}
