import type { IncomingMessage, ServerResponse } from 'node:http';
import { SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { LogFields } from '@sotto/kernel';

/**
 * A request that has ended, with a response or by a disconnect of its caller. The object contains
 * no part of the URL, the caller or the bodies.
 */
export interface EndedRequest {
  readonly requestId: string;
  readonly method: string;
  /** Pattern of the request's path. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Code of the error in the response. */
  readonly code: string | undefined;
  /** Name of the holder of the request's API token, if the request had a token. */
  readonly holder: string | undefined;
  readonly callerLeft: boolean;
  /** Fields that the route's handler has added. */
  readonly noted: LogFields;
}

/** Called once for every request that has ended. */
export type RequestObserver = (ended: EndedRequest) => void;

/**
 * Values that handlers stored for the request: `requestId`, `route`, `code`, `holder` and `noted`.
 * A value is missing if the request did not reach the handler that stores it. The values are read
 * when the request has ended.
 */
type Known = Readonly<Record<string, unknown>>;

/** Starts to observe a request. @returns span that is the parent of all spans of the request */
export type Observe = (request: IncomingMessage, response: ServerResponse, known: Known) => Span;

/** Route name of requests that match no route. */
export const UNMATCHED = 'unmatched';

/**
 * Creates a function that measures the duration of requests and calls the observers when a request
 * has ended.
 */
export function requestObservation(observers: readonly RequestObserver[]): Observe {
  const tracer = trace.getTracer('sotto');
  return (request, response, known) => {
    const startedMs = performance.now();
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER });
    // All observers share one listener, because each listener has a cost. The event `close` occurs
    // only once.
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
