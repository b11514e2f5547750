import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './openapi.js';
import { repeating, type RepeatOptions } from './repeat.js';

/**
 * A client whose paths, parameters and answers have the types of the service's OpenAPI document.
 */
export type SottoClient = Client<paths>;

export interface SottoClientOptions extends RepeatOptions {
  /** Where the service is, such as `https://relayer.example`. */
  readonly baseUrl: string;
  /** @default the platform's, as it is when a request is made */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A typed client of one service. Every call resolves to `{ data, response }` or `{ error, response
 * }`, where `error` is the body of the failure, and rejects only when there is no answer or one
 * that is no JSON. What is safe to send twice (reads, and the POSTs of a wallet) is sent again
 * while there is no answer, or one that says that it may help.
 */
export function createSottoClient({
  baseUrl,
  fetch = (request) => globalThis.fetch(request),
  ...options
}: SottoClientOptions): SottoClient {
  return createClient<paths>({ baseUrl, fetch: repeating(fetch, options) });
}
