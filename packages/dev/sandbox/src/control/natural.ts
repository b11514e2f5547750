import { z } from 'zod';

/** Non-negative number in a control request: 0x hex, decimal text, or a JSON integer. */
export const Natural = z
  .union([z.string().regex(/^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/), z.int().nonnegative()])
  .transform(BigInt);
