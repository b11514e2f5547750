import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_CONTEXT, context, trace, type Context } from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { createLogger } from '../../src/index.js';

/** Context manager like the one of the SDK, which exists only in a process with tracing. */
class Contexts {
  readonly #storage = new AsyncLocalStorage<Context>();
  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    of: Context,
    run: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(of, () => run.call(thisArg, ...args));
  }
  bind<T>(_of: Context, target: T): T {
    return target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}

describe('lines of a process that traces', () => {
  beforeAll(() => {
    context.setGlobalContextManager(new Contexts());
    trace.setGlobalTracerProvider(new TracerProvider({}));
  });
  afterAll(() => {
    trace.disable();
    context.disable();
  });

  it('O2: log lines inside a span contain the ids of trace and span, and lines outside a span contain none', async () => {
    const lines: string[] = [];
    const logger = createLogger({
      level: 'info',
      destination: { write: (line) => void lines.push(line) },
    });
    logger.info({}, 'outside');
    const { traceId, spanId } = await trace
      .getTracer('test')
      .startActiveSpan('request', async (span) => {
        await Promise.resolve();
        logger.info({ attempt: 1 }, 'inside');
        span.end();
        return span.spanContext();
      });
    const [outside, inside] = lines.map((line): unknown => JSON.parse(line));
    expect(outside).not.toHaveProperty('trace_id');
    expect(inside).toMatchObject({ attempt: 1, trace_id: traceId, span_id: spanId });
  });
});
