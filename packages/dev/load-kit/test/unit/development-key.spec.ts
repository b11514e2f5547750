import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createPairingCheck, parseVerificationKey } from '@sotto/groth16';
import { readProofCalldata } from '@sotto/groth16/layout';
import { Felts } from '@sotto/kernel';
import { forgeUnderDevelopmentKey } from '../../src/index.js';

const developmentKey = JSON.parse(
  readFileSync(
    new URL('../../../../wallet/prover/keys/verification_key.json', import.meta.url),
    'utf8',
  ),
);
const signals = {
  root: 2n ** 253n,
  nullifierHash: 2n,
  recipient: 2n ** 250n,
  relayer: 4n,
  fee: 0n,
  batchStart: 6n,
  batchSize: 7n,
};

describe('a proof that is forged under the committed development key', () => {
  it('a proof that was forged with the committed development key is valid only for its own public inputs', async () => {
    const forged = forgeUnderDevelopmentKey(developmentKey, signals);
    const { proof } = readProofCalldata(Felts.of(forged.map(BigInt)));
    expect(proof.publicInputs).toEqual(Object.values(signals));
    const holds = await createPairingCheck(parseVerificationKey(developmentKey));
    expect(holds(proof)).toBe(true);
    expect(holds({ ...proof, publicInputs: proof.publicInputs.with(4, 1n) })).toBe(false);
  });
});
