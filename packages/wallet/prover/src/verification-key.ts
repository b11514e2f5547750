import { ProverError } from './errors.js';

/**
 * Groth16 verification key over BN254, in snarkjs' form. Points are projective, coordinates are
 * decimal strings.
 */
export interface VerificationKey {
  readonly protocol: 'groth16';
  readonly curve: 'bn128';
  readonly nPublic: number;
  readonly vk_alpha_1: string[];
  readonly vk_beta_2: string[][];
  readonly vk_gamma_2: string[][];
  readonly vk_delta_2: string[][];
  readonly IC: string[][];
}

/**
 * Parses a verification key exported by snarkjs and drops unused fields. Does not check that the
 * points are on the curve; the verifier checks this.
 * @throws ProverError VERIFICATION_KEY_MALFORMED, with the name of the field
 */
export function parseVerificationKey(value: unknown): VerificationKey {
  if (!isRecord(value)) throw malformed('the key');
  if (value['protocol'] !== 'groth16') throw malformed('protocol');
  if (value['curve'] !== 'bn128') throw malformed('curve');
  const nPublic = value['nPublic'];
  const ic = value['IC'];
  if (typeof nPublic !== 'number' || !Number.isInteger(nPublic) || nPublic < 0)
    throw malformed('nPublic');
  if (!Array.isArray(ic) || ic.length !== nPublic + 1) throw malformed('IC');
  return {
    protocol: 'groth16',
    curve: 'bn128',
    nPublic,
    vk_alpha_1: coordinates(value['vk_alpha_1'], 'vk_alpha_1', 3),
    vk_beta_2: pairs(value['vk_beta_2'], 'vk_beta_2'),
    vk_gamma_2: pairs(value['vk_gamma_2'], 'vk_gamma_2'),
    vk_delta_2: pairs(value['vk_delta_2'], 'vk_delta_2'),
    IC: ic.map((point: unknown) => coordinates(point, 'IC', 3)),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function coordinates(value: unknown, field: string, count: number): string[] {
  if (!Array.isArray(value) || value.length !== count) throw malformed(field);
  return value.map((coordinate: unknown) => {
    if (typeof coordinate !== 'string' || !/^[0-9]{1,77}$/.test(coordinate)) throw malformed(field);
    return coordinate;
  });
}

function pairs(value: unknown, field: string): string[][] {
  if (!Array.isArray(value) || value.length !== 3) throw malformed(field);
  return value.map((pair: unknown) => coordinates(pair, field, 2));
}

function malformed(field: string): ProverError {
  return new ProverError(
    'VERIFICATION_KEY_MALFORMED',
    `not a Groth16 verification key over BN254: ${field}`,
  );
}
