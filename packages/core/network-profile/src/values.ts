import { FIELD_PRIME, InvalidFelt, toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';

const CAIRO_SHORT_STRING_MAX = 31;

/** Schema of an address: a non-zero felt, as text in a setting or profile. */
export const Address = z.string('must be an address').transform((text, context): Felt => {
  const felt = feltOrNull(text);
  if (felt !== null && felt !== '0x0') return felt;
  context.addIssue({
    code: 'custom',
    message: `must be an address: hex or decimal, above 0 and below 0x${FIELD_PRIME.toString(16)}`,
  });
  return z.NEVER;
});

/**
 * Order of the Stark curve. A valid private key is lower than this number. Source: Starknet
 * documentation, STARK curve.
 */
const STARK_CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

/** Schema of a Starknet account's private key. The parsed key is in canonical form. */
export const PrivateKey = z.string('must be a private key').transform((text, context): Felt => {
  const felt = feltOrNull(text);
  if (felt !== null && felt !== '0x0' && BigInt(felt) < STARK_CURVE_ORDER) return felt;
  context.addIssue({
    code: 'custom',
    message: "must be a private key: hex or decimal, above 0 and below the curve's order",
  });
  return z.NEVER;
});

/**
 * Schema of a chain id in readable form, such as `SN_MAIN`. The id is parsed into its felt, a Cairo
 * short string.
 */
export const ChainId = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]*$/, 'must be a chain id such as SN_MAIN')
  .max(CAIRO_SHORT_STRING_MAX)
  .transform((text): Felt => toFelt(`0x${Buffer.from(text, 'latin1').toString('hex')}`));

/** Schema of a Cairo entry point's name. */
export const EntrypointName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'must be the name of an entry point')
  .max(100);

/** Schema of an amount of gas, or of a similar number that must be above zero. */
export const GasAmount = z
  .int('must be a whole number')
  .min(1, 'must be above 0')
  .max(10_000_000_000)
  .transform(BigInt);

/** Returns the canonical felt of a text; null if the text is not a felt. */
export function feltOrNull(text: string): Felt | null {
  try {
    return toFelt(text);
  } catch (error) {
    if (error instanceof InvalidFelt) return null;
    throw error;
  }
}
