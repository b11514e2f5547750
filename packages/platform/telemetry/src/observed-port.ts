import { ERROR_KINDS, type ErrorKind } from '@sotto/facts';
import { DomainError } from '@sotto/kernel';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { DurationHandle, LabelSets, Metrics } from './metrics.js';

/** Outcome of a call of a port: success, a domain error of this kind, or another error (a bug). */
type Outcome = 'ok' | ErrorKind | 'bug';
const OUTCOMES: readonly Outcome[] = ['ok', ...ERROR_KINDS, 'bug'];

/**
 * Names of the methods that are measured and traced, by the name of their port in metrics and
 * traces.
 */
export type ObservedMethods = Readonly<Record<string, readonly string[]>>;

/**
 * Measures and traces calls of ports, so that ports and cores need no dependency on telemetry. Each
 * call is recorded as a duration (by port, method and outcome) and as a span. Arguments and results
 * are not inspected.
 */
export class PortObserver<const M extends ObservedMethods> {
  readonly #duration: DurationHandle<LabelSets>;
  readonly #tracer = trace.getTracer('sotto');

  constructor(
    metrics: Metrics,
    private readonly methods: M,
  ) {
    this.#duration = metrics.duration<LabelSets>({
      name: 'sotto_port_call_seconds',
      help: 'Duration of calls of the ports in seconds, by port, method and outcome.',
      labels: {
        port: Object.keys(methods),
        method: [...new Set(Object.values(methods).flat())],
        outcome: OUTCOMES,
      },
    });
  }

  /**
   * Wraps the port and observes the methods that {@link ObservedMethods} lists for `port`.
   * @throws RangeError if the port lacks a listed method
   */
  observe<P extends object>(port: keyof M & string, subject: P): P {
    const observed = new Set(this.methods[port]);
    for (const method of observed) {
      if (typeof Reflect.get(subject, method) !== 'function')
        throw new RangeError(`${port} has no method ${method}`);
    }
    return new Proxy(subject, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        const method = String(property);
        return (...inputs: unknown[]): unknown => {
          const call = (): unknown => Reflect.apply(value, target, inputs);
          return observed.has(method) ? this.#observed(port, method, call) : call();
        };
      },
    });
  }

  #observed(port: string, method: string, call: () => unknown): Promise<unknown> {
    return this.#tracer.startActiveSpan(`${port}.${method}`, async (span) => {
      const startedMs = performance.now();
      let outcome: Outcome = 'ok';
      try {
        return await call();
      } catch (error) {
        outcome = error instanceof DomainError ? error.kind : 'bug';
        // Set only the code. If an error is not a domain error, its text may quote its input.
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof DomainError ? error.code : 'BUG',
        });
        throw error;
      } finally {
        this.#duration.observe({ port, method, outcome }, (performance.now() - startedMs) / 1_000);
        span.end();
      }
    });
  }
}
