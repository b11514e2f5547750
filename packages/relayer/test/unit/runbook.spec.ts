import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { environment, files, OWN_VERIFICATION_KEY, profile } from '@sotto/process-kit/environment';
import { InvalidConfiguration, loadConfig } from '../../src/index.js';

const RUNBOOK = readFileSync(new URL('../../../../docs/runbook.md', import.meta.url), 'utf8');
const [, START = ''] = /^## Start\n([^]*?)^#/m.exec(RUNBOOK) ?? [];
const [, BLOCK = ''] = /^```\n([^]*?)^```$/m.exec(START) ?? [];
/** Variables that the runbook's commands set. */
const VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  [...BLOCK.matchAll(/(?:^|\s)([A-Z][A-Z_]*)=(\S+)/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);

/** Returns the problems of these variables in production; each file contains a valid value. */
function problemsOf(
  env: Readonly<Record<string, string>>,
  networkProfile: object,
): readonly string[] {
  const contents = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const content = name.endsWith('_FILE') ? environment[name.slice(0, -'_FILE'.length)] : '';
      return content === undefined || content === '' ? [] : [[value, content]];
    }),
  );
  const readFile = files({
    ...contents,
    [env['NETWORK_PROFILE'] ?? '']: JSON.stringify(networkProfile),
    [env['VERIFICATION_KEY_PATH'] ?? '']: OWN_VERIFICATION_KEY,
  });
  try {
    loadConfig({ env, readFile, modeOf: () => 0o600 });
    return [];
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.problems;
    throw error;
  }
}

const { lendingPools: _lendingPools, verificationKey: _key, ...pools } = profile;

describe('the start in the runbook', () => {
  it('the start command in the runbook sets all variables that production requires', () => {
    expect(Object.keys(VARIABLES).length).toBeGreaterThan(5);
    expect(problemsOf(VARIABLES, pools)).toEqual([]);
  });

  it.each(Object.keys(VARIABLES).filter((name) => name !== 'DATABASE_PATH'))(
    'the start command in the runbook contains no unnecessary variable: %s',
    (name) => {
      const { [name]: _left, ...others } = VARIABLES;
      expect(problemsOf(others, pools)).not.toEqual([]);
    },
  );

  it('the runbook lists the additional variables that a profile with lending pools requires', () => {
    const problems = problemsOf(VARIABLES, { ...pools, lendingPools: profile.lendingPools });
    const required = problems.map((problem) => problem.slice(0, problem.indexOf(':')));
    expect(required).toEqual(['REWARDS_URL']);
    for (const name of required) expect(START).toContain(`\`${name}\``);
  });
});
