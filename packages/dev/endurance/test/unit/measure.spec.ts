import { describe, expect, it } from '@jest/globals';
import { spreadOf } from '@sotto/load-kit/report';
import type { Answer } from '@sotto/process-kit';
import { readProcessSample } from '../../src/measure/process-metrics.js';
import { Requests } from '../../src/measure/requests.js';
import { LogCounts } from '../../src/stack/log-counts.js';

const METRICS = `# HELP process_resident_memory_bytes Resident memory size in bytes.
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 1048576
nodejs_heap_size_used_bytes 524288
nodejs_active_handles{type="Socket"} 3
nodejs_active_handles_total 7
nodejs_eventloop_lag_p99_seconds 0.125
process_cpu_seconds_total 1.5
`;

/** Returns a request function that resolves to this response. */
const answer = (status: number, body: unknown) => async (): Promise<Answer> => ({
  status,
  headers: new Headers(),
  text: '',
  body,
});

describe('the measurements', () => {
  it('percentiles are computed by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(spreadOf(hundred)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 });
    expect(spreadOf([3])).toEqual({ count: 1, p50: 3, p95: 3, p99: 3, max: 3 });
    expect(spreadOf([])).toEqual({ count: 0, p50: 0, p95: 0, p99: 0, max: 0 });
  });

  it('process metrics are parsed into a sample, and rejected if a metric is missing', () => {
    expect(readProcessSample(METRICS, 4)).toEqual({
      atSeconds: 4,
      residentMemoryBytes: 1_048_576,
      heapUsedBytes: 524_288,
      activeHandles: 7,
      eventLoopDelayP99Seconds: expect.closeTo(0.025),
      cpuSeconds: 1.5,
    });
    expect(() =>
      readProcessSample(METRICS.replace('nodejs_active_handles_total', 'another'), 4),
    ).toThrow('nodejs_active_handles_total');
  });

  it('responses are counted by status and code, and failed connections as `no answer`', async () => {
    const requests = new Requests();
    await requests.note(answer(200, { execution_status: 'SUCCEEDED' }));
    await requests.note(answer(200, { execution_status: 'SUCCEEDED' }));
    await requests.note(answer(503, { code: 'QUEUE_FULL', error: 'full' }));
    await requests.note(answer(200, { denomination: '1' }));
    expect(await requests.note(() => Promise.reject(new Error('gone')))).toBeNull();
    expect(requests.summary().outcomes).toEqual({
      '200': 1,
      '200 SUCCEEDED': 2,
      '503 QUEUE_FULL': 1,
      'no answer': 1,
    });
  });

  it('warnings and errors of a log are counted by message', () => {
    const log = new LogCounts();
    for (const level of ['info', 'warn', 'warn', 'error'])
      log.read(JSON.stringify({ level, message: 'something' }));
    expect(log.read('no JSON')).toBeUndefined();
    expect(log.counts).toEqual({ 'error: something': 1, 'warn: something': 2 });
  });
});
