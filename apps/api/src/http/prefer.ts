import { z } from 'zod';

/** The `Prefer` header of routes that can answer before the outcome is known. */
export const PreferHeader = z.object({
  prefer: z.string().optional().meta({
    description:
      '`respond-async`: answer 202 as soon as the request is accepted, instead of waiting for its outcome.',
    example: 'respond-async',
  }),
});

/** RFC 7240: preferences are separated by commas, their names are case-insensitive. */
export function prefersAsync({ prefer = '' }: z.output<typeof PreferHeader>): boolean {
  return prefer
    .split(',')
    .some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}
