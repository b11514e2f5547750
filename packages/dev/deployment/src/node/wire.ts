import { z } from 'zod';

/** Schema of a felt or number in the format of nodes. */
export const Integer = z
  .string()
  .regex(/^0x[0-9a-f]+$/i, 'expected 0x-prefixed hex')
  .transform(BigInt);

export const Integers = z.array(Integer);
