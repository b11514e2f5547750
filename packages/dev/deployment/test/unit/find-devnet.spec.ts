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

  it('findDevnet prefers the program in STARKNET_DEVNET over the program on the PATH', async () => {
    const named = join(folder, 'another');
    await writeFile(named, '');
    await chmod(named, 0o755);
    expect(findDevnet({ STARKNET_DEVNET: named, PATH: folder })).toBe(named);
  });

  it('findDevnet searches the PATH if STARKNET_DEVNET is missing or has no content', () => {
    const PATH = [join(folder, 'nothing-here'), folder].join(delimiter);
    expect(findDevnet({ PATH })).toBe(program);
    expect(findDevnet({ STARKNET_DEVNET: '', PATH })).toBe(program);
  });

  it('findDevnet returns undefined if no executable is found', async () => {
    expect(findDevnet({ PATH: join(folder, 'nothing-here') })).toBeUndefined();
    expect(findDevnet({})).toBeUndefined();
    await chmod(program, 0o644);
    expect(findDevnet({ PATH: folder })).toBeUndefined();
  });

  it('findDevnet rejects a STARKNET_DEVNET that is not the path of a program, even if the PATH contains devnet', () => {
    expect(() => findDevnet({ STARKNET_DEVNET: join(folder, 'missing'), PATH: folder })).toThrow(
      'STARKNET_DEVNET',
    );
  });
});
