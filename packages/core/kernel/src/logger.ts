/**
 * Values that a log line may contain. No value may be private: no recipient, nullifier, calldata,
 * proof or caller address.
 */
export type LogFields = Readonly<
  Record<string, string | number | boolean | null | undefined | Error>
>;

/** Structured log. Each line has a constant message and fields. */
export abstract class Logger {
  abstract debug(fields: LogFields, message: string): void;
  abstract info(fields: LogFields, message: string): void;
  abstract warn(fields: LogFields, message: string): void;
  abstract error(fields: LogFields, message: string): void;
}

export const silentLogger = {
  debug(_fields: LogFields, _message: string): void {},
  info(_fields: LogFields, _message: string): void {},
  warn(_fields: LogFields, _message: string): void {},
  error(_fields: LogFields, _message: string): void {},
} satisfies Logger;
