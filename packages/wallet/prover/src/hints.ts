import { SCALAR_FIELD } from '@sotto/wallet/advanced';
import type * as GaragaModule from 'garaga';
import type { CurveId } from 'garaga';

import { ProverError } from './errors.js';
import { BASE_FIELD } from './fields.js';
import type { WithdrawalProof } from './snark.js';
import type { VerificationKey } from './verification-key.js';

/**
 * The functions of Garaga's module that are used here, with embedded WebAssembly or with
 * WebAssembly in a separate file.
 */
export type Garaga = Pick<typeof GaragaModule, 'CurveId' | 'getGroth16CallData'>;

/**
 * Returns the calldata with the length felt. Requires that `Garaga` has been initialised.
 * @throws ProverError PROOF_MALFORMED, CALLDATA_REFUSED
 */
export function calldataBy(
  { CurveId: Curves, getGroth16CallData }: Garaga,
  { proof, publicInputs }: WithdrawalProof,
  verificationKey: VerificationKey,
): string[] {
  const curveId = Curves.BN254;
  const garagaProof = {
    a: g1(curveId, proof.pi_a),
    b: g2(curveId, proof.pi_b),
    c: g1(curveId, proof.pi_c),
    publicInputs: publicInputs.map((input) => integerBelow(SCALAR_FIELD, input)),
    curveId,
  };
  const garagaKey = {
    alpha: g1(curveId, verificationKey.vk_alpha_1),
    beta: g2(curveId, verificationKey.vk_beta_2),
    gamma: g2(curveId, verificationKey.vk_gamma_2),
    delta: g2(curveId, verificationKey.vk_delta_2),
    ic: verificationKey.IC.map((point) => g1(curveId, point)),
  };
  const felts = hints(() => getGroth16CallData(garagaProof, garagaKey, curveId));
  return felts.map((felt) => `0x${felt.toString(16)}`);
}

/**
 * Runs Garaga. For a false statement, Garaga's WebAssembly traps without details. The instance
 * remains usable after a trap.
 */
function hints(make: () => bigint[]): bigint[] {
  try {
    return make();
  } catch (cause) {
    throw new ProverError(
      'CALLDATA_REFUSED',
      'no calldata exists: the proof does not verify under this key',
      { cause },
    );
  }
}

function g1(
  curveId: CurveId,
  [x, y]: readonly string[],
): { x: bigint; y: bigint; curveId: CurveId } {
  return { x: integerBelow(BASE_FIELD, x), y: integerBelow(BASE_FIELD, y), curveId };
}

function g2(
  curveId: CurveId,
  [x, y]: readonly (readonly string[])[],
): { x: [bigint, bigint]; y: [bigint, bigint]; curveId: CurveId } {
  return { x: extensionElement(x), y: extensionElement(y), curveId };
}

function extensionElement([real, imaginary]: readonly string[] = []): [bigint, bigint] {
  return [integerBelow(BASE_FIELD, real), integerBelow(BASE_FIELD, imaginary)];
}

function integerBelow(limit: bigint, text: string | undefined): bigint {
  if (text === undefined || !/^[0-9]{1,77}$/.test(text))
    throw new ProverError('PROOF_MALFORMED', 'expected decimal digits');
  const value = BigInt(text);
  if (value >= limit)
    throw new ProverError('PROOF_MALFORMED', 'a coordinate or public input is not below its field');
  return value;
}
