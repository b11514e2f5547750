import { readFileSync, statSync } from 'node:fs';
import type { ValuesOf, Variables } from './variables.js';

/**
 * Error for an invalid configuration. The message lists every problem, one per line, and contains
 * no value.
 */
export class InvalidConfiguration extends Error {
  override readonly name = 'InvalidConfiguration';

  constructor(readonly problems: readonly string[]) {
    super(
      ['the configuration has problems:', ...problems.map((problem) => `  ${problem}`)].join('\n'),
    );
  }
}

/** Sources of a configuration. Tests replace the functions, so that they need no files. */
export interface ConfigSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the text of a file. @default reads the file system */
  readonly readFile?: (path: string) => string;
  /** Returns the permission bits of a file. @default reads the file system */
  readonly modeOf?: (path: string) => number;
}

/**
 * A rule over several variables. The rule is checked if all variables in `names` are valid, even if
 * variables outside the rule are invalid. A violation is reported for the last variable of the
 * rule.
 */
export interface Rule<D extends Variables> {
  readonly names: readonly (keyof D & string)[];
  readonly message: string;
  readonly holds: (values: ValuesOf<D>) => boolean;
}

/**
 * Creates rules over these variables. A rule receives only the values of the variables in its list.
 */
export const rulesOver =
  <D extends Variables>() =>
  <const N extends keyof D & string>(
    names: readonly N[],
    message: string,
    holds: (values: Pick<ValuesOf<D>, N>) => boolean,
  ): Rule<D> => ({ names, message, holds });

export interface ReadVariables<D extends Variables> {
  /** Values of all variables. Null if a variable is invalid or violates a rule. */
  readonly values: ValuesOf<D> | null;
  /** Values of the variables that are valid and violate no rule. */
  readonly sound: Partial<ValuesOf<D>>;
  /**
   * One sentence for each problem. The sentence begins with the name of the variable and contains
   * no value.
   */
  readonly problems: readonly string[];
  /** Texts of the variables, including texts from files. An empty text is treated as absent. */
  readonly texts: Readonly<Record<string, string | undefined>>;
  /** Variables `…_FILE` whose file any user of the machine can read. */
  readonly exposedSecrets: readonly string[];
  /** One sentence for each former name that was read. The sentence begins with the former name. */
  readonly formerNames: readonly string[];
}

/** Permission bit with which any user of the machine can read the file. */
const READABLE_BY_OTHERS = 0o004;

/** Reads the variables and the files of secrets, and checks the rules. Reports every problem. */
export function readVariables<D extends Variables>(
  variables: D,
  rules: readonly Rule<D>[],
  {
    env,
    readFile = (path) => readFileSync(path, 'utf8'),
    modeOf = (path) => statSync(path).mode,
  }: ConfigSources,
): ReadVariables<D> {
  const texts = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const problems: string[] = [];
  const exposedSecrets: string[] = [];
  const unread = new Set<string>();
  const named = Object.entries(variables).flatMap(([name, { mayBeFile, former }]) =>
    !mayBeFile ? [] : former === null ? [name] : [name, former.name],
  );
  for (const name of named) {
    const path = texts[`${name}_FILE`];
    if (path === undefined) continue;
    const isTwice = texts[name] !== undefined;
    const text = attempt(() => readFile(path).trim());
    if (isTwice) problems.push(`${name}: give either ${name} or ${name}_FILE, not both`);
    if (text === null) problems.push(`${name}_FILE: cannot be read`);
    else if (((attempt(() => modeOf(path)) ?? 0) & READABLE_BY_OTHERS) !== 0)
      exposedSecrets.push(`${name}_FILE`);
    if (isTwice || text === null) unread.add(name);
    texts[name] = text ?? undefined;
  }

  const wrong = new Set<string>();
  const formerNames: string[] = [];
  /**
   * Name under which the operator has set each variable: the current name or the former name.
   * Problems contain these names.
   */
  const used = new Map<string, string>();
  const blame = (name: string, sentences: readonly string[]): void => {
    wrong.add(name);
    if (!unread.has(used.get(name) ?? name)) problems.push(...sentences);
  };
  const parsed: Record<string, unknown> = {};
  for (const [name, { schema, former }] of Object.entries(variables)) {
    const old = former?.name ?? name;
    const isFormer = former !== null && (texts[old] !== undefined || unread.has(old));
    const given = isFormer ? old : name;
    used.set(name, given);
    if (isFormer && texts[name] !== undefined) {
      blame(name, [`${given}: give either ${given} or ${name}, not both`]);
      continue;
    }
    if (isFormer) formerNames.push(`${given} is the former name of ${name}: use ${name}`);
    const result = (isFormer ? former.schema : schema).safeParse(texts[given]);
    if (result.success) parsed[name] = result.data;
    else
      blame(
        name,
        result.error.issues.map(({ path, message }) => `${placeOf([given, ...path])}: ${message}`),
      );
  }
  // CAST: what is missing here is in `wrong`, and no rule that names it is asked.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const values = parsed as ValuesOf<D>;
  for (const { names, message, holds } of rules) {
    const blamed = names.at(-1);
    if (blamed === undefined || names.some((name) => wrong.has(name)) || holds(values)) continue;
    blame(blamed, [`${used.get(blamed) ?? blamed}: ${message}`]);
  }
  const sound = Object.fromEntries(Object.entries(parsed).filter(([name]) => !wrong.has(name)));
  return {
    values: wrong.size === 0 ? values : null,
    // CAST: some of `parsed`, whose members are what their variables' schemas made.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    sound: sound as Partial<ValuesOf<D>>,
    problems,
    texts,
    exposedSecrets,
    formerNames,
  };
}

/** Formats a path in a value, such as `pools[2].address`. */
export function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

/** Returns the result of `read`, or null if it throws. */
export function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Freezes a value and all values in it recursively. Returns the value. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
