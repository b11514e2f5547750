import type { DetailsOf, ErrorCode as CatalogueCode, Retry } from '@sotto/facts';

declare const NEWER: unique symbol;

/**
 * A code of a service that is newer than this client. It is text, but not of a type that can be
 * compared: a misspelt code compiles in no comparison and no `case`.
 */
export interface NewerErrorCode {
  readonly [NEWER]: true;
  toString(): string;
}

/** The codes of the catalogue, and what may come later: a `switch` over it needs a `default`. */
export type ErrorCode = CatalogueCode | NewerErrorCode;

/** Details of an error as the catalogue declares them; any where it declares none. */
type DetailsIn<Code extends ErrorCode> = Code extends CatalogueCode
  ? DetailsOf<Code> extends infer D extends object
    ? object extends D
      ? { readonly details?: D }
      : { readonly details: D }
    : { readonly details?: Readonly<Record<string, unknown>> }
  : { readonly details?: Readonly<Record<string, unknown>> };

/** Body of every failure. A comparison of `code` narrows `details`. */
export type SottoError<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
  ? {
      /** What went wrong, for people. */
      readonly error: string;
      /** Stable; docs/reference/errors.md says what each means. */
      readonly code: Code;
      /** What to do with the request. */
      readonly retry: Retry;
      /** To name to the operator of the service. */
      readonly requestId: string;
    } & DetailsIn<Code>
  : never;

/**
 * Whether what came instead of an answer is a failure that the service itself reports, with that
 * code if one is given: `isSottoError(error, 'FEE_TOO_LOW') && error.details.required`.
 */
export function isSottoError<Code extends CatalogueCode = never>(
  error: unknown,
  code?: Code,
): error is SottoError<[Code] extends [never] ? ErrorCode : Code> {
  const body: Partial<Record<keyof SottoError, unknown>> = Object(error);
  return (
    typeof body.error === 'string' &&
    typeof body.code === 'string' &&
    typeof body.retry === 'string' &&
    (code === undefined || body.code === code)
  );
}

/** The service answered with a failure; `body.code` is stable, see docs/reference/errors.md. */
export class SottoRequestFailed extends Error {
  override readonly name = 'SottoRequestFailed';

  /** @param body undefined when whatever answered is not the service */
  constructor(
    readonly status: number,
    readonly body: SottoError | undefined,
  ) {
    super(`${String(body?.code ?? 'no error body')} (status ${status})`);
  }
}
