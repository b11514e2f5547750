import { ERROR_KINDS, type ErrorKind } from '@sotto/facts';
import { DomainError } from '@sotto/kernel';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { DurationHandle, LabelSets, Metrics } from './metrics.js';

/** Result of a call of a port: success, an error of this kind, or an error that is a bug. */
type Outcome = 'ok' | ErrorKind | 'bug';
const OUTCOMES: readonly Outcome[] = ['ok', ...ERROR_KINDS, 'bug'];

/**
 * Methods of ports that are measured and traced, by the name of their port in metrics and traces.
 */
export type ObservedMethods = Readonly<Record<string, readonly string[]>>;

/**
 * Measures and traces calls of ports without a dependency from ports or cores: a duration by port,
 * method and outcome, and a span. Arguments and results are not inspected.
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
      help: 'How long calls of the ports took, by port, method and outcome.',
      labels: {
        port: Object.keys(methods),
        method: [...new Set(Object.values(methods).flat())],
        outcome: OUTCOMES,
      },
    });
  }

  /**
   * Wraps the port so that the methods that {@link ObservedMethods} lists for `port` are observed.
   * @throws RangeError if the port has no such method
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
        // Only the code is set: texts of errors that are not domain errors may quote their input.
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
