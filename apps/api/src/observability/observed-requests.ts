import { SpanKind, SpanStatusCode, context, isSpanContextValid, trace, type Span } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';

/** A request that is over: answered, or left by its caller. */
interface EndedRequest {
  readonly request: Request;
  readonly response: Response;
  /** The pattern of its path. */
  readonly route: string;
  readonly durationMs: number;
}

/** Told once of every request, when it is over. Never looks at the URL, the caller, or what either sent. */
export type RequestObserver = (ended: EndedRequest) => void;

/** The route of requests that no route takes. */
export const UNMATCHED = 'unmatched';

/** Times requests, tells the observers when they are over, and opens the span that everything done for a request belongs to. */
export function observedRequests(observers: readonly RequestObserver[]): RequestHandler {
  const tracer = trace.getTracer('sotto');
  return (request, response, next) => {
    const startedMs = performance.now();
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER });
    // One listener for all: each costs as much as what it does.
    response.once('close', () => {
      const { route } = response.locals;
      const durationMs = performance.now() - startedMs;
      const ended = { request, response, route: typeof route === 'string' ? route : UNMATCHED, durationMs };
      for (const observe of observers) observe(ended);
      endSpan(span, ended);
    });
    // Without a tracer there is nothing to hand on.
    if (isSpanContextValid(span.spanContext())) context.with(trace.setSpan(context.active(), span), next);
    else next();
  };
}

function endSpan(span: Span, { request: { method }, response: { statusCode }, route }: EndedRequest): void {
  if (!span.isRecording()) return;
  span.updateName(`${method} ${route}`);
  span.setAttributes({ 'http.route': route, 'http.response.status_code': statusCode });
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
