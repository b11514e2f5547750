/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object; members that are undefined are left out. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** Undefined, which no JSON parses to, for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
