import { FIELD_PRIME, InvalidFelt, toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';

/**
 * Order of the Stark curve; private keys are below it. Source: Starknet documentation, STARK curve.
 */
const STARK_CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;
const CAIRO_SHORT_STRING_MAX = 31;

/** A felt that is not zero, as text in a setting or profile. */
export const Address = z.string('must be an address').transform((text, context): Felt => {
  const felt = feltOrNull(text);
  if (felt !== null && felt !== '0x0') return felt;
  context.addIssue({
    code: 'custom',
    message: `must be an address: hex or decimal, above 0 and below 0x${FIELD_PRIME.toString(16)}`,
  });
  return z.NEVER;
});

/** A private key of a Starknet account, in canonical form. */
export const PrivateKey = z.string('must be a private key').transform((text, context): Felt => {
  const felt = feltOrNull(text);
  if (felt !== null && felt !== '0x0' && BigInt(felt) < STARK_CURVE_ORDER) return felt;
  context.addIssue({
    code: 'custom',
    message: "must be a private key: hex or decimal, above 0 and below the curve's order",
  });
  return z.NEVER;
});

/** A chain id as people write it, such as `SN_MAIN`; parsed into its felt, a Cairo short string. */
export const ChainId = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]*$/, 'must be a chain id such as SN_MAIN')
  .max(CAIRO_SHORT_STRING_MAX)
  .transform((text): Felt => toFelt(`0x${Buffer.from(text, 'latin1').toString('hex')}`));

/** Name of a Cairo entry point. */
export const EntrypointName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'must be the name of an entry point')
  .max(100);

/** Whole number between the bounds, written in decimal digits. */
export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Whole number above zero of any size that a u128 holds. */
export const PositiveBigInt = z
  .string()
  .regex(/^[1-9]\d{0,37}$/, 'must be a whole number above 0')
  .transform(BigInt);

/** A count of gas or the like in a profile, above zero. */
export const GasAmount = z
  .int('must be a whole number')
  .min(1, 'must be above 0')
  .max(10_000_000_000)
  .transform(BigInt);

/** `true` or `false`. */
export const Flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true');

/** The canonical felt that a text stands for, or null. */
export function feltOrNull(text: string): Felt | null {
  try {
    return toFelt(text);
  } catch (error) {
    if (error instanceof InvalidFelt) return null;
    throw error;
  }
}

/** Origins of web pages, separated by commas, such as `https://app.example`. */
export const Origins = z.string().transform((text, context): readonly string[] => {
  const origins = text.split(',').map((origin) => origin.trim());
  if (origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin))
    return origins;
  context.addIssue({
    code: 'custom',
    message: 'must be origins separated by commas, such as https://app.example, without a path',
  });
  return z.NEVER;
});
