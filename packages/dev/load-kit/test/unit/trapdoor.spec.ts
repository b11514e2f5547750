import { describe, expect, it } from '@jest/globals';
import { createPairingCheck, parseVerificationKey } from '@sotto/groth16';
import { readProofCalldata } from '@sotto/groth16/layout';
import { Felts } from '@sotto/kernel';
import { forgedCalldata, trapdoorKey } from '../../src/index.js';

const signals = {
  root: 1n,
  nullifierHash: 2n,
  recipient: 3n,
  relayer: 4n,
  fee: 5n,
  batchStart: 6n,
  batchSize: 7n,
};

describe('a forged proof', () => {
  it.each([signals, { ...signals, nullifierHash: 2n ** 253n, recipient: 2n ** 250n, fee: 0n }])(
    'a proof that was forged with the trapdoor key is valid only for its own public inputs',
    async (stated) => {
      const { proof } = readProofCalldata(Felts.of(forgedCalldata(stated).map(BigInt)));
      expect(proof.publicInputs).toEqual(Object.values(stated));
      const holds = await createPairingCheck(parseVerificationKey(trapdoorKey));
      expect(holds(proof)).toBe(true);
      expect(holds({ ...proof, publicInputs: proof.publicInputs.with(4, 6n) })).toBe(false);
    },
  );
});
