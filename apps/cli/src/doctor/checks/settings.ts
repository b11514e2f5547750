import { VARIABLES } from '@sotto/relayer';
import { environmentNames, type Variables } from '@sotto/settings';
import type { ProblemCode } from '../catalogue.js';
import { found, type CheckFinding } from '../finding.js';

/**
 * Codes of findings, with the pattern of the problem's text that each code belongs to. The first
 * pattern that matches determines the code.
 */
const CODES: readonly (readonly [RegExp, ProblemCode])[] = [
  [/: this is a development key/, 'DEVELOPMENT_KEY'],
  [/: a sample key is set here/, 'SAMPLE_KEY'],
  [/an address is listed twice|one account has one sequence of nonces/, 'ACCOUNT_TWICE'],
  [/^PAUSED_POOLS: names a pool/, 'UNKNOWN_POOL'],
  [/cannot be read/, 'FILE_UNREADABLE'],
  [/: is required/, 'SETTING_MISSING'],
  [/^NETWORK_PROFILE: /, 'PROFILE_INVALID'],
];

const DECLARED: Variables = VARIABLES;
const MEANINGS: ReadonlyMap<string, string> = new Map(
  [...environmentNames(VARIABLES)].flatMap(([name, setting]) => {
    const { description } = DECLARED[setting] ?? {};
    if (description === undefined) return [];
    // If the former name of a setting is used, its value has the old format. The description
    // explains the format of the new name.
    const isFormer = name !== setting && name !== `${setting}_FILE`;
    const instead = `set ${setting} in its place, and remove ${name}. ${setting}: ${description}`;
    return [[name, isFormer ? instead : description]];
  }),
);
const REMOVED = /^\w+: is no longer a setting/;

/**
 * Converts the text of a settings problem to a finding. The text begins with the name of the
 * variable.
 */
export function settingsFinding(problem: string): CheckFinding {
  const [, code = 'SETTING_INVALID'] = CODES.find(([sentence]) => sentence.test(problem)) ?? [];
  const name = /^\w+/.exec(problem)?.[0] ?? 'settings';
  const meaning = REMOVED.test(problem)
    ? 'this release has no such setting, so remove it.'
    : (MEANINGS.get(name) ?? 'see its description.');
  return found(code, { name, problem, meaning });
}
