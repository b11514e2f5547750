import type {
  AlertStoreHarness,
  DeliveryStoreHarness,
} from '@sotto/webhook-core/testing/contracts';
import type { OpenedStore } from '../../src/index.js';
import type { SharedClock } from './staged-clock.js';

/** Store for the contract tests of the webhooks' ports. */
export interface StagedStore {
  readonly store: OpenedStore;
  readonly clock: SharedClock;
  readonly open: () => Promise<OpenedStore>;
  readonly close: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const NOW_MS = 1_760_000_000_000;

function harnessOf<Store>(
  { store, clock, open, close, stop }: StagedStore,
  of: (store: OpenedStore) => Store,
) {
  let nowMs = NOW_MS;
  clock.set(nowMs);
  return {
    subject: of(store),
    reopen: async () => of(await open()),
    pass(ms: number): void {
      nowMs += ms;
      clock.set(nowMs);
    },
    breakDown: close,
    stop,
  };
}

export const deliveryStoreOn = (staged: StagedStore): DeliveryStoreHarness =>
  harnessOf(staged, ({ webhookDeliveries }) => webhookDeliveries);

export const alertStoreOn = (staged: StagedStore): AlertStoreHarness =>
  harnessOf(staged, ({ webhookAlerts }) => webhookAlerts);
