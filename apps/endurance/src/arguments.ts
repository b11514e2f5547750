import { parseArgs } from 'node:util';

/** The command line is wrong. The message is for people. */
export class UsageError extends Error {}

/** A whole or decimal number above 0 on the command line, with what it is when it is left out. */
type Numbers = Readonly<Record<string, number>>;

export interface Arguments<N extends Numbers> {
  readonly numbers: N;
  /** Write the report to the project's `docs`. */
  readonly write: boolean;
  /** Print the report as one line of JSON, and not for people. */
  readonly json: boolean;
}

/** Reads `--name 3 --write --json`. @throws UsageError */
export function readArguments<const N extends Numbers>(args: readonly string[], defaults: N): Arguments<{ readonly [Name in keyof N]: number }> {
  const { write, json, ...texts } = parsed(args, Object.keys(defaults));
  const numbers = Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => [name, texts[name] === undefined ? fallback : positive(name, texts[name])]),
  );
  // CAST: made from the keys of the defaults.
  return { numbers: numbers as { readonly [Name in keyof N]: number }, write: write === true, json: json === true };
}

function parsed(args: readonly string[], names: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const flag = { type: 'boolean' } as const;
  const options = { ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])), write: flag, json: flag };
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    const known = [...names.map((name) => `--${name} <number>`), '--write', '--json'].join(' ');
    throw new UsageError(`${cause instanceof Error ? cause.message : 'unreadable arguments'}; known are: ${known}`, { cause });
  }
}

function positive(name: string, text: string | boolean): number {
  const value = Number(text);
  if (!(Number.isFinite(value) && value > 0)) throw new UsageError(`--${name} must be a number above 0`);
  return value;
}
