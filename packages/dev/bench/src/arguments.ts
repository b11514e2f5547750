import { parseArgs } from 'node:util';
import { CASES, type CaseName } from './cases/cases.js';

/** The command line is wrong. The message is for people. */
export class UsageError extends Error {}

export interface Arguments {
  readonly cases: readonly CaseName[];
  /** Some seconds only, to show that everything runs. */
  readonly short: boolean;
  /** Put the report into the documents, and keep the raw results with them. */
  readonly write: boolean;
  /** Show where the service's time goes, and measure nothing. */
  readonly profile: boolean;
}

const OPTIONS = {
  only: { type: 'string' },
  short: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  profile: { type: 'boolean', default: false },
} as const;

/** Reads `--only cost,reads --short --write`. @throws UsageError */
export function readArguments(args: readonly string[]): Arguments {
  const { only, short, write, profile } = parsed(args);
  const cases = only === undefined ? names : only.split(',').map(caseName);
  if (write && (short || only !== undefined))
    throw new UsageError('only a whole run may be written to the documents');
  return { cases, short, write, profile };
}

function parsed(args: readonly string[]): {
  only?: string;
  short: boolean;
  write: boolean;
  profile: boolean;
} {
  try {
    const { only, ...flags } = parseArgs({
      args: [...args],
      options: OPTIONS,
      strict: true,
      allowPositionals: false,
    }).values;
    return { ...flags, ...(only === undefined ? {} : { only }) };
  } catch (cause) {
    throw new UsageError(
      `${cause instanceof Error ? cause.message : 'unreadable arguments'}; known are --only NAMES, --short, --write, --profile`,
      {
        cause,
      },
    );
  }
}

const isCaseName = (name: string): name is CaseName => Object.hasOwn(CASES, name);
const names = Object.keys(CASES).filter(isCaseName);

function caseName(text: string): CaseName {
  if (!isCaseName(text))
    throw new UsageError(`there is no case ${text}; known are ${names.join(', ')}`);
  return text;
}
