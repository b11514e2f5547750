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

/** Receives the place of each element that is left out; no value of the answer. */
export type LeaveOut = (at: string) => void;

/**
 * Parses each element of a list by itself: an unusable element is left out and costs no other one.
 * @throws what `malformedAt` makes of the first unusable element if the list has elements and none
 *   is usable
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

/** Null for null, `{ value: null }` and an absent value, which partners use for the same thing. */
export function absentAsNull(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const isEmpty = typeof value === 'object' && 'value' in value && (value.value ?? null) === null;
  return isEmpty ? null : value;
}
