import { randomBytes } from 'node:crypto';

import { foldPath, noteOf, SCALAR_FIELD, STARKNET_FIELD, TREE_DEPTH } from '@sotto/wallet/advanced';

import { toSignals, type WithdrawalSignals } from '../../src/testing/index.js';

const LEAVES = 2 ** TREE_DEPTH;

function randomBelow(limit: bigint): bigint {
  return BigInt(`0x${randomBytes(40).toString('hex')}`) % limit;
}

const randomIndex = (limit: number): number => Number(randomBelow(BigInt(limit)));

interface Values {
  readonly leafIndex: number;
  /** Returns an element of the field. */
  readonly element: () => bigint;
  readonly address: bigint;
  readonly feeAmount: bigint;
}

const LEAST: Values = { leafIndex: 0, element: () => 0n, address: 1n, feeAmount: 0n };
const GREATEST: Values = {
  leafIndex: LEAVES - 1,
  element: () => SCALAR_FIELD - 1n,
  address: STARKNET_FIELD - 1n,
  feeAmount: 2n ** 64n - 1n,
};

function randomValues(): Values {
  return {
    leafIndex: randomIndex(LEAVES),
    element: () => randomBelow(SCALAR_FIELD),
    address: 1n + randomBelow(STARKNET_FIELD - 1n),
    feeAmount: randomBelow(2n ** 64n),
  };
}

/** Returns this many random true statements. The first two are at the limits of their values. */
export function randomStatements(count: number): WithdrawalSignals[] {
  return Array.from({ length: count }, (_, index) => {
    const { leafIndex, element, address, feeAmount } = [LEAST, GREATEST][index] ?? randomValues();
    const note = noteOf(element(), element());
    const place = { leafIndex, siblings: Array.from({ length: TREE_DEPTH }, element), root: 0n };
    const batchStart = randomIndex(leafIndex + 1);
    return toSignals({
      note,
      path: { ...place, root: foldPath(note.commitment, place) },
      recipient: address,
      relayer: 1n + randomBelow(STARKNET_FIELD - 1n),
      feeAmount,
      batchStart,
      batchSize: leafIndex - batchStart + 1 + randomIndex(LEAVES - leafIndex),
    });
  });
}
