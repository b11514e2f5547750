/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object; undefined members are omitted. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** Parses JSON; returns undefined, which no JSON parses to, for invalid text. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
