import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { DomainError } from '@sotto/kernel';
import { failure } from '@sotto/kernel/testing';
import { Metrics, PortObserver } from '../../src/index.js';

class NodeAsleep extends DomainError {
  readonly code = 'NODE_ASLEEP';
  readonly kind = 'unavailable';
}

/** Port with a private field. Only the port's own methods can access this field. */
class Counter {
  #count = 0;

  async add(by: number): Promise<number> {
    this.#count += by;
    return this.#count;
  }

  async fail(error: Error): Promise<never> {
    throw error;
  }

  peek(): number {
    return this.#count;
  }
}

const exporter = new InMemorySpanExporter();

describe('PortObserver', () => {
  let metrics: Metrics;
  let port: Counter;

  beforeAll(() => {
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
    );
  });
  afterAll(() => trace.disable());

  beforeEach(() => {
    exporter.reset();
    metrics = new Metrics(false);
    port = new PortObserver(metrics, { counter: ['add', 'fail'] }).observe(
      'counter',
      new Counter(),
    );
  });

  it('PortObserver does not change the behaviour of an observed port', async () => {
    expect(await port.add(2)).toBe(2);
    expect(port.peek()).toBe(2);
    expect(port).toBeInstanceOf(Counter);
  });

  it('PortObserver measures each successful call of a port', async () => {
    await port.add(1);
    expect(await metrics.text()).toContain(
      'sotto_port_call_seconds_count{port="counter",method="add",outcome="ok"} 1',
    );
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['counter.add']);
  });

  it('PortObserver counts an error of a port by its kind, and rethrows the error', async () => {
    const error = new NodeAsleep('the node sleeps');
    expect(await failure(port.fail(error))).toBe(error);
    expect(await metrics.text()).toContain(
      '{port="counter",method="fail",outcome="unavailable"} 1',
    );
    expect(exporter.getFinishedSpans()[0]?.status.message).toBe('NODE_ASLEEP');
  });

  it('PortObserver exports no arguments and no error texts', async () => {
    await failure(port.fail(new Error('recipient 0x1234')));
    const exported = JSON.stringify(
      exporter
        .getFinishedSpans()
        .map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
    );
    expect(exported).toContain('BUG');
    expect(exported + (await metrics.text())).not.toContain('0x1234');
    expect(await metrics.text()).toContain('outcome="bug"} 1');
  });

  it('PortObserver does not observe methods that are not listed', async () => {
    port.peek();
    expect(exporter.getFinishedSpans()).toEqual([]);
    expect(await metrics.text()).not.toContain('peek');
  });

  it('PortObserver throws a RangeError for a listed method that the port does not have', () => {
    expect(() =>
      new PortObserver(new Metrics(false), { counter: ['subtract'] }).observe(
        'counter',
        new Counter(),
      ),
    ).toThrow(RangeError);
  });
});
