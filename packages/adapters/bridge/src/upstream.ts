import {
  createUpstream,
  parseAnswer,
  type AnswerSchema,
  type Upstream,
  type UpstreamSettings,
} from '@sotto/http-client';
import type { BridgeCounters } from '@sotto/bridge-core';
import {
  BridgeAccessDenied,
  BridgeMalformed,
  BridgeTimedOut,
  BridgeUnavailable,
} from './errors.js';

/** Solvers are asked for offers meanwhile. */
const TIMEOUT_MS = 10_000;
/** Some times a list of all tokens. */
const MAX_RESPONSE_BYTES = 2 * 2 ** 20;

/** Refusals of which the reason is read. */
export const REFUSALS: readonly number[] = [400, 422];
export const NOT_FOUND = 404;

/** Answers to credentials that the bridge does not accept. */
const DENIED: readonly unknown[] = [401, 403];

/** Calls reject with the errors of this package. Refused credentials are counted. */
export function connect(settings: UpstreamSettings, counters: BridgeCounters): Upstream {
  const errors = {
    TimedOut: BridgeTimedOut,
    Unavailable: BridgeUnavailable,
    Malformed: BridgeMalformed,
  };
  const traits = {
    name: 'the bridge',
    timeoutMs: TIMEOUT_MS,
    maxAttempts: 3,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    errors,
  };
  const http = createUpstream(traits, settings);
  const judged = async <T>(exchange: Promise<T>): Promise<T> => {
    try {
      return await exchange;
    } catch (error) {
      if (!(error instanceof BridgeUnavailable) || !DENIED.includes(error.details['status']))
        throw error;
      counters.add('access_denied');
      const { message, details } = error;
      throw new BridgeAccessDenied({ message, details, cause: error });
    }
  };
  return {
    get: async (request) => judged(http.get(request)),
    postJson: async (request) => judged(http.postJson(request)),
    close: () => http.close(),
  };
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
