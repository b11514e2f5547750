import { describe, expect, it } from '@jest/globals';

import { proveWithdrawal, PUBLIC_INPUTS } from '../../src/index.js';
import { MerkleTree, SCALAR_FIELD, type WithdrawalRequest } from '@sotto/wallet/advanced';
import { toSignals } from '../../src/testing/index.js';
import { aRequest, codeOf, leaves, noteAt } from '../support/builders.js';

const STARKNET_FIELD = 2n ** 251n + 17n * 2n ** 192n + 1n;
const NO_ARTEFACTS = { wasm: new Uint8Array(), zkey: new Uint8Array() };
const path = MerkleTree.of(leaves).path(4);

describe('a withdrawal request', () => {
  it('toSignals converts a withdrawal request to the circuit’s signals', () => {
    const signals = toSignals(aRequest());
    expect(PUBLIC_INPUTS.map((name) => signals[name])).toEqual([
      path.root,
      noteAt(4).nullifierHash,
      0xa11cen,
      0xbe1a7n,
      150n,
      3n,
      3n,
    ]);
    expect(signals.pathIndices).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('a withdrawal request with a Merkle path has the same signals as a request with all leaves', () => {
    const { note, recipient, relayer, feeAmount, batchStart, batchSize } = aRequest();
    expect(toSignals({ note, path, recipient, relayer, feeAmount, batchStart, batchSize })).toEqual(
      toSignals(aRequest()),
    );
  });

  it.each<[string, Partial<WithdrawalRequest>, string]>([
    ['a recipient of zero', { recipient: 0n }, 'RECIPIENT_OUT_OF_RANGE'],
    ['a negative recipient', { recipient: -1n }, 'RECIPIENT_OUT_OF_RANGE'],
    [
      'a recipient outside the Starknet field',
      { recipient: STARKNET_FIELD },
      'RECIPIENT_OUT_OF_RANGE',
    ],
    ['a relayer of zero', { relayer: 0n }, 'RELAYER_OUT_OF_RANGE'],
    ['a relayer outside the Starknet field', { relayer: STARKNET_FIELD }, 'RELAYER_OUT_OF_RANGE'],
    ['a negative fee', { feeAmount: -1n }, 'FEE_OUT_OF_RANGE'],
    ['a fee of 2^64', { feeAmount: 2n ** 64n }, 'FEE_OUT_OF_RANGE'],
    ['an empty batch', { batchSize: 0 }, 'BATCH_OUT_OF_RANGE'],
    ['a batch before the first leaf', { batchStart: -1 }, 'BATCH_OUT_OF_RANGE'],
    ['a batch beyond the last leaf', { batchStart: 1022 }, 'BATCH_OUT_OF_RANGE'],
    ['a batch at a fraction', { batchStart: 2.5 }, 'BATCH_OUT_OF_RANGE'],
    ['a batch that ends before the leaf', { batchStart: 0, batchSize: 4 }, 'LEAF_NOT_IN_BATCH'],
    ['a batch that starts after the leaf', { batchStart: 5, batchSize: 3 }, 'LEAF_NOT_IN_BATCH'],
    ['a note that is no leaf', { leaves: leaves.slice(0, 4) }, 'LEAF_UNKNOWN'],
    ['an impossible leaf', { leaves: [...leaves, 0n] }, 'LEAF_OUT_OF_RANGE'],
    ['an impossible note', { note: { ...noteAt(4), secret: SCALAR_FIELD } }, 'NOTE_OUT_OF_RANGE'],
    ['the path of another leaf', { path: MerkleTree.of(leaves).path(3) }, 'PATH_MISMATCH'],
    ['a path to another root', { path: { ...path, root: 1n } }, 'PATH_MISMATCH'],
    [
      'a path that is too short',
      { path: { ...path, siblings: path.siblings.slice(1) } },
      'PATH_MISMATCH',
    ],
    [
      'a path to a leaf beyond the tree',
      { path: { ...path, leafIndex: 1028 } },
      'LEAF_INDEX_OUT_OF_RANGE',
    ],
  ])('rejects a withdrawal request with %s, before the prover starts', async (_, change, code) => {
    expect(await codeOf(() => proveWithdrawal(aRequest(change), NO_ARTEFACTS))).toBe(code);
  });

  it('rejects a withdrawal request that contains the fee under its former name feeSats', async () => {
    const former = { ...aRequest(), ...Object({ feeAmount: undefined, feeSats: 150n }) };
    expect(await codeOf(() => proveWithdrawal(former, NO_ARTEFACTS))).toBe('FEE_OUT_OF_RANGE');
  });

  it('accepts a withdrawal request for the last leaf of the tree', () => {
    const full = Array.from({ length: 1023 }, (_, index) => BigInt(index + 1));
    const signals = toSignals(
      aRequest({
        leaves: [...full, noteAt(4).commitment],
        batchStart: 1021,
        feeAmount: 0n,
        recipient: STARKNET_FIELD - 1n,
        relayer: STARKNET_FIELD - 1n,
      }),
    );
    expect(signals).toMatchObject({
      batchStart: 1021n,
      fee: 0n,
      pathIndices: Array.from({ length: 10 }, () => 1),
    });
  });
});
