import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics, serveMetrics, type MetricsServer } from '../../src/index.js';

describe('serveMetrics', () => {
  let server: MetricsServer;

  beforeEach(async () => {
    const metrics = new Metrics(false);
    metrics.counter({ name: 'sotto_things_total', help: 'Things.', labels: {} }).add({});
    server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 });
  });

  afterEach(async () => {
    await server.close();
  });

  it('serveMetrics responds to GET /metrics in the Prometheus text format', async () => {
    const answer = await fetch(server.url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain('sotto_things_total 1');
  });

  it.each([
    ['another path', '/', 'GET'],
    ['a query', '/metrics?name=x', 'GET'],
    ['another method', '/metrics', 'POST'],
  ])('serveMetrics responds with 404 to %s', async (_title, path, method) => {
    expect((await fetch(new URL(path, server.url), { method })).status).toBe(404);
  });

  it('serveMetrics rejects if the port is in use', async () => {
    const port = Number(new URL(server.url).port);
    await expect(serveMetrics(new Metrics(false), { host: '127.0.0.1', port })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});
