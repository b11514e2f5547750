import type { DetailsOf, ErrorCode as CatalogueCode, Retry } from '@sotto/facts';

declare const NEWER: unique symbol;

/**
 * Error code that this client does not know, because the service is newer. The code is a text at
 * run time, but its type can't be compared with a literal. A misspelt code in a comparison or a
 * `case` therefore does not compile.
 */
export interface NewerErrorCode {
  readonly [NEWER]: true;
  toString(): string;
}

/**
 * Codes of the catalogue and codes of later releases. A `switch` over an error code needs a
 * `default`.
 */
export type ErrorCode = CatalogueCode | NewerErrorCode;

/**
 * Details of an error as the catalogue declares them; any details if the catalogue declares none.
 */
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
      /** Description of the error for people. */
      readonly error: string;
      /** Stable code of the error; docs/reference/errors.md explains each code. */
      readonly code: Code;
      /** Advice on whether and how to send the request again. */
      readonly retry: Retry;
      /** Unix time in seconds at which the request may be sent again, if known. */
      readonly retryAt?: number;
      /** Id of the request, for the operator of the service. */
      readonly requestId: string;
    } & DetailsIn<Code>
  : never;

/**
 * Returns true if the value is a failure that the service itself reported. If a code is supplied,
 * the failure must have this code: `isSottoError(error, 'FEE_TOO_LOW') && error.details.required`.
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

/**
 * Error that is thrown if the service reports a failure. `body.code` is stable; see
 * docs/reference/errors.md.
 */
export class SottoRequestFailed extends Error {
  override readonly name = 'SottoRequestFailed';

  /** @param body body of the failure; undefined if the reply did not come from the service */
  constructor(
    readonly status: number,
    readonly body: SottoError | undefined,
  ) {
    super(`${String(body?.code ?? 'no error body')} (status ${status})`);
  }
}
