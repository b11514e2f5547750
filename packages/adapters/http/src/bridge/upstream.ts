import {
  createUpstream,
  parseAnswer,
  type AnswerSchema,
  type Upstream,
  type UpstreamSettings,
} from '@sotto/http-client';
import {
  BridgeMalformed,
  BridgeTimedOut,
  BridgeUnauthorized,
  BridgeUnavailable,
} from './errors.js';

/** Solvers are asked for offers meanwhile. */
const TIMEOUT_MS = 10_000;
/** Some times a list of all tokens. */
const MAX_RESPONSE_BYTES = 2 * 2 ** 20;

/** Refusals of which the reason is read. */
export const REFUSALS: readonly number[] = [400, 422];
export const NOT_FOUND = 404;

/** Calls reject with the errors of this package. */
export function connect(settings: UpstreamSettings): Upstream {
  const errors = {
    TimedOut: BridgeTimedOut,
    Unavailable: BridgeUnavailable,
    Malformed: BridgeMalformed,
    Unauthorized: BridgeUnauthorized,
  };
  const traits = {
    name: 'the bridge',
    timeoutMs: TIMEOUT_MS,
    maxAttempts: 3,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    errors,
  };
  return createUpstream(traits, settings);
}

/** @throws BridgeMalformed saying only where the value is wrong, not what stands there */
export function parseAs<T>(schema: AnswerSchema<T>, value: unknown): T {
  return parseAnswer(schema, value, malformedAt);
}

export function malformedAt(at: string): BridgeMalformed {
  return new BridgeMalformed({
    message: 'the bridge answers what its protocol does not allow',
    details: { at },
  });
}
