/** Number that keeps exactly the digits that its sender wrote. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/**
 * Parses a body. Numbers under the given key become {@link JsonNumber}s, because a float may change
 * their last digits. Returns undefined if the text is not JSON.
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
