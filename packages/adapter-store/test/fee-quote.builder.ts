import { toFelt } from '@sotto/kernel';
import type { FeeQuote } from '@sotto/relayer-core';

export function aFeeQuote(id: string, expiresAtMs = 5_000): FeeQuote {
  return { id, chainId: toFelt('0x534e5f4d41494e'), pool: toFelt('0xb1'), relayer: toFelt('0xfee'), feeAmount: 26n, expiresAtMs };
}
