import { beforeAll, describe, expect, it } from '@jest/globals';

import { PUBLIC_INPUTS, withdrawalCalldata } from '../../src/index.js';
import { noteOf, parseNote } from '@sotto/wallet/advanced';
import {
  loadDevelopmentKeys,
  loadWithdrawalVector,
  type WithdrawalVector,
} from '../../src/node.js';
import { malleate, toSignals } from '../../src/testing/index.js';
import { verifies } from '../support/snarkjs.js';

let vector: WithdrawalVector;
beforeAll(async () => {
  vector = await loadWithdrawalVector();
});

describe('the withdrawal vector', () => {
  it('the withdrawal test vector was created with the committed keys', async () => {
    expect(vector.verificationKey).toEqual((await loadDevelopmentKeys()).verificationKey);
  });

  it('the withdrawal test vector proves the withdrawal that its fields describe', () => {
    const { nullifier, secret, commitment, nullifierHash, text } = vector.note;
    const note = noteOf(BigInt(nullifier), BigInt(secret));
    expect(parseNote(text)).toEqual(note);
    expect([String(note.commitment), String(note.nullifierHash)]).toEqual([
      commitment,
      nullifierHash,
    ]);
    expect(vector.leaves[vector.leafIndex]).toBe(commitment);
    const signals = toSignals({
      note,
      leaves: vector.leaves.map(BigInt),
      recipient: BigInt(vector.recipient),
      relayer: BigInt(vector.relayer),
      feeAmount: BigInt(vector.feeSats),
      batchStart: vector.batchStart,
      batchSize: vector.batchSize,
    });
    expect(vector.publicInputs).toEqual(PUBLIC_INPUTS.map((name) => String(signals[name])));
  });

  it('the withdrawal test vector contains a valid proof, the malleated proof, and the calldata of both proofs', async () => {
    const { proof, publicInputs, malleatedProof, verificationKey } = vector;
    const proven = { proof, publicInputs };
    expect(await verifies(proven, verificationKey)).toBe(true);
    expect(malleate(proven).proof).toEqual(malleatedProof);
    expect(await withdrawalCalldata(proven, verificationKey)).toEqual(vector.calldata);
    expect(await withdrawalCalldata(malleate(proven), verificationKey)).toEqual(
      vector.malleatedCalldata,
    );
    expect(vector.calldata).toHaveLength(2020);
  });
});
