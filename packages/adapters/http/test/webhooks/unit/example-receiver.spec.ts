import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@sotto/kernel';
import { SigningKey, signatureHeaders } from '@sotto/webhook-core';
import { HttpsWebhookSender } from '../../../src/webhooks/index.js';
import { EXAMPLE, ExampleReceiver, HAS_PYTHON } from '../support/example-receiver.js';

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const keyOf = (secret: string): SigningKey => {
  const key = SigningKey.parse(secret);
  if (key === null) throw new Error('it is no key');
  return key;
};
const [OLD, NEW, OTHER] = [secretOf(1), secretOf(2), secretOf(3)];
const MESSAGE = { id: 'msg_a.1', body: '{"id":"s1","state":"succeeded","hash":"0x1"}' };

const signed = (secret: string, nowMs = Date.now()) =>
  signatureHeaders([keyOf(secret)], MESSAGE, nowMs);

async function postTo(
  { port }: ExampleReceiver,
  headers: Readonly<Record<string, string>>,
  body = MESSAGE.body,
): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
}

const LANGUAGES = [
  { language: 'JavaScript', isPython: false },
  // A machine without Python tests one receiver less.
  ...(HAS_PYTHON ? [{ language: 'Python', isPython: true }] : []),
];

describe.each(LANGUAGES)('example receiver in $language', ({ language, isPython }) => {
  let receiver: ExampleReceiver;
  afterEach(() => receiver?.stop());
  const post = async (headers: Readonly<Record<string, string>>, body?: string) =>
    postTo(receiver, headers, body);

  it(`the ${language} receiver handles a message once, even if the message is replayed or received twice concurrently`, async () => {
    receiver = await ExampleReceiver.start([OLD], { isPython });
    const headers = signed(OLD);
    expect(await Promise.all([post(headers), post(headers), post(headers)])).toEqual([
      204, 204, 204,
    ]);
    // When the service repeats a message, the id is the same but the signature is new.
    expect(await post(signed(OLD, Date.now() + 2_000))).toBe(204);
    expect(receiver.events).toEqual([JSON.parse(MESSAGE.body)]);
  });

  it(`the ${language} receiver rejects forged, changed, old and oversized messages without handling them`, async () => {
    receiver = await ExampleReceiver.start([OLD], { isPython });
    expect(await post({})).toBe(400);
    expect(await post(signed(OTHER))).toBe(400);
    expect(await post(signed(OLD), MESSAGE.body.replace('s1', 's2'))).toBe(400);
    expect(await post(signed(OLD, Date.now() - 360_000))).toBe(400);
    expect(await post(signed(OLD), ' '.repeat(5_000))).toBe(400);
    expect(receiver.events).toEqual([]);
  });

  it(`the ${language} receiver accepts messages that are signed with the old or the new secret during a rotation`, async () => {
    receiver = await ExampleReceiver.start([OLD, NEW], { isPython });
    const sender = (id: string, ...secrets: string[]) =>
      new HttpsWebhookSender({
        targets: new Map([
          [
            'shop',
            { url: () => new URL(`http://127.0.0.1:${receiver.port}/`), keys: secrets.map(keyOf) },
          ],
        ]),
        allowPrivate: true,
        clock: systemClock,
      }).send('shop', { ...MESSAGE, id }, new AbortController().signal);
    expect(await sender('msg_a.1', OLD)).toEqual({ ok: true });
    expect(await sender('msg_a.2', OTHER, NEW)).toEqual({ ok: true });
    expect(await sender('msg_a.3', OTHER)).toMatchObject({ failure: 'STATUS_REFUSED' });
  });
});

describe('example receiver', () => {
  let receiver: ExampleReceiver;
  afterEach(() => receiver.stop());

  const post = async (headers: Readonly<Record<string, string>>, body?: string) =>
    postTo(receiver, headers, body);

  it('the example webhook receiver confirms a message only after it has handled the message', async () => {
    receiver = await ExampleReceiver.start([OLD], {
      handle: `
        globalThis.tries = (globalThis.tries ?? 0) + 1;
        await new Promise((resolve) => setTimeout(resolve, 200));
        if (globalThis.tries === 1) throw new Error('the database is away');
        process.stdout.write(JSON.stringify(event) + '\\n');`,
    });
    const headers = signed(OLD);
    expect(await Promise.all([post(headers), post(headers)])).toEqual([500, 500]);
    expect(await post(headers)).toBe(204);
    expect(receiver.events).toEqual([JSON.parse(MESSAGE.body)]);
  });

  it('the webhook sender rejects a receiver whose certificate no trusted authority has signed', async () => {
    receiver = await ExampleReceiver.start([OLD], { tls: true });
    const sender = new HttpsWebhookSender({
      targets: new Map([
        ['shop', { url: () => new URL(`https://localhost:${receiver.port}/`), keys: [keyOf(OLD)] }],
      ]),
      allowPrivate: true,
      clock: systemClock,
    });
    expect(await sender.send('shop', MESSAGE, new AbortController().signal)).toMatchObject({
      failure: 'UNREACHABLE',
    });
  });

  it('docs/webhooks.md quotes the example receiver unchanged', async () => {
    receiver = await ExampleReceiver.start([OLD]);
    const page = readFileSync(
      new URL('../../../../../../docs/webhooks.md', import.meta.url),
      'utf8',
    );
    const [, block = ''] = /^```js\n([^]*?)^```$/m.exec(page) ?? [];
    expect(block).toBe(readFileSync(EXAMPLE, 'utf8'));
  });
});
