import type { Logger } from '@sotto/kernel';
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
   * @default standard output. Warnings and errors, and all lines before them, are written before
   *   the call returns; others are gathered for 20 ms, so that a killed process loses at most so
   *   much of them.
   */
  readonly destination?: { write(line: string): void };
}

/**
 * A logger that writes one JSON object per line: `level`, `time` (ISO 8601), the fields and
 * `message`. Whatever a field holds at run time, only what the kernel's `LogFields` allows is
 * printed; see `printableFields`.
 */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const stream = destination ?? standardOutput();
  const output = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: timeField(),
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const at =
    (method: Exclude<LogLevel, 'silent'>): Logger['info'] =>
    (fields, message) => {
      if (!output.isLevelEnabled(method)) return;
      output[method](printableFields(fields), message);
      const isUrgent = method === 'warn' || method === 'error';
      if (isUrgent && stream instanceof LineBuffer) stream.flush();
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Lines of one millisecond share its text, which takes as long to make as a fifth of a line. */
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

/**
 * Node writes to it before `write` returns when it is a file, a terminal or, but on Windows, a
 * pipe.
 */
function standardOutput(): LineBuffer {
  const buffer = new LineBuffer(process.stdout, GATHER_MS);
  process.once('exit', () => buffer.flush());
  return buffer;
}
