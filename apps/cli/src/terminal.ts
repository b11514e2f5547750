export type Environment = Readonly<Record<string, string | undefined>>;

/** Access of a command to its process. */
export interface Terminal {
  readonly env: Environment;
  /** Options of Node; they may name files of variables. */
  readonly nodeOptions: readonly string[];
  /** Standard output: only the result. */
  readonly result: (text: string) => void;
  /** Standard error: progress, hints and errors. */
  readonly progress: (text: string) => void;
  /** Aborted when the operator ends the command. */
  readonly interrupted: AbortSignal;
}

export const EXIT = {
  fine: 0,
  /** The checked object has a fault. */
  fault: 1,
  /** The command failed, or its usage was wrong. */
  notRun: 2,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Sets the exit code of a command, which is read after the command line was parsed. */
export type Ends = (exitCode: ExitCode) => void;

/** Error that ends the command. The message is for people and quotes nothing private. */
export class CannotRun extends Error {
  override readonly name: string = 'CannotRun';

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.notRun,
  ) {
    super(message);
  }
}

/** Prints a JSON line if requested, otherwise text for people. */
export function show<T>(
  { result }: Pick<Terminal, 'result'>,
  json: boolean,
  value: T,
  describe: (value: T) => string,
): void {
  result(json ? JSON.stringify(value) : describe(value));
}

/** Control and format characters, which can control a terminal or change the reading order. */
const STEERING = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Makes foreign text safe for a terminal: control characters are replaced by visible escapes. Line
 * breaks stay.
 */
export const harmless = (text: string): string =>
  text.replaceAll(STEERING, (character) => (character === '\n' ? character : escaped(character)));

/** Makes a JSON text safe for a terminal; its value stays the same. */
export const harmlessJson = (text: string): string =>
  text.replaceAll(STEERING, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Formats columns as wide as their longest cell; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return (
    rows
      .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
      // A line break in a cell would become a separate row.
      .map((line) => line.replaceAll('\n', ' ').trimEnd())
      .join('\n')
  );
}
