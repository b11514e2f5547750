import { Fault, type FaultKind, type FaultOptions } from './errors.js';

/** What the service says about a code: docs/reference/errors.md is made from these. */
export interface FaultEntry<Code extends string = string, Kind extends FaultKind = FaultKind> {
  readonly code: Code;
  readonly kind: Kind;
  /**
   * One sentence: also the message of every error of this class, so that nothing from a request can
   * get into it.
   */
  readonly meaning: string;
  /** What the caller can do about it. */
  readonly remedy: string;
}

/** A class of faults that carries its own catalogue entry in static fields. */
export interface CataloguedFault<
  Code extends string = string,
  Kind extends FaultKind = FaultKind,
> extends FaultEntry<Code, Kind> {
  new (options?: FaultOptions): Fault & { readonly code: Code; readonly kind: Kind };
}

/**
 * The base class of one entry: `class PoolClosed extends catalogued({ code: 'POOL_CLOSED', … })
 * {}`.
 */
export function catalogued<const Code extends string, const Kind extends FaultKind>(
  entry: FaultEntry<Code, Kind>,
): CataloguedFault<Code, Kind> {
  return class extends Fault {
    static readonly code = entry.code;
    static readonly kind = entry.kind;
    static readonly meaning = entry.meaning;
    static readonly remedy = entry.remedy;
    readonly code = entry.code;
    readonly kind = entry.kind;

    constructor(options?: FaultOptions) {
      super(entry.meaning, options);
    }
  };
}
