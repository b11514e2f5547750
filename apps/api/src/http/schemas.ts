import { z } from 'zod';

/** Body of every failure, on every route. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'What went wrong, for people.' }),
    code: z.string().meta({ description: 'Stable code, for programs; docs/errors.md lists them.', example: 'POOL_NOT_SUPPORTED' }),
    requestId: z.string().meta({ description: 'Also in the X-Request-Id header.' }),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' });

/** Longest felt text: 77 decimal digits, or 0x and 64 hex digits. */
const MAX_FELT_TEXT = 77;

/** Text of a felt, not yet checked for its value: that happens once, where it becomes a domain value. */
export const FeltText = z.string().max(MAX_FELT_TEXT).meta({
  id: 'Felt252',
  description: 'Field element below 2^251 + 17·2^192 + 1: 0x hex (any case, leading zeros) or decimal.',
  example: '0x1a2b',
});
