import { Felts, feltToBigInt, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import type { CallTarget, ResourceLimits } from '@sotto/submission-core';

/**
 * Resource limits of an ERC-20 transfer or approval. Such a call is estimated to use 1 M L2 gas,
 * including the account's validation. The limit is higher for accounts of an old class, whose gas
 * is charged by steps. The L1 limits are those of withdrawals.
 */
export const TRANSFER_LIMITS: ResourceLimits = {
  l2Gas: 6_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

/**
 * Builds the call that transfers this amount of an ERC-20 token to a recipient. The amount is in
 * the token's smallest unit.
 */
export function transferCall(token: Felt, recipient: Felt, amount: bigint) {
  return {
    target: { to: token, entrypoint: TRANSFER } satisfies CallTarget,
    calldata: Felts.of([feltToBigInt(recipient), ...u256ToHalves(amount)]),
  };
}

/** Parses recipient and amount of a {@link transferCall}. Returns null for any other call. */
export function readTransferCall(
  token: Felt,
  { to, entrypoint }: CallTarget,
  calldata: Felts,
): { readonly recipient: Felt; readonly amount: bigint } | null {
  if (to !== token || entrypoint !== TRANSFER || calldata.length !== TRANSFER_FELTS) return null;
  const [low, high] = [calldata.at(1), calldata.at(2)];
  if (low >= HALF || high >= HALF) return null;
  return { recipient: calldata.feltAt(0), amount: u256FromHalves(low, high) };
}

const TRANSFER = 'transfer';
const TRANSFER_FELTS = 3;
const HALF = 1n << 128n;
