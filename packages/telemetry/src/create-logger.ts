import type { LogFields, Logger } from '@sotto/kernel';
import { pino } from 'pino';
import { printableFields } from './printable.js';

/** From everything to nothing. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  readonly level: LogLevel;
  /**
   * Takes one JSON line, newline included, at a time.
   * @default standard output, written before the call returns, so that a killed process loses no line
   */
  readonly destination?: { write(line: string): void };
}

/**
 * A logger that writes one JSON object per line: `time` (ISO 8601), `level`, `message` and the fields.
 * Whatever a field holds at run time, only what {@link LogFields} allows is printed; see `printableFields`.
 */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const output = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
  const at =
    (method: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: LogFields, message: string): void => {
      if (output.isLevelEnabled(method)) output[method](printableFields(fields), message);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
