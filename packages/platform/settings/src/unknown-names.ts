import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { attempt } from './read-variables.js';
import { environmentNames, type Variables } from './variables.js';

/** Names in an environment, and the variables that the program reads. */
export interface NamesToCheck {
  readonly variables: Variables;
  readonly names: readonly string[];
  /**
   * Names in settings files, with their line numbers. An unknown name in a file is always reported.
   * If a name of the environment is not in a file, it may belong to another program. So it is
   * reported only if it resembles a variable.
   */
  readonly fromFile: ReadonlyMap<string, number>;
  /** Names that the program or its tools read in addition to `variables`. */
  readonly others: readonly string[];
}

/**
 * A name that belongs to no variable. The object is safe to log, because no field contains a text
 * that may be a secret.
 */
export interface UnknownName {
  /**
   * The unknown name. Null if the name does not resemble a setting, because such a name may be part
   * of a secret value.
   */
  readonly name: string | null;
  /**
   * Variable whose name differs least from the unknown name. If `name` is null, this is the
   * variable with whose name the unknown text begins. Null if there is no such variable.
   */
  readonly nearest: string | null;
  /** Line number in the settings file. Null if the name does not come from a file. */
  readonly line: number | null;
}

/**
 * Matches words of capitals joined by underscores, like names of settings. Keys and tokens do not
 * match, because they mix capitals and small letters, or consist of one word.
 */
const SETTING = /^[A-Z]{1,20}\d{0,2}(?:_(?:[A-Z]{1,20}\d{0,2}|\d{1,2}))+$/;
/**
 * Matches any name that a shell can set, up to a maximum length. Longer names are not compared with
 * the variables.
 */
const NAME = /^[A-Za-z_]\w{0,63}$/;

/** Names that belong to the operating system, to Node and to libraries. */
const FOREIGN_NAMES = new Set(
  'HOME HOSTNAME LANG LANGUAGE LOGNAME NODE NODE_COMPILE_CACHE NODE_DEBUG NODE_ENV NODE_EXTRA_CA_CERTS NODE_ICU_DATA NODE_NO_WARNINGS NODE_OPTIONS NODE_PATH NODE_TLS_REJECT_UNAUTHORIZED NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA NODE_V8_COVERAGE NODE_VERSION NO_COLOR NO_PROXY PATH PWD SHELL SHLVL TERM TMPDIR TZ USER'.split(
    ' ',
  ),
);
const FOREIGN_FAMILIES =
  /^(?:OTEL|LC|SSL|UV|MALLOC|LD|KUBERNETES|XDG|YARN)_|^PG[A-Z]|^HTTPS?_PROXY$/;

/**
 * Returns the names that are probably misspelt, and the names of removed variables, in the sequence
 * of the environment.
 */
export function unknownNames({
  variables,
  names,
  fromFile,
  others,
}: NamesToCheck): readonly UnknownName[] {
  const known = knownNames(variables);
  const families = new Set([...known, ...others].flatMap((name) => familyOf(name) ?? []));
  const allowed = new Set([...environmentNames(variables).keys(), ...others]);
  return names.flatMap((name): readonly UnknownName[] => {
    if (allowed.has(name) || FOREIGN_NAMES.has(name) || FOREIGN_FAMILIES.test(name)) return [];
    // The value of this variable may not be in a file, because only variables for secrets have an
    // alternative `…_FILE`.
    const inFile = /^(\w+)_FILE$/.exec(name)?.[1];
    const line = fromFile.get(name) ?? null;
    if (inFile !== undefined && allowed.has(inFile)) return [{ name, nearest: inFile, line }];
    const nearest = NAME.test(name) ? nearestOf(name.toUpperCase(), known) : null;
    const isClose = nearest?.isClose === true;
    if (!fromFile.has(name) && !isClose && !families.has(familyOf(name) ?? '')) return [];
    if (nearest !== null && (isClose || SETTING.test(name)))
      return [{ name, nearest: nearest.isSimilar ? nearest.name : null, line }];
    const beginning = /^[A-Z\d_]*/.exec(name)?.[0] ?? '';
    return [{ name: null, nearest: known.includes(beginning) ? beginning : null, line }];
  });
}

/**
 * Returns the names in the files that Node has loaded into the environment, with their line
 * numbers.
 * @param nodeOptions `process.execArgv`
 */
export function namesOfEnvFiles(
  nodeOptions: readonly string[],
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): ReadonlyMap<string, number> {
  const paths = nodeOptions.flatMap((option, place) => {
    const [, path = nodeOptions[place + 1]] = /^--env-file(?:-if-exists)?(?:=(.*))?$/.exec(
      option,
    ) ?? ['', ''];
    return path === undefined || path === '' ? [] : [path];
  });
  const texts = paths.map((path) => attempt(() => readFile(path)) ?? '');
  return new Map(texts.flatMap((text) => linesOfNames(text)));
}

function linesOfNames(text: string): (readonly [string, number])[] {
  const lines = text.split('\n').map((line) => line.trim());
  return Object.keys(parseEnv(text)).map((name) => {
    const begins = (line: string): boolean =>
      line.startsWith(name) && line.slice(name.length).trimStart().startsWith('=');
    // If the value is empty, Node treats `export` as part of the name.
    const isOfName = (line: string): boolean =>
      begins(line) || begins(line.replace(/^export\s+/, ''));
    return [name, lines.findIndex(isOfName) + 1];
  });
}

/** Returns a sentence about the unknown name for an operator. */
export function describeUnknownName({ name, nearest, line }: UnknownName): string {
  if (name !== null)
    return `${name} is not a setting${nearest === null ? '' : `; the nearest name is ${nearest}`}`;
  const place =
    line === null
      ? 'a variable of the environment, which may be a secret,'
      : `line ${line} of the environment file`;
  return `${place} is no setting${nearest === null ? '' : `: = must follow ${nearest}`}`;
}

function knownNames(variables: Variables): readonly string[] {
  return Object.entries(variables).flatMap(([name, { mayBeFile }]) =>
    mayBeFile ? [name, `${name}_FILE`] : [name],
  );
}

/** Returns the first word of a name that has several words. Null otherwise. */
const familyOf = (name: string): string | null => /^[A-Z\d]+(?=_)/.exec(name)?.[0] ?? null;

interface Nearest {
  readonly name: string;
  /**
   * True if the names differ in at most a few letters, so that one is probably a misspelling of the
   * other.
   */
  readonly isClose: boolean;
  /** True if the nearest name is similar enough to be mentioned in a warning. */
  readonly isSimilar: boolean;
}

function nearestOf(name: string, known: readonly string[]): Nearest {
  let nearest = '';
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  // In a short name, at most one letter may differ. For example, HOME belongs to other programs but
  // resembles HOST.
  const slips = Math.min(3, Math.max(1, Math.floor(nearest.length / 5)));
  return {
    name: nearest,
    isClose: least <= slips,
    isSimilar: least <= Math.max(slips, name.length * 0.4),
  };
}

/**
 * Returns the edit distance of two names: the number of inserted, removed, changed and exchanged
 * letters (optimal string alignment).
 */
function editDistance(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isExchanged ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = next;
  }
  return at(last, other.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? 0;
