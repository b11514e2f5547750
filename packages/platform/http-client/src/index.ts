export type { BreakerOptions } from './breaker.js';
export {
  UpstreamAnswerTooLarge,
  UpstreamAnswered,
  UpstreamPaused,
  UpstreamTimedOut,
  UpstreamUnreachable,
} from './errors.js';
export {
  createHttpClient,
  type GetRequest,
  type HttpAnswer,
  type HttpClient,
  type HttpClientOptions,
  type JsonPostRequest,
  type PostRequest,
} from './http-client.js';
export { parseAnswer, parseJson, type AnswerSchema } from './parse-answer.js';
export type { RetryOptions } from './retry.js';
export type { QueryParams } from './target-url.js';
export {
  createUpstream,
  type Upstream,
  type UpstreamErrors,
  type UpstreamSettings,
  type UpstreamTraits,
} from './upstream.js';
