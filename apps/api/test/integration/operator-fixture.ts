import { toFelt } from '@sotto/kernel';
import type { SignedServiceStatus } from '@sotto/relayer-core';
import { EXAMPLE_POOL } from '@sotto/routes';

const LANE = toFelt('0x7a1e5f');

const asOf = 1_800_000_000;
export const signedStatus: SignedServiceStatus = {
  status: {
    version: 1,
    chainId: toFelt('0x534e5f4d41494e'),
    relayer: LANE,
    issuedAt: asOf,
    build: { version: '0.1.0', commit: '0123abc' },
    pools: [
      {
        key: 'sentinel_1x',
        address: toFelt(EXAMPLE_POOL),
        token: 'WBTC',
        fee: { value: '166', asOf },
        accepting: { value: false, asOf },
        pausedFor: 'operator',
        reason: 'upgrade',
      },
    ],
    capacity: { value: true, asOf },
    success: { percent: 95, windowSeconds: 86_400, asOf },
    inclusion: { p50Seconds: 10, p95Seconds: null, windowSeconds: 86_400, asOf },
  },
  signer: LANE,
  signature: [toFelt('0x1'), toFelt('0x2')],
};
