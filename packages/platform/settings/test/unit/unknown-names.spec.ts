import { parseEnv } from 'node:util';
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

const found = (names: readonly string[], fromFile: ReadonlyMap<string, number> = new Map()) =>
  unknownNames({ variables: VARIABLES, names, fromFile, others: ['SOTTO_URL'] });

/** Returns the warnings that a start with this settings file would log. */
function warnings(file: string): { readonly fields: string; readonly sentences: string[] } {
  const names = namesOfEnvFiles(['--env-file=a.env'], () => file);
  const unknown = found(Object.keys(parseEnv(file)), names);
  return { fields: JSON.stringify(unknown), sentences: unknown.map(describeUnknownName) };
}

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
  ])(
    'O5: unknownNames reports the environment variable %s, and suggests the setting %s',
    (name, nearest) => {
      expect(found([name])).toEqual([{ name, nearest, line: null }]);
    },
  );

  it('O5: unknownNames does not report environment variables of other programs', () => {
    const names =
      'PATH HOME HOSTNAME NODE NODE_OPTIONS NODE_ENV TZ OTEL_SERVICE_NAME PGSSLMODE KUBERNETES_PORT INVOCATION_ID EDITOR http_proxy SOTTO_URL'.split(
        ' ',
      );
    expect(found(names)).toEqual([]);
  });

  it('O5: unknownNames reports every unknown name in an environment file', () => {
    const file = new Map([
      ['WEB_HOOKS', 1],
      ['TZ', 2],
      ['MODE', 3],
    ]);
    expect(found([...file.keys()], file)).toEqual([{ name: 'WEB_HOOKS', nearest: null, line: 1 }]);
  });

  it('O5: unknownNames does not report known settings or the `_FILE` variable of a secret', () => {
    expect(found([...Object.keys(VARIABLES), 'RELAY_ACCOUNTS_FILE'])).toEqual([]);
  });
});

describe('O5: a warning of an unknown name', () => {
  it('the warning about an unknown name suggests the most similar setting', () => {
    expect(describeUnknownName({ name: 'LOGLEVEL', nearest: 'LOG_LEVEL', line: null })).toBe(
      'LOGLEVEL is not a setting; the nearest name is LOG_LEVEL',
    );
    expect(describeUnknownName({ name: 'WEB_HOOKS', nearest: null, line: 3 })).toBe(
      'WEB_HOOKS is not a setting',
    );
  });

  it.each([
    ['RELAY_ACCOUNTS: postgres://u:hunter2SECRET@h/db?sslmode=x', 'RELAY_ACCOUNTS'],
    ['RELAY_ACCOUNTS hunter2SECRET=x', 'RELAY_ACCOUNTS'],
    ['LOSS_BUDGET_PER_POOL_FRI:2S=x', 'LOSS_BUDGET_PER_POOL_FRI'],
    ['postgres://u:hunter2SECRET@h/db?sslmode=x', null],
    ['MIIEvSECRETBASE64hunter2==', null],
    ['hunter2SECRET=', null],
    ['JBSWY3DPEHPK3PXPSECRET=', null],
    ['c2VjcmV0_hunter2SECRET_c2VjcmV0=x', null],
    ['whsec_hunter2SECRET=x', null],
    ['SECRET2A_7F3K9QZ1=x', null],
    [`A_${'SECRET_'.repeat(50)}B=x`, null],
    ['SECRET\u001B[2J_PER=x', null],
  ])(
    'the warning about an unknown name in an environment file omits a line that may contain a secret: %s',
    (line, setting) => {
      const { fields, sentences } = warnings(`# settings\nMODE=x\n\n  export ${line}\nPORT=1\n`);
      expect(sentences).toEqual([
        `line 4 of the environment file is no setting${setting === null ? '' : `: = must follow ${setting}`}`,
      ]);
      expect(fields + sentences.join('')).not.toMatch(/hunter2|SECRET|2S|postgres/);
    },
  );

  it('the warning about an environment variable omits a name that may contain a secret', () => {
    const unknown = found(['LOG_LEVEL: hunter2', `LOG_${'a'.repeat(5_000)}`]);
    expect(unknown).toEqual([
      { name: null, nearest: 'LOG_LEVEL', line: null },
      { name: null, nearest: null, line: null },
    ]);
    expect(unknown.map(describeUnknownName)).toEqual([
      'a variable of the environment, which may be a secret, is no setting: = must follow LOG_LEVEL',
      'a variable of the environment, which may be a secret, is no setting',
    ]);
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

  it('O5: namesOfEnvFiles returns the names in the environment files with which Node was started', () => {
    expect([...namesOfEnvFiles(['--env-file=a.env', '--env-file', 'b.env'], read)]).toEqual([
      ['MODE', 2],
      ['POTR', 3],
      ['HOST', 1],
    ]);
  });

  it('O5: namesOfEnvFiles returns no names if Node was started without an environment file, or if the file is missing', () => {
    expect(namesOfEnvFiles(['--env-file-if-exists=none.env', '--inspect'], read).size).toBe(0);
  });
});
