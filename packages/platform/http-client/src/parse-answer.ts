/** As much of a zod schema as is used here. */
export interface AnswerSchema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] };
      };
}

/** Undefined, which no JSON parses to, for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The value as the schema reads it.
 * @throws what `malformedAt` makes of the place that is wrong; what stands there gets nowhere
 */
export function parseAnswer<T>(
  schema: AnswerSchema<T>,
  value: unknown,
  malformedAt: (at: string) => Error,
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformedAt(parsed.error.issues[0]?.path.join('.') ?? '');
}
