import type { Felt } from '@sotto/kernel';
import { feltOrNull } from '@sotto/network-profile';
import { z } from 'zod';

/**
 * Order of the Stark curve; private keys are below it. Source: Starknet documentation, STARK curve.
 */
const STARK_CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

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

/** `true` or `false`. */
export const Flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true');

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
