import type { IncomingMessage, ServerResponse } from 'node:http';
import { SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { LogFields } from '@sotto/kernel';

/**
 * Request that has ended: answered, or abandoned by its caller. Contains nothing of its URL, its
 * caller or the bodies.
 */
export interface EndedRequest {
  readonly requestId: string;
  readonly method: string;
  /** Pattern of its path. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Code of the failure that was returned. */
  readonly code: string | undefined;
  /** Name of the token's holder, if the request carried one. */
  readonly holder: string | undefined;
  readonly callerLeft: boolean;
  /** Fields that its route has added. */
  readonly noted: LogFields;
}

/** Called once for every request, when it has ended. */
export type RequestObserver = (ended: EndedRequest) => void;

/**
 * `requestId`, `route`, `code`, `holder` and `noted`, if the request reached the handlers that set
 * them. Read when it has ended.
 */
type Known = Readonly<Record<string, unknown>>;

/** Begins to observe a request. @returns the parent span of everything done for it */
export type Observe = (request: IncomingMessage, response: ServerResponse, known: Known) => Span;

/** Route name of requests that match no route. */
export const UNMATCHED = 'unmatched';

/** Times requests, and calls the observers when they have ended. */
export function requestObservation(observers: readonly RequestObserver[]): Observe {
  const tracer = trace.getTracer('sotto');
  return (request, response, known) => {
    const startedMs = performance.now();
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER });
    // One listener for all observers, because each listener has a cost. The event occurs only once.
    response.on('close', () => {
      const ended = endedRequest(request, response, known, performance.now() - startedMs);
      for (const observe of observers) observe(ended);
      endSpan(span, ended);
    });
    return span;
  };
}

function endedRequest(
  { method = '' }: IncomingMessage,
  response: ServerResponse,
  known: Known,
  durationMs: number,
): EndedRequest {
  return {
    requestId: textOf(known['requestId']) ?? '',
    method,
    route: textOf(known['route']) ?? UNMATCHED,
    status: response.statusCode,
    durationMs,
    code: textOf(known['code']),
    holder: textOf(known['holder']),
    callerLeft: !response.writableFinished,
    noted: fieldsOf(known['noted']),
  };
}

function fieldsOf(value: unknown): LogFields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function endSpan(span: Span, { method, route, status }: EndedRequest): void {
  if (!span.isRecording()) return;
  span.updateName(`${method} ${route}`);
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
