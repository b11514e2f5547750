import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createUpstream, type Upstream, type UpstreamSettings } from '@sotto/http-client';
import { LoopbackUpstream, type Handler } from '@sotto/http-client/testing';
import { DomainError, type DomainErrorOptions } from '@sotto/kernel';
import { failure } from '@sotto/kernel/testing';

abstract class ShopFailed extends DomainError {
  constructor(options: DomainErrorOptions) {
    super(options.message ?? 'the shop fails', options);
  }
}
class ShopTimedOut extends ShopFailed {
  readonly code = 'SHOP_TIMED_OUT';
  readonly kind = 'timeout';
}
class ShopUnavailable extends ShopFailed {
  readonly code = 'SHOP_UNAVAILABLE';
  readonly kind = 'unavailable';
}
class ShopMalformed extends ShopFailed {
  readonly code = 'SHOP_MALFORMED';
  readonly kind = 'upstream_failed';
}
const errors = { TimedOut: ShopTimedOut, Unavailable: ShopUnavailable, Malformed: ShopMalformed };

describe('createUpstream', () => {
  let server: LoopbackUpstream;
  let made: Upstream[];

  beforeEach(async () => {
    server = await LoopbackUpstream.start();
    made = [];
  });
  afterEach(async () => {
    for (const each of made) each.close();
    await server.stop();
  });

  const subject = (settings: Partial<UpstreamSettings> = {}): Upstream => {
    const traits = {
      name: 'the shop',
      timeoutMs: 200,
      maxAttempts: 2,
      maxResponseBytes: 100,
      errors,
    };
    const each = createUpstream(traits, { url: server.url, ...settings });
    made.push(each);
    return each;
  };

  it.each<[string, Handler, typeof ShopFailed, object]>([
    ['silence', () => {}, ShopTimedOut, { message: 'the shop did not answer in time' }],
    [
      'a flood',
      (to) => to.end('x'.repeat(101)),
      ShopMalformed,
      { message: 'the shop answered more than 100 bytes' },
    ],
    [
      'a broken connection',
      (to) => to.destroy(),
      ShopUnavailable,
      { details: { reason: 'ECONNRESET' } },
    ],
    [
      'a status that is no answer',
      (to) => to.writeHead(429, { 'Retry-After': '7' }).end(),
      ShopUnavailable,
      { message: 'the shop answered 429', details: { status: 429 }, retryAfterSeconds: 7 },
    ],
  ])(
    'createUpstream converts %s to an error class of the adapter',
    async (_what, handler, Class, properties) => {
      server.handler = handler;
      const shop = subject(Class === ShopTimedOut ? {} : { timeoutMs: 20_000 });
      for (const call of [
        () => shop.get({ path: 'x' }),
        () => shop.postJson({ path: 'x', body: {} }),
      ]) {
        const error = await failure(call());
        expect(error).toBeInstanceOf(Class);
        expect(error).toMatchObject({ ...properties, cause: expect.any(DomainError) });
      }
    },
  );

  it('T17: createUpstream returns no error reason that contains a key from the URL', () => {
    const shop = subject({ url: 'http://name:secret-word@127.0.0.1:1/starknet/k3y4c5u6s7t8?v=1' });
    for (const secret of ['K3Y4C5U6S7T8', 'secret-word'])
      expect(shop.reasonOf({ message: `no such key ${secret}` })).toBeUndefined();
    expect(shop.reasonOf({ message: 'starknet has no such token' })).toBe(
      'starknet has no such token',
    );
  });

  it('createUpstream pauses requests after consecutive failures', async () => {
    server.answer(500, '');
    const shop = subject({ breaker: { failures: 1, pauseMs: 60_000 } });
    await failure(shop.get({ path: 'x' }));
    const error = await failure(shop.get({ path: 'x' }));
    expect(error).toBeInstanceOf(ShopUnavailable);
    expect(error).toMatchObject({
      message: 'the shop is not called after repeated failures',
      retryAfterSeconds: 60,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('createUpstream uses the adapter’s default deadline if the settings contain no deadline', async () => {
    server.answer(503, '');
    const shop = subject({ timeoutMs: 5_000 });
    await failure(shop.get({ path: 'x' }));
    expect(server.requests).toHaveLength(2);
    await failure(subject({ timeoutMs: 5_000, retry: { maxAttempts: 1 } }).get({ path: 'x' }));
    expect(server.requests).toHaveLength(3);
    server.handler = (response) => setTimeout(() => response.end('late'), 400);
    expect(await shop.get({ path: 'x' })).toMatchObject({ text: 'late' });
    expect(await failure(subject().get({ path: 'x' }))).toBeInstanceOf(ShopTimedOut);
  });

  it('createUpstream sends requests to paths below the configured URL, with the configured headers', async () => {
    await subject({ url: `${server.url}/base`, headers: { 'X-Api-Key': 'k' } }).get({
      path: 'list',
    });
    expect(server.requests).toMatchObject([{ url: '/base/list', headers: { 'x-api-key': 'k' } }]);
  });
});
