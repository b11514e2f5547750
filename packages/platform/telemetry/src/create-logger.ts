import { isSpanContextValid, trace } from '@opentelemetry/api';
import type { Logger, LogFields } from '@sotto/kernel';
import { pino } from 'pino';
import { boundedLines } from './bounded-lines.js';
import { printableFields } from './printable.js';

/**
 * Maximum number of remembered submissions, which exceeds the number in flight at once. If a
 * submission is forgotten, its log lines can still be found by its id.
 */
const MOST = 4_096;

/**
 * Remembers which request began a submission, so that log lines written after the HTTP reply also
 * contain the request’s id.
 */
class RequestIds {
  readonly #bySubmission = new Map<string, string>();

  /**
   * Returns the remembered request id if the fields lack `requestId`. Remembers the id if the
   * fields contain both `submission` and `requestId`.
   */
  of({ submission, requestId }: LogFields): { readonly requestId?: string } {
    if (typeof submission !== 'string') return {};
    if (typeof requestId !== 'string') {
      const known = this.#bySubmission.get(submission);
      return known === undefined ? {} : { requestId: known };
    }
    // Only the first request created the submission. Later requests for it only return its state.
    if (this.#bySubmission.has(submission)) return {};
    const [oldest] = this.#bySubmission.keys();
    if (this.#bySubmission.size >= MOST && oldest !== undefined) this.#bySubmission.delete(oldest);
    this.#bySubmission.set(submission, requestId);
    return {};
  }
}

/** Log levels, from `debug` (most lines) to `silent` (no lines). */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const STANDARD_OUTPUT = 1;

export interface LoggerOptions {
  readonly level: LogLevel;
  /**
   * Function that receives one JSON line per call, newline included; or a file descriptor. A
   * warning or an error, and all lines before it, are written to the descriptor before the call
   * returns. Other lines are collected for 20 ms, so a killed process loses at most the lines of
   * the last 20 ms. A stopped reader, a full disk or a full pipe blocks no caller: see
   * `BoundedLines`.
   * @default standard output
   */
  readonly destination?: number | { write(line: string): void };
}

/**
 * Creates a logger that writes one JSON object per line: `level`, `time` (ISO 8601), the fields and
 * `message`. Prints only values that the kernel’s `LogFields` allows, even if a field contains
 * other values at run time; see `printableFields`. A line with a `submission` gets the `requestId`
 * that began the submission, if an earlier line contained both ids.
 */
export function createLogger({ level, destination = STANDARD_OUTPUT }: LoggerOptions): Logger {
  const stream = typeof destination === 'number' ? boundedLines(destination) : destination;
  const output = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: timeField(),
      mixin: traceFields,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const requestIds = new RequestIds();
  const at =
    (method: Exclude<LogLevel, 'silent'>): Logger['info'] =>
    (fields, message) => {
      const requestId = requestIds.of(fields);
      if (!output.isLevelEnabled(method)) return;
      output[method](printableFields({ ...requestId, ...fields }), message);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/**
 * Returns trace id and span id under OpenTelemetry’s names for JSON logs, so that log lines can be
 * found by trace.
 */
function traceFields(): object {
  const context = trace.getActiveSpan()?.spanContext();
  if (context === undefined || !isSpanContextValid(context)) return {};
  return { trace_id: context.traceId, span_id: context.spanId };
}

/**
 * Caches the time field for all lines of one millisecond, because formatting the time is a fifth of
 * the work for a line.
 */
function timeField(): () => string {
  let madeOfMs = Number.NaN;
  let field = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== madeOfMs) {
      madeOfMs = nowMs;
      field = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return field;
  };
}
