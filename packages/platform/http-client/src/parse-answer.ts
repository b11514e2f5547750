/** The part of a zod schema that the parse functions use. */
export interface AnswerSchema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] };
      };
}

/**
 * Parses JSON. Returns undefined for text that is not JSON; no JSON text has the value undefined.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the value as parsed by the schema.
 * @throws the error that `malformedAt` creates for the path of the first invalid value; the value
 *   itself is not passed
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

/** Callback that receives the path of each skipped element, but no value of the response. */
export type LeaveOut = (at: string) => void;

/**
 * Parses each element of a list separately. Skips unusable elements and returns the usable
 * elements.
 * @throws the error that `malformedAt` creates for the first unusable element, if the list has
 *   elements and all are unusable
 */
export function parseEach<T>(
  schema: AnswerSchema<T>,
  values: readonly unknown[],
  { leaveOut, malformedAt }: { leaveOut: LeaveOut; malformedAt: (at: string) => Error },
): readonly T[] {
  const parsed = values.map((value) => schema.safeParse(value));
  const usable = parsed.flatMap((result) => (result.success ? [result.data] : []));
  const places = parsed.flatMap((result, index) =>
    result.success ? [] : [{ index, at: result.error.issues[0]?.path.join('.') ?? '' }],
  );
  const [first] = places;
  if (first !== undefined && usable.length === 0)
    throw malformedAt([first.index, first.at].filter((part) => part !== '').join('.'));
  for (const { at } of places) leaveOut(at);
  return usable;
}

/**
 * Returns null for null, `{ value: null }` and undefined, because partners send any of the three
 * for a missing value. All other values are returned unchanged.
 */
export function absentAsNull(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const isEmpty = typeof value === 'object' && 'value' in value && (value.value ?? null) === null;
  return isEmpty ? null : value;
}
