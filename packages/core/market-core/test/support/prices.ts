import type { PriceObservation } from '../../src/index.js';

export const NOW_MS = 1_760_000_000_000;

export const PRICES: readonly PriceObservation[] = [
  { asset: 'STRK', usdE8: 4_300_000n, observedAtMs: NOW_MS - 60_000 },
  { asset: 'WBTC', usdE8: 6_000_000_000_000n, observedAtMs: NOW_MS - 60_000 },
];
