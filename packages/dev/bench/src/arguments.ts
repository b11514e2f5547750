import { parseOptions, UsageError } from '@sotto/load-kit/report';
import { CASES, type CaseName } from './cases/cases.js';

export interface Arguments {
  readonly cases: readonly CaseName[];
  /** True to run for some seconds only, which tests that every case works. */
  readonly short: boolean;
  /** True to write the report into the measured documents, and to store its raw results. */
  readonly write: boolean;
  /** True to profile the service instead of measuring it. */
  readonly profile: boolean;
  /** True to build and measure the native program instead of the service. */
  readonly native: boolean;
}

const OPTIONS = {
  only: { type: 'string' },
  short: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  profile: { type: 'boolean', default: false },
  native: { type: 'boolean', default: false },
} as const;
const KNOWN = '--only NAMES, --short, --write, --profile, --native';

/** Parses arguments such as `--only cost,reads --short --write`. @throws UsageError */
export function readArguments(args: readonly string[]): Arguments {
  const { only, ...flags } = parseOptions(args, OPTIONS, KNOWN);
  const cases = only === undefined ? names : only.split(',').map(caseName);
  if (flags.write && (flags.short || only !== undefined))
    throw new UsageError('only a whole run may be written to the documents');
  return { cases, ...flags };
}

const isCaseName = (name: string): name is CaseName => Object.hasOwn(CASES, name);
const names = Object.keys(CASES).filter(isCaseName);

function caseName(text: string): CaseName {
  if (!isCaseName(text))
    throw new UsageError(`there is no case ${text}; known are ${names.join(', ')}`);
  return text;
}
