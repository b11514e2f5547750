/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** JSON object. Members with the value undefined are omitted. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/**
 * Parses JSON text. Returns undefined for invalid text, which is distinct from every JSON value.
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
