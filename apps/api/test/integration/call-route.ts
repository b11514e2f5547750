import { toFelt } from '@sotto/kernel';
import request, { type Response } from 'supertest';
import type { RouteDefinition } from '@sotto/routes';
import { SUBMISSION_ID, succeeded } from './answers-fixture.js';
import { testApp, type TestApp, type TestAppOptions } from './test-app.js';

const TRANSFER_ID = 'transfer-1';
const QUERIES: Readonly<Record<string, string>> = {
  '/api/relayer/pool-status': '?pool=0xaa1',
  '/api/relayer/swap-quote': '?pool=0xaa1&outputToken=0xe7',
  '/api/bridge/status': `?transaction_id=${TRANSFER_ID}`,
};

export interface RouteCall {
  /** @default no Authorization header */
  readonly authorization?: string | undefined;
  /** @default no further headers */
  readonly headers?: Readonly<Record<string, string>>;
  /** Origin of the requesting web page. @default none */
  readonly origin?: string;
  /** @default the first documented example of the route */
  readonly body?: unknown;
}

/** Creates an app in which every route succeeds for {@link callRoute}. */
export async function answeringApp(options: TestAppOptions = {}): Promise<TestApp> {
  const test = await testApp({
    swap: { swapPool: toFelt('0x59'), minSlippagePpm: 1_000, maxPriceImpactBps: 300 },
    ...options,
  });
  test.useCases.submissions.set(SUBMISSION_ID, succeeded);
  await test.useCases.operators.driver.accepted('a', { id: SUBMISSION_ID });
  test.useCases.bridge.deposit(TRANSFER_ID, '0x9c1f');
  return test;
}

/** Sends a request to the route that the route accepts. */
export function callRoute(
  { app, stopping }: TestApp,
  route: RouteDefinition,
  { authorization, origin, headers, body }: RouteCall = {},
): PromiseLike<Response> {
  const url = `${route.path.replace(':id', SUBMISSION_ID).replace(':pool', 'sentinel_1x').replace(':lane', '0x7a1e5f').replace(':task', 'curator').replace(':vault', 'turbo')}${QUERIES[route.path] ?? ''}`;
  const agent = request(app);
  const sent = (route.method === 'get' ? agent.get(url) : agent.post(url)).set({
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    ...(origin === undefined ? {} : { Origin: origin }),
    ...headers,
  });
  // The response of a stream ends only when its service stops.
  if (route.replies[200]?.contentType === 'text/event-stream')
    return sent.buffer(true).parse((response, done) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (response.headers['content-type']?.startsWith('text/event-stream') === true)
          stopping.abort();
      });
      response.once('end', () => {
        Object.assign(response, { text });
        done(null, text.startsWith('{') ? JSON.parse(text) : text);
      });
    });
  return route.body === undefined
    ? sent
    : sent.send(Object(body ?? Object.values(route.body.examples)[0]?.value));
}
