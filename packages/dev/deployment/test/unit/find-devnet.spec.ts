import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findDevnet } from '../../src/devnet/find-devnet.js';

describe('findDevnet', () => {
  let folder: string;
  let program: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-devnet-'));
    program = join(folder, 'starknet-devnet');
    await writeFile(program, '');
    await chmod(program, 0o755);
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('prefers the program that the variable names over the one on the PATH', async () => {
    const named = join(folder, 'another');
    await writeFile(named, '');
    await chmod(named, 0o755);
    expect(findDevnet({ STARKNET_DEVNET: named, PATH: folder })).toBe(named);
  });

  it('searches the PATH without the variable, or with an empty one', () => {
    const PATH = [join(folder, 'nothing-here'), folder].join(delimiter);
    expect(findDevnet({ PATH })).toBe(program);
    expect(findDevnet({ STARKNET_DEVNET: '', PATH })).toBe(program);
  });

  it('returns undefined if there is no executable', async () => {
    expect(findDevnet({ PATH: join(folder, 'nothing-here') })).toBeUndefined();
    expect(findDevnet({})).toBeUndefined();
    await chmod(program, 0o644);
    expect(findDevnet({ PATH: folder })).toBeUndefined();
  });

  it('rejects a variable that names no program, regardless of the PATH', () => {
    expect(() => findDevnet({ STARKNET_DEVNET: join(folder, 'missing'), PATH: folder })).toThrow(
      'STARKNET_DEVNET',
    );
  });
});
