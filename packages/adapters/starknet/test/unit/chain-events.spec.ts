import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StarknetChainEvents, type ChainEventsOptions } from '@sotto/adapter-starknet';
import { systemClock, toFelt, type Logger } from '@sotto/kernel';
import type { ChainChange } from '@sotto/submission-core';
import { ScriptedPusher } from '../support/scripted-pusher.js';

const CHAIN = toFelt('0x534e5f54455354');
const LANE = toFelt('0x1a4e');
const HEADS = 'starknet_subscriptionNewHeads';
const RECEIPTS = 'starknet_subscriptionNewTransactionReceipts';
/**
 * Interval between two pings and setup timeout, in milliseconds. The time between pings passes only
 * when a test calls `tick`.
 */
const PING_MS = 50_000;
const SET_UP_MS = 60_000;
const REORG = 'starknet_subscriptionReorg';

const lost = (code: string): unknown => [
  { node: 'alpha', code },
  'a node does not push: the chain is polled at intervals',
];

describe('StarknetChainEvents over WebSocket', () => {
  let pusher: ScriptedPusher;
  let heard: ChainChange[];
  let logged: unknown[];
  let waits: number[];
  let end: () => void;
  /** Ends the wait between two pings. */
  let tick: () => void;
  let looks: Set<() => void>;
  beforeEach(async () => {
    pusher = await ScriptedPusher.start();
    [heard, logged, waits, looks] = [[], [], [], new Set()];
    [end, tick] = [() => {}, () => {}];
  });
  afterEach(async () => {
    end();
    await pusher.stop();
    if (JSON.stringify(logged).includes('marker-access-key'))
      throw new Error('the log has the address');
  });

  const changed = (): void => {
    for (const poll of looks) poll();
  };
  const log = (fields: object, message: string): void => {
    logged.push([fields, message]);
    changed();
  };
  const logger: Logger = {
    debug: log,
    info: log,
    warn: log,
    error: log,
  };

  const listen = (
    url: string,
    bounds: ChainEventsOptions['bounds'] = {},
    change: Partial<ChainEventsOptions> = {},
  ): StarknetChainEvents => {
    const events = new StarknetChainEvents([{ name: 'alpha', url }], {
      chainId: CHAIN,
      logger,
      clock: {
        ...systemClock,
        sleep: (ms, signal) => {
          waits.push(ms);
          changed();
          if (ms !== PING_MS) return systemClock.sleep(ms, signal);
          return new Promise((resolve) => {
            tick = resolve;
            signal?.addEventListener('abort', () => resolve());
          });
        },
      },
      bounds: { pingIntervalMs: PING_MS, setUpTimeoutMs: SET_UP_MS, ...bounds },
      firstRetryMs: 1,
      maxRetryMs: 4,
      ...change,
    });
    end = events.subscribe([LANE], (what) => {
      heard.push(what);
      changed();
    });
    return events;
  };
  /**
   * Resolves when the condition is true. The condition is checked after each event or log message.
   */
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const poll = (): void => {
        if (!condition()) return;
        looks.delete(poll);
        resolve();
      };
      looks.add(poll);
      poll();
    });
  const retries = (): readonly number[] =>
    waits.filter((ms) => ms !== PING_MS && ms !== SET_UP_MS).slice(0, 5);
  /** Resolves when the client has started to wait for the time of its next ping. */
  const waiting = async (): Promise<void> => {
    await until(() => waits.includes(PING_MS));
    waits.splice(waits.indexOf(PING_MS), 1);
  };
  const gaps = (): number => heard.filter((what) => what === 'gap').length;
  const back = [{ node: 'alpha' }, 'a node pushes changes'];

  it('the WebSocket client subscribes once to heads, and once to the receipts of the service’s lanes at both finality levels', async () => {
    const events = listen(pusher.url);
    expect(events.status()).toMatchObject([{ node: 'alpha', isConnected: false }]);
    await until(() => gaps() === 1);
    expect(pusher.requests.map(({ method, params }) => [method, params])).toEqual([
      ['starknet_chainId', {}],
      ['starknet_subscribeNewHeads', {}],
      [
        'starknet_subscribeNewTransactionReceipts',
        { finality_status: ['PRE_CONFIRMED', 'ACCEPTED_ON_L2'], sender_address: [LANE] },
      ],
    ]);
    expect(events.status()).toMatchObject([{ isConnected: true }]);
    expect(logged).toEqual([back]);
  });

  it('a push message is identified by its subscription and kind, and its other content is ignored', async () => {
    const events = listen(pusher.url);
    await until(() => gaps() === 1);
    pusher.push(RECEIPTS, 'receipts', { finality_status: 'whatever it says' });
    pusher.push(HEADS, 'heads', null);
    pusher.push(REORG, 'receipts');
    for (const garbage of [
      '',
      '{',
      'null',
      '[]',
      '{"method":7}',
      JSON.stringify({ method: HEADS, params: { subscription_id: 'receipts' } }),
      JSON.stringify({ method: RECEIPTS, params: { subscription_id: {} } }),
      JSON.stringify({
        method: 'starknet_subscriptionEvents',
        params: { subscription_id: 'heads' },
      }),
      JSON.stringify({ id: 2, result: 'receipts' }),
      JSON.stringify({ id: 99, result: 'heads' }),
      Buffer.from(JSON.stringify({ method: HEADS, params: { subscription_id: 'heads' } })),
    ])
      pusher.send(garbage);
    pusher.push(REORG, 'heads');
    await until(() => heard.filter((what) => what === 'rollback').length === 2);
    expect(heard).toEqual(['gap', 'transaction', 'head', 'rollback', 'rollback']);
    expect(events.status()).toEqual([
      {
        node: 'alpha',
        isConnected: true,
        messages: { transaction: 1, head: 1, rollback: 2, other: 11 },
      },
    ]);
  });

  it('the WebSocket client accepts numeric subscription ids, and a server that does not support unrelated methods', async () => {
    pusher.answer = (method) => {
      if (method === 'starknet_chainId') return { error: { code: -32_601, message: 'no' } };
      return { result: method === 'starknet_subscribeNewHeads' ? 7 : 8 };
    };
    listen(pusher.url);
    await until(() => gaps() === 1);
    pusher.push(RECEIPTS, 8);
    await until(() => heard.length === 2);
    expect(heard).toEqual(['gap', 'transaction']);
  });

  it.each([
    ['a chain of another name', 'WRONG_CHAIN', { starknet_chainId: { result: '0x1' } }],
    [
      'a node that does not know the subscription',
      'SUBSCRIPTION_REFUSED',
      { starknet_subscribeNewTransactionReceipts: { error: { code: -32_601, message: 'no' } } },
    ],
    [
      'a subscription without an id',
      'SUBSCRIPTION_REFUSED',
      { starknet_subscribeNewHeads: { result: { id: 1 } } },
    ],
  ])(
    'the WebSocket client disconnects from an unsuitable node: %s',
    async (_name, code, answers) => {
      const usual = pusher.answer;
      const given: Readonly<Record<string, object>> = answers;
      pusher.answer = (method) => given[method] ?? usual(method);
      const events = listen(pusher.url);
      await until(() => logged.length === 1);
      expect(logged).toEqual([lost(code)]);
      expect(events.status()).toMatchObject([{ isConnected: false }]);
      pusher.answer = usual;
      await until(() => gaps() === 1);
      expect(logged).toEqual([lost(code), back]);
    },
  );

  it('the WebSocket client reconnects after a connection was closed, and reports a gap in the events', async () => {
    listen(pusher.url);
    await until(() => gaps() === 1);
    pusher.each((socket) => socket.close());
    await until(() => gaps() === 3);
    expect(logged).toEqual([back, lost('CLOSED'), back]);
    pusher.push(HEADS, 'heads');
    await until(() => heard.includes('head'));
  });

  it('the WebSocket client waits longer after each failed connection, up to a limit', async () => {
    const { url } = pusher;
    await pusher.stop();
    listen(url, {}, { random: () => 0.5, maxRetryMs: 4 });
    await until(() => logged.length === 1);
    await until(() => retries().length === 5);
    expect(retries()).toEqual([0.75, 1.5, 3, 3, 3]);
    expect(logged).toEqual([lost('ECONNREFUSED')]);
    pusher = await ScriptedPusher.start();
  });

  it('the WebSocket client disconnects if the server sends an HTTP response instead of an upgrade', async () => {
    const server = createServer((socket) =>
      socket.end('HTTP/1.1 301 Moved\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    listen(`ws://127.0.0.1:${address.port}`);
    await until(() => logged.length === 1);
    expect(logged).toEqual([lost('HTTP_301')]);
    end();
    server.close();
  });

  it('the WebSocket client disconnects if the server accepts the connection but never responds', async () => {
    const server = createServer(() => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    listen(`ws://127.0.0.1:${address.port}`, { setUpTimeoutMs: 5 });
    await until(() => logged.length === 1);
    expect(logged).toEqual([lost('NOT_SUBSCRIBED_IN_TIME')]);
    end();
    server.close();
  });

  it('the WebSocket client disconnects if the server does not confirm the subscriptions in time', async () => {
    pusher.answer = () => undefined;
    listen(pusher.url, { setUpTimeoutMs: 50 });
    await until(() => logged.length === 1);
    expect(logged).toEqual([lost('NOT_SUBSCRIBED_IN_TIME')]);
  });

  it('the WebSocket client disconnects from a server that does not even respond to pings', async () => {
    const silent = await ScriptedPusher.start({ autoPong: false });
    listen(silent.url);
    await until(() => gaps() === 1);
    await waiting();
    tick();
    await until(() => logged.length === 2);
    expect(logged).toEqual([back, lost('SILENT')]);
    end();
    await silent.stop();
  });

  it('the WebSocket client stays connected to a server that responds only to pings', async () => {
    listen(pusher.url);
    await until(() => gaps() === 1);
    for (let round = 0; round < 3; round += 1) {
      await waiting();
      // The first pong shows that the server has responded to the client's own ping. The second
      // pong shows that the client has received that response.
      for (const turn of ['first', 'second'])
        await Promise.all(
          pusher.each(async (socket) => {
            const pong = once(socket, 'pong');
            socket.ping(turn);
            await pong;
          }),
        );
      tick();
    }
    await waiting();
    expect(logged).toEqual([back]);
    expect(pusher.connections).toBe(1);
  });

  it('the WebSocket client disconnects if the number of messages exceeds the limit', async () => {
    const events = listen(
      pusher.url,
      { maxMessages: 103 },
      { firstRetryMs: 3_600_000, maxRetryMs: 3_600_000 },
    );
    await until(() => gaps() === 1);
    for (let message = 0; message < 10_000; message += 1) pusher.push(HEADS, 'heads');
    await until(() => logged.length === 2);
    expect(logged).toEqual([back, lost('TOO_MANY_MESSAGES')]);
    // The client received 103 messages. Three of them were replies to requests.
    expect(events.status()).toMatchObject([{ messages: { head: 100 } }]);
    expect(heard.filter((what) => what === 'head')).toHaveLength(100);
  });

  it('the WebSocket client disconnects if one message or several messages together exceed the byte limit', async () => {
    listen(pusher.url, { maxMessageBytes: 1_000, maxBytes: 2_000 });
    await until(() => gaps() === 1);
    pusher.push(HEADS, 'heads', 'x'.repeat(2_000));
    await until(() => gaps() === 3);
    for (let message = 0; message < 3; message += 1) pusher.push(HEADS, 'heads', 'x'.repeat(800));
    await until(() => gaps() === 4);
    expect(logged).toEqual([
      back,
      lost('WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'),
      back,
      lost('TOO_MANY_MESSAGES'),
    ]);
  });

  it('the WebSocket client reports nothing after the subscription has ended, and closes the connection', async () => {
    listen(pusher.url);
    await until(() => gaps() === 1);
    const closed = Promise.all(pusher.each((socket) => once(socket, 'close')));
    pusher.push(HEADS, 'heads');
    end();
    await closed;
    expect(heard).toEqual(['gap']);
    expect(logged).toEqual([back]);
    expect(pusher.connections).toBe(1);
  });
});
