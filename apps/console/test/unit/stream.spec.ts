import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { readEvents } from '../../src/events.js';
import { Service } from '../../src/service.js';
import { Stream } from '../../src/stream.js';
import { submission } from './examples.js';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Returns a stream that sends these texts. Afterwards the stream ends, or it stays connected. */
const saying = (texts: readonly string[], ends: boolean): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(bytes(text));
      if (ends) controller.close();
    },
  });

describe('the stream of changes', () => {
  it('the console’s event stream joins the parts of an event that arrive in several chunks', async () => {
    const heard: string[] = [];
    const pieces = ['event: sub', 'mission\ndata: {"pool"', ':"é"}\n\n', ': \n\nevent: resync\n'];
    await readEvents(saying([...pieces, 'data: {}\n\n'], true), (name, data) =>
      heard.push(`${name} ${data}`),
    );
    expect(heard).toEqual(['submission {"pool":"é"}', 'resync {}']);
  });

  it('the request for an event stream is aborted if the server accepts the connection but does not respond', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const service = new Service(`http://127.0.0.1:${port}`, 'token', 5);
    try {
      await expect(service.events(new AbortController().signal)).rejects.toThrow('aborted');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('an event stream is ended with an error if no data arrives for too long, not even a comment', async () => {
    const silent = readEvents(saying([': \n\n'], false), () => undefined, 5);
    await expect(silent).rejects.toThrow('silent');
  });

  it('the console connects to the event stream again until the session ends', async () => {
    const ended = new AbortController();
    const row = submission();
    const answers = [
      () => new Response(saying(['event: resync\ndata: {}\n\n'], true)),
      () => new Response('{}', { status: 429 }),
      () => {
        throw new TypeError('fetch failed');
      },
      () => new Response(saying([`event: submission\ndata: ${JSON.stringify(row)}\n\n`], true)),
    ];
    const heard: unknown[] = [];
    let requested = 0;
    const stream = new Stream(
      {
        events: async () => {
          const answer = answers[requested];
          requested += 1;
          if (answer === undefined) throw new Error('it was requested again');
          return answer();
        },
      },
      ended.signal,
      {
        resync: () => heard.push('resync'),
        submission: (changed) => {
          heard.push(changed);
          ended.abort();
        },
        lane: () => undefined,
        pool: () => undefined,
        refused: () => heard.push('refused'),
      },
      0,
    );
    await stream.run();
    expect(heard).toEqual(['resync', 'refused', row]);
    expect(requested).toBe(4);
  });
});
