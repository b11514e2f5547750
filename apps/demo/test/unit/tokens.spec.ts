import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TokenFiles } from '../../src/stack/tokens.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-tokens-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const made = {
  curator: { token: 'of this run', isGiven: false },
  operator: { token: 'of its operator', isGiven: false },
};

describe('TokenFiles', () => {
  it('the demonstration writes its API tokens to files that only this user can read', () => {
    writeFileSync(join(folder, 'curator-token'), 'of an earlier run', { mode: 0o644 });
    const files = TokenFiles.write(made, folder);
    for (const role of ['curator', 'operator'] as const) {
      const file = join(folder, `${role}-token`);
      expect(files.inShell[role]).toBe(`$(cat ${file})`);
      expect(readFileSync(file, 'utf8')).toBe(made[role].token);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    files.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('the demonstration writes no file for an API token from the caller’s environment', () => {
    const files = TokenFiles.write({ ...made, curator: { token: 'mine', isGiven: true } }, folder);
    expect(files.inShell.curator).toBe('$CURATOR_API_TOKEN');
    expect(existsSync(join(folder, 'curator-token'))).toBe(false);
    expect(existsSync(join(folder, 'operator-token'))).toBe(true);
  });
});
