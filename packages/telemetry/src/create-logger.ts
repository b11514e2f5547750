import type { LogFields, Logger } from '@sotto/kernel';
import { pino } from 'pino';
import { LineBuffer } from './line-buffer.js';
import { printableFields } from './printable.js';

/** From everything to nothing. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A write to standard output costs more than ten lines do. */
const GATHER_MS = 20;

export interface LoggerOptions {
  readonly level: LogLevel;
  /**
   * Takes one JSON line, newline included, at a time.
   * @default standard output. Warnings and errors, and all lines before them, are written before the call returns; others are gathered for
   * {@link GATHER_MS}, so that a killed process loses at most so much of them.
   */
  readonly destination?: { write(line: string): void };
}

/**
 * A logger that writes one JSON object per line: `time` (ISO 8601), `level`, `message` and the fields.
 * Whatever a field holds at run time, only what {@link LogFields} allows is printed; see `printableFields`.
 */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const buffer = destination === undefined ? standardOutput() : null;
  const output = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: isoTime(),
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? buffer ?? undefined,
  );
  const at =
    (method: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: LogFields, message: string): void => {
      if (!output.isLevelEnabled(method)) return;
      output[method](printableFields(fields), message);
      if (method === 'warn' || method === 'error') buffer?.flush();
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** The time as a field of a line that has begun. Many lines are of one millisecond, so its text is made once. */
function isoTime(): () => string {
  let ofMs = Number.NaN;
  let field = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== ofMs) field = `,"time":"${new Date(nowMs).toISOString()}"`;
    ofMs = nowMs;
    return field;
  };
}

function standardOutput(): LineBuffer {
  const buffer = new LineBuffer(pino.destination({ fd: 1, sync: true }), GATHER_MS);
  process.once('exit', () => buffer.flush());
  return buffer;
}
