/** Id, what it does, options, the property that it breaks, search options. */
export const variants: readonly (readonly [string, string, Record<string, unknown>, string, Record<string, unknown>?])[];
