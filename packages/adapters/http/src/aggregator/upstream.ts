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

/** Some tens of times what a long list of quotes takes. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20;

/** Calls reject with the errors of this package. `name` is what messages call the upstream. */
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

/** @throws AggregatorMalformed saying only where the value is wrong, not what stands there */
export function parseAs<T>(schema: AnswerSchema<T>, value: unknown): T {
  return parseAnswer(schema, value, malformedAt);
}

export function malformedAt(at: string): AggregatorMalformed {
  return new AggregatorMalformed({
    message: 'the aggregator answers what its protocol does not allow',
    details: { at },
  });
}
