import type { IncomingMessage, ServerResponse } from 'node:http';
import { SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { LogFields } from '@sotto/kernel';

/**
 * A request that is over: answered, or left by its caller. Nothing of its URL, its caller, or what
 * either sent.
 */
export interface EndedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of its path. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Of the failure that it was answered with. */
  readonly code: string | undefined;
  /** The name of the token's holder, where the request carried one. */
  readonly holder: string | undefined;
  readonly callerLeft: boolean;
  /** Fields that its route has noted. */
  readonly noted: LogFields;
}

/** Called once for every request, when it is over. */
export type RequestObserver = (ended: EndedRequest) => void;

/**
 * `requestId`, `route`, `code`, `holder` and `noted`, as far as the request came. Read when it is
 * over.
 */
type Known = Readonly<Record<string, unknown>>;

/** Begins to observe a request. @returns the span that everything done for it belongs to */
export type Observe = (request: IncomingMessage, response: ServerResponse, known: Known) => Span;

/** The route of requests that no route takes. */
export const UNMATCHED = 'unmatched';

/** Times requests, and calls the observers when they are over. */
export function requestObservation(observers: readonly RequestObserver[]): Observe {
  const tracer = trace.getTracer('sotto');
  return (request, response, known) => {
    const startedMs = performance.now();
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER });
    // One listener for all: each costs as much as what it does. It comes once by itself.
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
