import { toFelt } from '@sotto/kernel';
import type { FeeQuote } from '@sotto/relayer-core';

export function aFeeQuote(id: string, expiresAtMs = 5_000): FeeQuote {
  const [pool, relayer] = [toFelt('0xb1'), toFelt('0xfee')];
  return {
    id,
    chainId: toFelt('0x534e5f4d41494e'),
    pool,
    relayer,
    feeAmount: 26n,
    expiresAtMs,
    operation: 'withdraw',
    leafIndex: null,
  };
}
