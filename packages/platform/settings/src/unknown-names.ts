import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { attempt } from './read-variables.js';
import type { Variables } from './variables.js';

/** Names of an environment, and the program that reads it. */
export interface NamesToCheck {
  readonly variables: Variables;
  readonly names: readonly string[];
  /**
   * Names of a file of settings. An unknown one is always reported. Of the rest of an environment,
   * which other programs fill too, only names that resemble a variable are.
   */
  readonly fromFile: ReadonlySet<string>;
  /** Names that the program or its tools read outside of the variables. */
  readonly others: readonly string[];
}

export interface UnknownName {
  readonly name: string;
  /** The variable whose name differs least; null if none is similar. */
  readonly nearest: string | null;
}

/** Variables of the operating system, of Node and of libraries. */
const FOREIGN_NAMES = new Set(
  'HOME HOSTNAME LANG LANGUAGE LOGNAME NODE NODE_COMPILE_CACHE NODE_DEBUG NODE_ENV NODE_EXTRA_CA_CERTS NODE_ICU_DATA NODE_NO_WARNINGS NODE_OPTIONS NODE_PATH NODE_TLS_REJECT_UNAUTHORIZED NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA NODE_V8_COVERAGE NODE_VERSION NO_COLOR NO_PROXY PATH PWD SHELL SHLVL TERM TMPDIR TZ USER'.split(
    ' ',
  ),
);
const FOREIGN_FAMILIES =
  /^(?:OTEL|LC|SSL|UV|MALLOC|LD|KUBERNETES|XDG|YARN)_|^PG[A-Z]|^HTTPS?_PROXY$/;

/** Finds names that are probably misspelt or were removed, in the order of the environment. */
export function unknownNames({
  variables,
  names,
  fromFile,
  others,
}: NamesToCheck): readonly UnknownName[] {
  const known = knownNames(variables);
  const families = new Set([...known, ...others].flatMap((name) => familyOf(name) ?? []));
  const allowed = new Set([...known, ...others]);
  return names.flatMap((name): readonly UnknownName[] => {
    if (allowed.has(name) || FOREIGN_NAMES.has(name) || FOREIGN_FAMILIES.test(name)) return [];
    // A value of this variable may not stand in a file.
    const inFile = /^(\w+)_FILE$/.exec(name)?.[1];
    if (inFile !== undefined && allowed.has(inFile)) return [{ name, nearest: inFile }];
    const nearest = nearestOf(name.toUpperCase(), known);
    const isReported = fromFile.has(name) || nearest.isClose || families.has(familyOf(name) ?? '');
    return isReported ? [{ name, nearest: nearest.isSimilar ? nearest.name : null }] : [];
  });
}

/**
 * Returns the names in the files that Node has read into the environment.
 * @param nodeOptions `process.execArgv`
 */
export function namesOfEnvFiles(
  nodeOptions: readonly string[],
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): ReadonlySet<string> {
  const paths = nodeOptions.flatMap((option, place) => {
    const [, path = nodeOptions[place + 1]] = /^--env-file(?:-if-exists)?(?:=(.*))?$/.exec(
      option,
    ) ?? ['', ''];
    return path === undefined || path === '' ? [] : [path];
  });
  const texts = paths.map((path) => attempt(() => readFile(path)) ?? '');
  return new Set(texts.flatMap((text) => Object.keys(parseEnv(text))));
}

/** Describes the name for an operator. */
export const describeUnknownName = ({ name, nearest }: UnknownName): string =>
  `${name} is not a setting${nearest === null ? '' : `; the nearest name is ${nearest}`}`;

function knownNames(variables: Variables): readonly string[] {
  return Object.entries(variables).flatMap(([name, { mayBeFile }]) =>
    mayBeFile ? [name, `${name}_FILE`] : [name],
  );
}

/** First word of a name of several words. */
const familyOf = (name: string): string | null => /^[A-Z\d]+(?=_)/.exec(name)?.[0] ?? null;

interface Nearest {
  readonly name: string;
  /** The names differ in so few letters that one is a slip of the other. */
  readonly isClose: boolean;
  /** The nearest name is worth mentioning. */
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
  // Short names of other programs resemble short variables: HOME and HOST.
  const slips = Math.min(3, Math.max(1, Math.floor(nearest.length / 5)));
  return {
    name: nearest,
    isClose: least <= slips,
    isSimilar: least <= Math.max(slips, name.length * 0.4),
  };
}

/** Counts inserted, removed, changed and exchanged letters (optimal string alignment). */
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
