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
export {
  absentAsNull,
  parseAnswer,
  parseEach,
  parseJson,
  type AnswerSchema,
  type LeaveOut,
} from './parse-answer.js';
export { PartnerFindings, type PartnerFinding } from './partner-findings.js';
export type { RetryOptions } from './retry.js';
export { partnerText, statedReason, statedTexts } from './stated-reason.js';
export type { QueryParams } from './target-url.js';
export {
  createUpstream,
  type Upstream,
  type UpstreamErrors,
  type UpstreamSettings,
  type UpstreamTraits,
} from './upstream.js';
