export type Environment = Readonly<Record<string, string | undefined>>;

/** Parts of the process that a command uses. */
export interface Terminal {
  readonly env: Environment;
  /** Command-line options of Node, which may contain `--env-file` with a file of variables. */
  readonly nodeOptions: readonly string[];
  /** Writes to standard output, which contains only the result. */
  readonly result: (text: string) => void;
  /** Writes progress, hints and errors to standard error. */
  readonly progress: (text: string) => void;
  /** Aborted when the operator ends the command. */
  readonly interrupted: AbortSignal;
}

export const EXIT = {
  fine: 0,
  /** Exit code if the checked object has a fault. */
  fault: 1,
  /** Exit code if the command failed or its usage was wrong. */
  notRun: 2,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Sets the exit code of a command. The code is read after the command has run. */
export type Ends = (exitCode: ExitCode) => void;

/** Error that ends the command. The message is readable and contains nothing private. */
export class CannotRun extends Error {
  override readonly name: string = 'CannotRun';

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.notRun,
  ) {
    super(message);
  }
}

/** Prints a value as a JSON line if requested, otherwise as readable text. */
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
 * Makes text from other systems safe for a terminal. Control characters become visible escapes;
 * line breaks do not change.
 */
export const harmless = (text: string): string =>
  text.replaceAll(STEERING, (character) => (character === '\n' ? character : escaped(character)));

/** Makes a JSON text safe for a terminal without changing its value. */
export const harmlessJson = (text: string): string =>
  text.replaceAll(STEERING, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Formats rows as columns that are as wide as their longest cell. The last column is not padded.
 */
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
