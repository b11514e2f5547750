import { isSpanContextValid, trace } from '@opentelemetry/api';
import type { Logger, LogFields } from '@sotto/kernel';
import { pino } from 'pino';
import { boundedLines } from './bounded-lines.js';
import { printableFields } from './printable.js';

/**
 * Number of remembered submissions: more than are in flight at once. Lines of a forgotten one are
 * still connected by the submission's id.
 */
const MOST = 4_096;

/**
 * Remembers which request began a submission, so that lines written after the reply also name the
 * request.
 */
class RequestIds {
  readonly #bySubmission = new Map<string, string>();

  /** Returns the request's id if the fields lack it, and learns it from fields that have both. */
  of({ submission, requestId }: LogFields): { readonly requestId?: string } {
    if (typeof submission !== 'string') return {};
    if (typeof requestId !== 'string') {
      const known = this.#bySubmission.get(submission);
      return known === undefined ? {} : { requestId: known };
    }
    // The first request began it; later ones repeat it.
    if (this.#bySubmission.has(submission)) return {};
    const [oldest] = this.#bySubmission.keys();
    if (this.#bySubmission.size >= MOST && oldest !== undefined) this.#bySubmission.delete(oldest);
    this.#bySubmission.set(submission, requestId);
    return {};
  }
}

/** Log levels, from the most detailed to none. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const STANDARD_OUTPUT = 1;

export interface LoggerOptions {
  readonly level: LogLevel;
  /**
   * Function that receives one JSON line, newline included, at a time; or a file descriptor. A
   * descriptor gets warnings and errors, and all lines before them, before the call returns. Other
   * lines are collected for 20 ms, so that a killed process loses at most the lines of that time. A
   * reader that stops, a full disk and a full pipe block no caller: see `BoundedLines`.
   * @default standard output
   */
  readonly destination?: number | { write(line: string): void };
}

/**
 * Creates a logger that writes one JSON object per line: `level`, `time` (ISO 8601), the fields and
 * `message`. Prints only values that the kernel's `LogFields` allows, also if a field contains
 * others at run time; see `printableFields`. A line about a `submission` gets the `requestId` that
 * began it, if an earlier line had both.
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
 * Returns the ids of the trace under OpenTelemetry's names for JSON logs, so that lines can be
 * found by trace.
 */
function traceFields(): object {
  const context = trace.getActiveSpan()?.spanContext();
  if (context === undefined || !isSpanContextValid(context)) return {};
  return { trace_id: context.traceId, span_id: context.spanId };
}

/** Caches the time field for lines of one millisecond. Formatting it costs a fifth of a line. */
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
