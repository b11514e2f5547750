import { parseOptions, UsageError } from '@sotto/load-kit/report';

/**
 * Numeric options by name, with their defaults. Each value is a whole or decimal number above 0.
 */
type Numbers = Readonly<Record<string, number>>;

export interface Arguments<N extends Numbers> {
  readonly numbers: N;
  /** Values of the command's text options, by name. An option that is not given has no entry. */
  readonly words: Readonly<Record<string, string>>;
  /** Names of the flags that are given. */
  readonly flags: ReadonlySet<string>;
  /** True to write the report to the project's `docs/measured`. */
  readonly write: boolean;
  /** True to print the report as one line of JSON instead of text. */
  readonly json: boolean;
}

/** Parses arguments such as `--name 3 --word T6 --flag --write --json`. @throws UsageError */
export function readArguments<const N extends Numbers>(
  args: readonly string[],
  defaults: N,
  flags: readonly string[] = [],
  words: readonly string[] = [],
): Arguments<{ readonly [Name in keyof N]: number }> {
  const { write, json, ...given } = parsed(args, Object.keys(defaults), words, flags);
  const numbers = Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => [
      name,
      given[name] === undefined ? fallback : positive(name, given[name]),
    ]),
  );
  return {
    // CAST: the entries have the keys of the defaults.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    numbers: numbers as { readonly [Name in keyof N]: number },
    words: Object.fromEntries(
      words.flatMap((name) => {
        const word = given[name];
        return typeof word === 'string' ? [[name, word]] : [];
      }),
    ),
    flags: new Set(flags.filter((flag) => given[flag] === true)),
    write: write === true,
    json: json === true,
  };
}

function parsed(
  args: readonly string[],
  names: readonly string[],
  words: readonly string[],
  flags: readonly string[],
): Readonly<Record<string, string | boolean | undefined>> {
  const all = [...flags, 'write', 'json'];
  const options = { ...optionsOf([...names, ...words], 'string'), ...optionsOf(all, 'boolean') };
  const known = [
    ...names.map((name) => `--${name} <number>`),
    ...words.map((name) => `--${name} <word>`),
    ...all.map((name) => `--${name}`),
  ];
  return parseOptions(args, options, known.join(' '));
}

function optionsOf<T extends 'string' | 'boolean'>(
  names: readonly string[],
  type: T,
): Readonly<Record<string, { readonly type: T }>> {
  return Object.fromEntries(names.map((name) => [name, { type }]));
}

function positive(name: string, text: string | boolean): number {
  const value = Number(text);
  if (!(Number.isFinite(value) && value > 0))
    throw new UsageError(`--${name} must be a number above 0`);
  return value;
}
