import { DomainError, type ErrorKind, type DomainErrorOptions } from './errors.js';

/** What the service says about a code: docs/reference/errors.md is made from these. */
export interface ErrorEntry<Code extends string = string, Kind extends ErrorKind = ErrorKind> {
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

/** A class of errors that carries its own catalogue entry in static fields. */
export interface CataloguedError<
  Code extends string = string,
  Kind extends ErrorKind = ErrorKind,
> extends ErrorEntry<Code, Kind> {
  new (options?: DomainErrorOptions): DomainError & { readonly code: Code; readonly kind: Kind };
}

/**
 * The base class of one entry: `class PoolClosed extends catalogued({ code: 'POOL_CLOSED', … })
 * {}`.
 */
export function catalogued<const Code extends string, const Kind extends ErrorKind>(
  entry: ErrorEntry<Code, Kind>,
): CataloguedError<Code, Kind> {
  return class extends DomainError {
    static readonly code = entry.code;
    static readonly kind = entry.kind;
    static readonly meaning = entry.meaning;
    static readonly remedy = entry.remedy;
    readonly code = entry.code;
    readonly kind = entry.kind;

    constructor(options?: DomainErrorOptions) {
      super(entry.meaning, options);
    }
  };
}
