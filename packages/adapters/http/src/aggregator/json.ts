/** A number as its sender wrote it, digit for digit. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/**
 * Parses a body with the numbers of one key as {@link JsonNumber}s: a float in between may change
 * their last digits. Undefined when it is no JSON.
 */
export function parseJsonExactly(text: string, key: string): unknown {
  try {
    return JSON.parse(text, (at, value: unknown, context?: { readonly source?: string }) =>
      at === key && typeof value === 'number' ? new JsonNumber(context?.source ?? '') : value,
    );
  } catch {
    return undefined;
  }
}
