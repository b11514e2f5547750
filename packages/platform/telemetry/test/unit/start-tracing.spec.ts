import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTracing, tracingIsOn } from '../../src/index.js';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

describe('tracingIsOn', () => {
  it.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.example:4318/v1/traces' }, true],
    [{ OTEL_TRACES_EXPORTER: 'console' }, true],
    [
      {
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
      },
      false,
    ],
    [
      { OTEL_SDK_DISABLED: 'True', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' },
      false,
    ],
  ])('tracingIsOn for the variables %j returns %s', (env, expected) => {
    expect(tracingIsOn(env)).toBe(expected);
  });
});

describe('startTracing', () => {
  let collector: Server;
  let url: string;
  const received: string[] = [];

  beforeEach(async () => {
    received.length = 0;
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => void chunks.push(chunk));
      request.on('end', () => {
        received.push(`${request.url ?? ''} ${Buffer.concat(chunks).toString('latin1')}`);
        response.writeHead(200).end();
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const address = collector.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    url = `http://127.0.0.1:${address.port}`;
  });

  afterEach(() => {
    delete process.env[ENDPOINT];
    trace.disable();
    collector.closeAllConnections();
    collector.close();
  });

  it('startTracing returns null if traces are not enabled', async () => {
    expect(await startTracing({})).toBeNull();
  });

  it('startTracing sends spans to the configured collector, without data about host or process', async () => {
    process.env[ENDPOINT] = url;
    const stop = await startTracing(process.env);
    trace.getTracer('test').startSpan('a step').end();
    await stop?.();
    expect(received).toHaveLength(1);
    expect(received[0]).toContain('/v1/traces');
    expect(received[0]).toContain('a step');
    expect(received[0]).toContain('sotto');
    expect(received[0]).not.toMatch(/host\.name|process\.command|process\.pid/);
  });
});
