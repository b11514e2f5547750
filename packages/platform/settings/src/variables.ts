import { z } from 'zod';

/** A variable of the environment, as data. */
export interface Variable<V, P extends string | null> {
  /** Schema that parses the text of the variable. */
  readonly schema: z.ZodType<V>;
  /**
   * Path of the value in the settings, such as `http.port`. Null if the variable is only an input
   * for other values.
   */
  readonly place: P;
  /** Description in the documentation. */
  readonly description: string;
  /** Default value, or a description of the behaviour without a value. */
  readonly fallback: string;
  /** True if a second variable, `<name>_FILE`, may contain the path of a file with the value. */
  readonly mayBeFile: boolean;
  /** True if most operators set the variable. The documentation lists such variables first. */
  readonly isEssential: boolean;
  /** Former name that is still read, with a warning. Null if the variable has no former name. */
  readonly former: FormerName<V> | null;
}

/** Name of a variable in the previous release, with the schema of its text. */
interface FormerName<V> {
  readonly name: string;
  /** Schema that parses a text under the former name. */
  readonly schema: z.ZodType<V>;
}
export type Variables = Readonly<Record<string, Variable<unknown, string | null>>>;

const PLAIN = { mayBeFile: false, isEssential: false, former: null };

/** Declares a variable without which the program does not start. */
export const required = <V, const P extends string | null>(
  place: P,
  schema: z.ZodType<V>,
  description: string,
): Variable<V, P> => ({ schema, place, description, fallback: 'required', ...PLAIN });

/** Declares an optional variable. @param fallback description of the behaviour without a value */
export const optional = <V, const P extends string | null>(
  place: P,
  schema: z.ZodType<V>,
  description: string,
  fallback: string,
): Variable<V | undefined, P> => ({
  schema: schema.optional(),
  place,
  description,
  fallback,
  ...PLAIN,
});

/**
 * Declares a variable with a default. @param fallback text that is parsed if the variable is absent
 */
export const withDefault = <V, const P extends string | null>(
  place: P,
  schema: z.ZodType<V, string>,
  fallback: string,
  description: string,
): Variable<V, P> => ({
  schema: z.prefault(schema, fallback),
  place,
  description,
  fallback,
  ...PLAIN,
});

/**
 * Returns the variable with `<name>_FILE` as an alternative, so that its value can be in a file.
 */
export const secret = <V, P extends string | null>(variable: Variable<V, P>): Variable<V, P> => ({
  ...variable,
  mayBeFile: true,
});

/** Returns the variable, marked as a variable that most operators set. */
export const essential = <V, P extends string | null>(
  variable: Variable<V, P>,
): Variable<V, P> => ({ ...variable, isEssential: true });

/**
 * Returns the variable with a former name. A text under the former name is still read, with a
 * warning.
 * @param schema schema that parses a text under the former name
 */
export const formerly = <V, P extends string | null>(
  name: string,
  schema: z.ZodType<NoInfer<V>>,
  variable: Variable<V, P>,
): Variable<V, P> => ({ ...variable, former: { name, schema } });

/**
 * Returns every environment name of the variables, including former names and names of files, each
 * with the current name of its variable.
 */
export function environmentNames(variables: Variables): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(variables).flatMap(([name, { mayBeFile, former }]) =>
      [name, ...(former === null ? [] : [former.name])]
        .flatMap((each) => (mayBeFile ? [each, `${each}_FILE`] : [each]))
        .map((each) => [each, name] as const),
    ),
  );
}

/** Parsed values by the names of their variables. */
export type ValuesOf<D extends Variables> = {
  readonly [N in keyof D]: D[N] extends Variable<infer V, string | null> ? V : never;
};

/** Pairs of a path in the settings and its value. An absent value is null. */
type Entry<D extends Variables> = {
  [N in keyof D]: D[N] extends Variable<infer V, infer P extends string>
    ? readonly [P, undefined extends V ? Exclude<V, undefined> | null : V]
    : never;
}[keyof D];
type Placed = readonly [string, unknown];
type Head<P> = P extends `${infer First}.${string}` ? First : P;
type Under<E extends Placed, First extends string> = E extends readonly [
  `${First}.${infer Rest}`,
  infer V,
]
  ? readonly [Rest, V]
  : never;
type At<E extends Placed, P> = E extends readonly [P, infer V] ? V : never;
type Tree<E extends Placed> = {
  readonly [First in Head<E[0]> & string]: [Under<E, First>] extends [never]
    ? At<E, First>
    : Tree<Under<E, First>>;
};

/** Settings as a tree that is formed by the paths of their variables. */
export type SettingsOf<D extends Variables> = Tree<Entry<D>>;

/** Returns the settings with each value at its variable's path. An absent value is null. */
export function settingsOf<D extends Variables>(variables: D, values: ValuesOf<D>): SettingsOf<D> {
  const settings = {};
  for (const [name, { place }] of Object.entries(variables))
    if (place !== null) put(settings, place.split('.'), values[name] ?? null);
  // CAST: `Tree` says in types what the loop does.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return settings as SettingsOf<D>;
}

function put(
  into: Record<string, unknown>,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) into[first] = value;
  else {
    // CAST: a place is either a value or a branch; two variables of one place are a slip.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const branch = (into[first] ??= {}) as Record<string, unknown>;
    put(branch, rest, value);
  }
}

/**
 * Returns the rows of a table that documents the variables (name, default, meaning) in the sequence
 * of their declaration.
 * @param part selects only the essential variables or only the other variables; all by default
 */
export function variableRows(
  variables: Variables,
  part: { readonly isEssential: boolean } | null = null,
): readonly string[] {
  const shown = Object.entries(variables).filter(
    ([, { isEssential }]) => part === null || isEssential === part.isEssential,
  );
  return shown.map(([name, { description, fallback, mayBeFile }]) => {
    const standIn = / |^(required|off|none)$/.test(fallback);
    return `| \`${name}\`${mayBeFile ? `, \`${name}_FILE\`` : ''} | ${standIn ? fallback : `\`${fallback}\``} | ${description} |`;
  });
}
