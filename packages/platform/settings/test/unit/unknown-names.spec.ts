import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { describeUnknownName, namesOfEnvFiles, unknownNames } from '../../src/unknown-names.js';
import { optional, secret } from '../../src/variables.js';

const text = optional(null, z.string(), 'Text.', 'none');
const VARIABLES = {
  MODE: text,
  PORT: text,
  HOST: text,
  LOG_LEVEL: text,
  NODE_TIMEOUT_MS: text,
  LOSS_BUDGET_PER_POOL_FRI: text,
  RELAY_ACCOUNTS: secret(text),
};

const found = (names: readonly string[], fromFile: readonly string[] = []) =>
  unknownNames({ variables: VARIABLES, names, fromFile: new Set(fromFile), others: ['SOTTO_URL'] });

describe('unknownNames', () => {
  it.each([
    ['LOSS_BUDGET_PER_POL_FRI', 'LOSS_BUDGET_PER_POOL_FRI'],
    ['LOS_BUDGET_PER_POOL_FRI', 'LOSS_BUDGET_PER_POOL_FRI'],
    ['RELAY_ACOUNTS_FILE', 'RELAY_ACCOUNTS_FILE'],
    ['NODE_TIMOUT_MS', 'NODE_TIMEOUT_MS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
    ['PROT', 'PORT'],
    ['PORT_FILE', 'PORT'],
    ['LOSS_LIMIT', null],
    ['SOTTO_ULR', null],
  ])('O5: an environment with %s gets %s as the nearest name', (name, nearest) => {
    expect(found([name])).toEqual([{ name, nearest }]);
  });

  it('O5: an environment may have names of other programs', () => {
    const names =
      'PATH HOME HOSTNAME NODE NODE_OPTIONS NODE_ENV TZ OTEL_SERVICE_NAME PGSSLMODE KUBERNETES_PORT INVOCATION_ID EDITOR http_proxy SOTTO_URL'.split(
        ' ',
      );
    expect(found(names)).toEqual([]);
  });

  it('O5: a file of settings has no unknown name without a warning', () => {
    expect(found(['WEBHOOKS', 'TZ', 'MODE'], ['WEBHOOKS', 'TZ', 'MODE'])).toEqual([
      { name: 'WEBHOOKS', nearest: null },
    ]);
  });

  it('accepts every variable, and the file of a secret', () => {
    expect(found([...Object.keys(VARIABLES), 'RELAY_ACCOUNTS_FILE'])).toEqual([]);
  });
});

describe('describeUnknownName', () => {
  it('names the nearest variable if there is one', () => {
    expect(describeUnknownName({ name: 'LOGLEVEL', nearest: 'LOG_LEVEL' })).toBe(
      'LOGLEVEL is not a setting; the nearest name is LOG_LEVEL',
    );
    expect(describeUnknownName({ name: 'WEBHOOKS', nearest: null })).toBe(
      'WEBHOOKS is not a setting',
    );
  });
});

describe('namesOfEnvFiles', () => {
  const files: Readonly<Record<string, string>> = {
    'a.env': '# settings\nMODE=development\nexport POTR="1"\n',
    'b.env': 'HOST=::\n',
  };
  const read = (path: string): string => {
    const file = files[path];
    if (file === undefined) throw new Error('ENOENT');
    return file;
  };

  it('O5: a start with files of settings knows the names in them', () => {
    expect([...namesOfEnvFiles(['--env-file=a.env', '--env-file', 'b.env'], read)]).toEqual([
      'MODE',
      'POTR',
      'HOST',
    ]);
  });

  it('O5: a start without such a file, or with a missing one, knows none', () => {
    expect(namesOfEnvFiles(['--env-file-if-exists=none.env', '--inspect'], read).size).toBe(0);
  });
});
