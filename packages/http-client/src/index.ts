export { UpstreamAnswerTooLarge, UpstreamAnswered, UpstreamTimedOut, UpstreamUnreachable } from './errors.js';
export { createHttpClient, type HttpClient, type HttpClientOptions, type PostRequest } from './http-client.js';
