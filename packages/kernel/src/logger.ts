/** Values that may stand in a log line. Nothing private: no recipient, nullifier, calldata, proof or caller address. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined | Error>>;

/** Structured log: a constant message and fields. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export const Logger: unique symbol = Symbol.for('@sotto/kernel/Logger');

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
