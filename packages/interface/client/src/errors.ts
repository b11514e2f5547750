import type { ErrorCode } from '@sotto/facts';
import type { components } from './openapi.js';

/** Body of every failure. Services that are newer than this client may have codes of their own. */
export type SottoError = Omit<components['schemas']['Error'], 'code'> & {
  readonly code: ErrorCode | (string & Record<never, never>);
};

/** The service answered with a failure; `body.code` is stable, see docs/reference/errors.md. */
export class SottoRequestFailed extends Error {
  override readonly name = 'SottoRequestFailed';

  /** @param body undefined when whatever answered is not the service */
  constructor(
    readonly status: number,
    readonly body: SottoError | undefined,
  ) {
    super(`${body?.code ?? 'no error body'} (status ${status})`);
  }
}
