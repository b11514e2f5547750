import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './openapi.js';
import { repeating, type RepeatOptions } from './repeat.js';

/** Client whose paths, parameters and replies have the types of the service's OpenAPI document. */
export type SottoClient = Client<paths>;

export interface SottoClientOptions extends RepeatOptions {
  /** Base URL of the service, such as `https://relayer.example`. */
  readonly baseUrl: string;
  /** Function that sends requests. @default the platform's `fetch` at the time of the request */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Creates a typed client of one service. Every call resolves to `{ data, response }` or `{ error,
 * response }`, where `error` is the body of the failure. Calls reject only if there is no reply or
 * the reply is not JSON. Requests that are safe to repeat (reads, and the POSTs listed in the
 * README) are sent again if there is no reply, or if the reply allows a retry.
 */
export function createSottoClient({
  baseUrl,
  fetch = (request) => globalThis.fetch(request),
  ...options
}: SottoClientOptions): SottoClient {
  return createClient<paths>({ baseUrl, fetch: repeating(fetch, options) });
}
