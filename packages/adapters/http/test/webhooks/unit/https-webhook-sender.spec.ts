import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@sotto/kernel';
import { SigningKey, type SendResult } from '@sotto/webhook-core';
import { Webhook } from 'standardwebhooks';
import { HttpsWebhookSender, type WebhookSenderOptions } from '../../../src/webhooks/index.js';
import { receiver, type Receiver } from '../support/receiver.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const MESSAGE = { id: 'msg_a.1', body: '{"id":"s1","state":"succeeded","hash":"0x1"}' };

function senderTo(url: string, options: Partial<WebhookSenderOptions> = {}): HttpsWebhookSender {
  const key = SigningKey.parse(SECRET);
  if (key === null) throw new Error('it is no key');
  return new HttpsWebhookSender({
    targets: new Map([['shop', { url: () => new URL(url), keys: [key] }]]),
    allowPrivate: true,
    clock: systemClock,
    ...options,
  });
}

const send = (sender: HttpsWebhookSender, signal = new AbortController().signal) =>
  sender.send('shop', MESSAGE, signal);

/** Sends the head of a response byte by byte and never ends it. */
const dripping: RequestListener = ({ socket }) => {
  const timer = setInterval(() => socket.write('H'), 5);
  socket.on('close', () => clearInterval(timer)).on('error', () => {});
};

describe('HttpsWebhookSender', () => {
  const receivers: Receiver[] = [];
  afterEach(async () => {
    for (const each of receivers.splice(0)) await each.stop();
  });

  const start = async (answer: RequestListener): Promise<Receiver> => {
    const started = await receiver(answer);
    receivers.push(started);
    return started;
  };
  const sendTo = async (answer: RequestListener, options: Partial<WebhookSenderOptions> = {}) => {
    const { port } = await start(answer);
    return send(senderTo(`http://127.0.0.1:${port}/hook`, options));
  };

  it('sends a webhook that the library of Standard Webhooks verifies', async () => {
    const verified: unknown[] = [];
    const result = await sendTo((request, response) => {
      const read = async (): Promise<void> => {
        const body = await text(request);
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        verified.push(request.method, request.url, new Webhook(SECRET).verify(body, headers));
        response.writeHead(204).end();
      };
      void read();
    });
    expect(result).toEqual({ ok: true });
    expect(verified).toEqual(['POST', '/hook', JSON.parse(MESSAGE.body)]);
  });

  it.each<[number, Record<string, string>, SendResult]>([
    [500, {}, { ok: false, failure: 'STATUS_REFUSED', retryAfterMs: null }],
    [404, {}, { ok: false, failure: 'STATUS_REFUSED', retryAfterMs: null }],
    [410, {}, { ok: false, failure: 'GONE', retryAfterMs: null }],
    [429, { 'retry-after': '7' }, { ok: false, failure: 'STATUS_REFUSED', retryAfterMs: 7_000 }],
    [503, { 'retry-after': '-7' }, { ok: false, failure: 'STATUS_REFUSED', retryAfterMs: null }],
  ])(
    'a webhook is not confirmed by a response with status %i',
    async (status, headers, expected) => {
      expect(await sendTo((_, response) => response.writeHead(status, headers).end())).toEqual(
        expected,
      );
    },
  );

  it.each([301, 302, 303, 307, 308])(
    'a webhook is not sent again to the target of a redirect with status %i',
    async (status) => {
      let requests = 0;
      const other = await start((_, response) => {
        requests += 1;
        response.end();
      });
      const location = `http://127.0.0.1:${other.port}/`;
      const result = await sendTo((_, response) => response.writeHead(status, { location }).end());
      expect(result).toMatchObject({ failure: 'REDIRECTED' });
      expect(requests).toBe(0);
    },
  );

  it('the webhook sender closes the connection after the response head, regardless of the body’s length', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const result = await sendTo((_, response) => {
      response.writeHead(200);
      response.on('error', () => {});
      closed = once(response, 'close');
      const fill = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', fill);
      };
      fill();
    });
    expect(result).toEqual({ ok: true });
    await closed;
  });

  it('a webhook times out if the receiver does not respond', async () => {
    expect(await sendTo(() => {}, { deadlineMs: 20 })).toMatchObject({ failure: 'TIMED_OUT' });
  });

  it('a webhook times out if the receiver sends its response head byte by byte', async () => {
    expect(await sendTo(dripping, { deadlineMs: 50 })).toMatchObject({ ok: false });
  });

  it('a webhook request is aborted when the service stops', async () => {
    const stopping = new AbortController();
    const { port } = await start(() => stopping.abort());
    const sender = senderTo(`http://127.0.0.1:${port}/`);
    expect(await send(sender, stopping.signal)).toMatchObject({ ok: false });
  });

  it('a webhook to an unreachable receiver is reported as failed', async () => {
    const gone = await receiver(() => {});
    await gone.stop();
    expect(await send(senderTo(`http://127.0.0.1:${gone.port}/`))).toMatchObject({
      failure: 'UNREACHABLE',
    });
  });

  it('the webhook sender sends nothing to an unregistered endpoint', async () => {
    const sender = senderTo('http://127.0.0.1:1/');
    expect(await sender.send('other', MESSAGE, new AbortController().signal)).toMatchObject({
      failure: 'UNREACHABLE',
    });
  });
});

describe('HttpsWebhookSender in production', () => {
  const PUBLIC = [{ address: '8.8.8.8', family: 4 }];
  const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];

  const sent = async (url: string, resolve = async () => PUBLIC) => {
    let connections = 0;
    const listening = await receiver(() => {});
    listening.server.on('connection', () => (connections += 1));
    try {
      const sender = senderTo(url.replace('PORT', String(listening.port)), {
        allowPrivate: false,
        resolve,
        deadlineMs: 2_000,
      });
      return { result: await send(sender), connections };
    } finally {
      await listening.stop();
    }
  };

  it.each([
    'https://127.0.0.1:PORT/',
    'https://[::1]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://2130706433:PORT/',
    'https://0x7f.1:PORT/',
    'https://0177.0.0.1:PORT/',
    'https://169.254.169.254/',
  ])(
    'the webhook sender rejects an address of a private network in production: %s',
    async (url) => {
      expect(await sent(url)).toEqual({
        result: { ok: false, failure: 'ADDRESS_FORBIDDEN', retryAfterMs: null },
        connections: 0,
      });
    },
  );

  it('the webhook sender rejects plain HTTP in production', async () => {
    expect(await sent('http://shop.example:PORT/')).toMatchObject({
      result: { failure: 'ADDRESS_FORBIDDEN' },
    });
  });

  it('the webhook sender rejects a host name that resolves to a private address in production', async () => {
    const { result, connections } = await sent('https://shop.example:PORT/', async () => LOOPBACK);
    expect(result).toMatchObject({ failure: 'ADDRESS_FORBIDDEN' });
    expect(connections).toBe(0);
  });

  it('the webhook sender rejects a host name with one private address among public addresses in production', async () => {
    const { result, connections } = await sent('https://shop.example:PORT/', async () => [
      ...PUBLIC,
      ...LOOPBACK,
    ]);
    expect(result).toMatchObject({ failure: 'ADDRESS_FORBIDDEN' });
    expect(connections).toBe(0);
  });

  it('the webhook sender reports a host name that does not resolve', async () => {
    const { result } = await sent('https://shop.example:PORT/', async () => {
      throw new Error('ENOTFOUND');
    });
    expect(result).toMatchObject({ failure: 'UNREACHABLE' });
  });
});
