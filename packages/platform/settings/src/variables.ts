import { z } from 'zod';

/** A variable of the environment, as data. */
export interface Variable<V, P extends string | null> {
  /** Parses its text. */
  readonly schema: z.ZodType<V>;
  /**
   * Where its value stands in the settings, such as `http.port`; null where it is only an
   * ingredient.
   */
  readonly place: P;
  /** Its line in the documentation. */
  readonly description: string;
  /** The default, or what stands for one. */
  readonly fallback: string;
  /** Whether a twin, `<name>_FILE`, may name a file that holds the value. */
  readonly mayBeFile: boolean;
  /** True if most operators set it. The documentation lists these first. */
  readonly isEssential: boolean;
  /** A name that is still read, with a warning; null for none. */
  readonly former: FormerName<V> | null;
}

/** A variable's name in the release before. */
interface FormerName<V> {
  readonly name: string;
  /** Parses the text that was given under it. */
  readonly schema: z.ZodType<V>;
}
export type Variables = Readonly<Record<string, Variable<unknown, string | null>>>;

const PLAIN = { mayBeFile: false, isEssential: false, former: null };

/** Without it nothing starts. */
export const required = <V, const P extends string | null>(
  place: P,
  schema: z.ZodType<V>,
  description: string,
): Variable<V, P> => ({ schema, place, description, fallback: 'required', ...PLAIN });

/** @param fallback what its absence means, in words */
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

/** @param fallback the text that stands for it when it is absent */
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

/** The same variable; its value may stand in a file. */
export const secret = <V, P extends string | null>(variable: Variable<V, P>): Variable<V, P> => ({
  ...variable,
  mayBeFile: true,
});

/** The same variable; most operators set it. */
export const essential = <V, P extends string | null>(
  variable: Variable<V, P>,
): Variable<V, P> => ({ ...variable, isEssential: true });

/**
 * The same variable; a text under its former name is still read, with a warning.
 * @param schema parses that text into the value
 */
export const formerly = <V, P extends string | null>(
  name: string,
  schema: z.ZodType<NoInfer<V>>,
  variable: Variable<V, P>,
): Variable<V, P> => ({ ...variable, former: { name, schema } });

/** Every name of the environment that a variable is read from, with the variable's own name. */
export function environmentNames(variables: Variables): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(variables).flatMap(([name, { mayBeFile, former }]) =>
      [name, ...(former === null ? [] : [former.name])]
        .flatMap((each) => (mayBeFile ? [each, `${each}_FILE`] : [each]))
        .map((each) => [each, name] as const),
    ),
  );
}

/** The parsed values, by the names of their variables. */
export type ValuesOf<D extends Variables> = {
  readonly [N in keyof D]: D[N] extends Variable<infer V, string | null> ? V : never;
};

/** A place with the value that stands there; an absent value is null. */
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

/** Settings as the places of their variables say. */
export type SettingsOf<D extends Variables> = Tree<Entry<D>>;

/** Puts each value where its variable says; a value that is absent is null there. */
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
 * Rows of a table that documents the variables: name, default, meaning; in their order.
 * @param part only those that are essential, or only those that are not; all by default
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
