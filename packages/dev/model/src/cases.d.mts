type Options = Record<string, unknown>;
/**
 * Name, options and search options of a design. `breaks` in the search options lists the properties
 * that the design must break. All other properties must hold.
 */
type Design = readonly [string, Options, (Record<string, unknown> & { breaks?: string })?];

export const designs: readonly Design[];
export const lanes: readonly Design[];
export const rollback: readonly Design[];
export const moved: readonly Design[];
export const lost: readonly Design[];
export const copies: readonly Design[];
/** Id, description and options of a variant, the property that it breaks, and search options. */
export const variants: readonly (readonly [
  string,
  string,
  Options,
  string,
  Record<string, unknown>?,
])[];
