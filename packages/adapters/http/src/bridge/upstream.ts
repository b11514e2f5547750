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

/** Timeout in ms; long because the bridge first requests offers from solvers. */
const TIMEOUT_MS = 10_000;
/** Maximum size of a response in bytes, several times a list of all tokens. */
const MAX_RESPONSE_BYTES = 2 * 2 ** 20;

/** HTTP statuses of rejections whose text is read as a reason. */
export const REJECTIONS: readonly number[] = [400, 422];
export const NOT_FOUND = 404;

/** Creates the HTTP client of the bridge. Calls reject with the errors of this folder. */
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

/** @throws BridgeMalformed with the path of the invalid value, without the value */
export function parseAs<T>(schema: AnswerSchema<T>, value: unknown): T {
  return parseAnswer(schema, value, malformedAt);
}

export function malformedAt(at: string): BridgeMalformed {
  return new BridgeMalformed({
    message: 'the bridge’s answer violates its protocol',
    details: { at },
  });
}
