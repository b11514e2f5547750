import {
  createUpstream,
  parseAnswer,
  type AnswerSchema,
  type Upstream,
  type UpstreamSettings,
} from '@sotto/http-client';
import {
  AggregatorMalformed,
  AggregatorTimedOut,
  AggregatorUnauthorized,
  AggregatorUnavailable,
} from './errors.js';

/** Maximum size of a response in bytes, some tens of times the size of a long list of quotes. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20;

/**
 * Creates the HTTP client of an upstream. Calls reject with the errors of this folder. Messages
 * contain `name` as the upstream's name.
 */
export function connect(name: string, settings: UpstreamSettings): Upstream {
  const errors = {
    TimedOut: AggregatorTimedOut,
    Unavailable: AggregatorUnavailable,
    Malformed: AggregatorMalformed,
    Unauthorized: AggregatorUnauthorized,
  };
  return createUpstream(
    {
      name,
      timeoutMs: 5_000,
      maxAttempts: 3,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      errors: errors,
    },
    settings,
  );
}

/** @throws AggregatorMalformed with the path of the invalid value, without the value */
export function parseAs<T>(schema: AnswerSchema<T>, value: unknown): T {
  return parseAnswer(schema, value, malformedAt);
}

export function malformedAt(at: string): AggregatorMalformed {
  return new AggregatorMalformed({
    message: 'the aggregator’s answer violates its protocol',
    details: { at },
  });
}
