import { z } from 'zod';

/** Variable of the environment, as data. */
export interface Variable<V, P extends string | null> {
  /** Parses its text. */
  readonly schema: z.ZodType<V>;
  /**
   * Place of its value in the settings, such as `http.port`; null if it is only an input for other
   * values.
   */
  readonly place: P;
  /** Description in the documentation. */
  readonly description: string;
  /** Default, or a description of the behaviour without a value. */
  readonly fallback: string;
  /** True if a second variable, `<name>_FILE`, may name a file that contains the value. */
  readonly mayBeFile: boolean;
  /** True if most operators set it. The documentation lists these first. */
  readonly isEssential: boolean;
  /** Name that is still read, with a warning; null for none. */
  readonly former: FormerName<V> | null;
}

/** Name of a variable in the previous release. */
interface FormerName<V> {
  readonly name: string;
  /** Parses a text given under that name. */
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

/** Declares an optional variable. @param fallback meaning of its absence, in words */
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

/** Declares a variable with a default. @param fallback text that is used if it is absent */
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

/** Allows the value of the variable to be in a file. */
export const secret = <V, P extends string | null>(variable: Variable<V, P>): Variable<V, P> => ({
  ...variable,
  mayBeFile: true,
});

/** Marks the variable as one that most operators set. */
export const essential = <V, P extends string | null>(
  variable: Variable<V, P>,
): Variable<V, P> => ({ ...variable, isEssential: true });

/**
 * Adds a former name to the variable. A text under that name is still read, with a warning.
 * @param schema parses that text into the value
 */
export const formerly = <V, P extends string | null>(
  name: string,
  schema: z.ZodType<NoInfer<V>>,
  variable: Variable<V, P>,
): Variable<V, P> => ({ ...variable, former: { name, schema } });

/** Returns every environment name of the variables, each with the variable's present name. */
export function environmentNames(variables: Variables): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(variables).flatMap(([name, { mayBeFile, former }]) =>
      [name, ...(former === null ? [] : [former.name])]
        .flatMap((each) => (mayBeFile ? [each, `${each}_FILE`] : [each]))
        .map((each) => [each, name] as const),
    ),
  );
}

/** Parsed values, by the names of their variables. */
export type ValuesOf<D extends Variables> = {
  readonly [N in keyof D]: D[N] extends Variable<infer V, string | null> ? V : never;
};

/** Place and its value; an absent value is null. */
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

/** Settings arranged by the places of their variables. */
export type SettingsOf<D extends Variables> = Tree<Entry<D>>;

/** Puts each value in its variable's place; an absent value is null there. */
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
 * Returns the rows of a table that documents the variables: name, default, meaning; in their order.
 * @param part only the essential ones, or only the others; all by default
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
