export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command has of the process around it. */
export interface Terminal {
  readonly env: Environment;
  /** Options of Node itself: they may name files of variables. */
  readonly nodeOptions: readonly string[];
  /** Standard output: the result and nothing else. */
  readonly result: (text: string) => void;
  /** Standard error: progress, hints and what went wrong. */
  readonly progress: (text: string) => void;
  /** Aborted when the operator ends the command. */
  readonly interrupted: AbortSignal;
}

export const EXIT = {
  fine: 0,
  /** What was looked at has a fault. */
  fault: 1,
  /** The command could not do its work, or was called wrongly. */
  notRun: 2,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How a command ends; its exit code is asked for when the command line was parsed. */
export type Ends = (exitCode: ExitCode) => void;

/** The command can't do its work. The message is for people and quotes nothing private. */
export class CannotRun extends Error {
  override readonly name: string = 'CannotRun';

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.notRun,
  ) {
    super(message);
  }
}

/** A JSON line where that is wanted, text for people otherwise. */
export function show<T>(
  { result }: Pick<Terminal, 'result'>,
  json: boolean,
  value: T,
  describe: (value: T) => string,
): void {
  result(json ? JSON.stringify(value) : describe(value));
}

/** Control and format characters: they steer terminals, or turn the order of what is read. */
const STEERING = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Text of nodes, services and databases as it may be written to a terminal: visible characters
 * stand for those that would steer it. Lines stay lines.
 */
export const harmless = (text: string): string =>
  text.replaceAll(STEERING, (character) => (character === '\n' ? character : escaped(character)));

/** The same of a JSON text, which stays one of the same value. */
export const harmlessJson = (text: string): string =>
  text.replaceAll(STEERING, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Columns as wide as their longest cell; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return (
    rows
      .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
      // A cell's line break would be a row of its own.
      .map((line) => line.replaceAll('\n', ' ').trimEnd())
      .join('\n')
  );
}
