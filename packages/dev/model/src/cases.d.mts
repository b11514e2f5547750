type Options = Record<string, unknown>;
/**
 * Name, options, search options. `breaks` in the search options names the properties that the
 * design must break; all others must hold.
 */
type Design = readonly [string, Options, (Record<string, unknown> & { breaks?: string })?];

export const designs: readonly Design[];
export const lanes: readonly Design[];
export const rollback: readonly Design[];
export const moved: readonly Design[];
export const lost: readonly Design[];
export const copies: readonly Design[];
/** Id, description, options, the property that it breaks, search options. */
export const variants: readonly (readonly [
  string,
  string,
  Options,
  string,
  Record<string, unknown>?,
])[];
