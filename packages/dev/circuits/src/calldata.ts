import type { CurveId } from 'garaga';

import { CircuitError } from './errors.js';
import { BASE_FIELD, SCALAR_FIELD } from './fields.js';
import type { WithdrawalProof } from './proof.js';
import type { VerificationKey } from './verification-key.js';

export interface CalldataOptions {
  /**
   * Whether the first felt is the length of the rest, as the pool's `withdraw(Span<felt252>)` takes
   * it.
   * @default true
   */
  readonly lengthPrefix?: boolean;
}

/**
 * The proof with Garaga's hints for the verifier on Starknet, as lower-case 0x hex: 2,020 felts
 * with the length prefix. The same proof always gives the same felts.
 * @throws CircuitError PROOF_MALFORMED when proof or key hold no field elements, CALLDATA_REFUSED
 *   when the proof does not verify under the key (hints exist for true statements only).
 */
export async function withdrawalCalldata(
  { proof, publicInputs }: WithdrawalProof,
  verificationKey: VerificationKey,
  { lengthPrefix = true }: CalldataOptions = {},
): Promise<string[]> {
  // Two megabytes that only provers need.
  const { CurveId: Curves, getGroth16CallData, init } = await import('garaga');
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
  await init();
  const felts = hints(() => getGroth16CallData(garagaProof, garagaKey, curveId));
  return (lengthPrefix ? felts : felts.slice(1)).map((felt) => `0x${felt.toString(16)}`);
}

/**
 * Garaga's wasm answers a false statement with a trap that says nothing; the instance works on
 * afterwards.
 */
function hints(make: () => bigint[]): bigint[] {
  try {
    return make();
  } catch (cause) {
    throw new CircuitError(
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
    throw new CircuitError('PROOF_MALFORMED', 'expected decimal digits');
  const value = BigInt(text);
  if (value >= limit)
    throw new CircuitError(
      'PROOF_MALFORMED',
      'a coordinate or public input is not below its field',
    );
  return value;
}
