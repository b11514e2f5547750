import type { components } from './openapi.js';

/** Body of every failure. */
export type SottoError = components['schemas']['Error'];

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
