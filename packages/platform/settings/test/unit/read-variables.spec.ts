import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  SecretUrl,
  optional,
  readVariables,
  required,
  rulesOver,
  secret,
  settingsOf,
  variableRows,
  wholeNumber,
  withDefault,
} from '../../src/index.js';

const VARIABLES = {
  PORT: withDefault('http.port', wholeNumber(1, 9), '3', 'Port.'),
  HOST: optional('http.host', z.string(), 'Host.', 'none: all of them'),
  UPSTREAM: secret(required('upstream', SecretUrl, 'Address.')),
  LIMIT: optional(null, wholeNumber(1, 9), 'Limit.', 'none'),
};
const rule = rulesOver<typeof VARIABLES>();
const RULES = [
  rule(['PORT', 'LIMIT'], 'must be above PORT', ({ PORT, LIMIT = 9 }) => LIMIT > PORT),
  rule(
    ['HOST', 'LIMIT'],
    'goes with HOST',
    ({ HOST, LIMIT }) => (HOST === undefined) === (LIMIT === undefined),
  ),
];

const read = (env: Readonly<Record<string, string>>) =>
  readVariables(VARIABLES, RULES, {
    env,
    readFile: (path) => {
      if (path === '/absent') throw new Error('ENOENT');
      return 'https://upstream.example/key\n';
    },
    modeOf: (path) => (path === '/open' ? 0o644 : 0o640),
  });

describe('readVariables', () => {
  it('readVariables stores each value at the path that belongs to its variable', () => {
    const { values, problems } = read({ UPSTREAM: 'https://upstream.example', HOST: '' });
    expect(problems).toEqual([]);
    if (values === null) throw new Error('nothing was read');
    const settings = settingsOf(VARIABLES, values);
    expect(settings.http).toEqual({ port: 3, host: null });
    expect(settings.upstream.reveal()).toBe('https://upstream.example');
    expect(Object.keys(settings)).toEqual(['http', 'upstream']);
  });

  it('readVariables reads a secret from the file that its `_FILE` variable names', () => {
    const { values, exposedSecrets } = read({ UPSTREAM_FILE: '/open' });
    expect(values?.UPSTREAM.reveal()).toBe('https://upstream.example/key');
    expect(exposedSecrets).toEqual(['UPSTREAM_FILE']);
    expect(read({ UPSTREAM_FILE: '/closed' }).exposedSecrets).toEqual([]);
  });

  it.each([
    ['a value out of bounds', { PORT: '0' }, ['PORT: must be a whole number from 1 to 9']],
    ['an absent one that is required', { UPSTREAM: '' }, ['UPSTREAM: is required']],
    [
      'a file that is not there',
      { UPSTREAM: '', UPSTREAM_FILE: '/absent' },
      ['UPSTREAM_FILE: cannot be read'],
    ],
    [
      'a value beside its file',
      { UPSTREAM_FILE: '/closed' },
      ['UPSTREAM: give either UPSTREAM or UPSTREAM_FILE, not both'],
    ],
    ['a broken rule, once for each variable', { LIMIT: '2' }, ['LIMIT: must be above PORT']],
    [
      'no rule over a variable that is wrong itself',
      { PORT: 'x', LIMIT: '2', HOST: 'h' },
      ['PORT: must be a whole number from 1 to 9'],
    ],
  ])('the function readVariables reports %s', (_name, env, problems) => {
    expect(read({ UPSTREAM: 'https://upstream.example', ...env }).problems).toEqual(problems);
  });

  it('variableRows returns one documentation row for each variable', () => {
    expect(variableRows(VARIABLES)).toEqual([
      '| `PORT` | `3` | Port. |',
      '| `HOST` | none: all of them | Host. |',
      '| `UPSTREAM`, `UPSTREAM_FILE` | required | Address. |',
      '| `LIMIT` | none | Limit. |',
    ]);
  });
});
