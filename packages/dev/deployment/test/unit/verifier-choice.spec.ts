import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadContract } from '@sotto/contracts';
import { chooseVerifier, verifierFromEnvironment } from '../../src/stack/verifier-choice.js';

const { sierra, casm, classHash, compiledClassHash } = loadContract('UncheckedGroth16Verifier');

describe('chooseVerifier', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-verifier-'));
    await writeFile(file('sierra.json'), JSON.stringify(sierra));
    await writeFile(file('casm.json'), JSON.stringify(casm));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('chooseVerifier returns undefined if no verifier option is set', () => {
    expect(chooseVerifier({})).toBeUndefined();
  });

  it('chooseVerifier accepts a verifier contract by its address and a verifier class by its hash', () => {
    expect(chooseVerifier({ address: 5n })).toEqual({ kind: 'address', address: 5n });
    expect(chooseVerifier({ classHash: 0xabn })).toEqual({
      kind: 'class',
      contractClass: { classHash: '0xab' },
    });
  });

  it('chooseVerifier computes the hashes that nodes expect from the Sierra and CASM files of a verifier class', () => {
    const choice = chooseVerifier({
      files: { sierra: file('sierra.json'), casm: file('casm.json') },
    });
    expect(choice).toMatchObject({
      kind: 'class',
      contractClass: { classHash, compiledClassHash },
    });
  });

  it('verifierFromEnvironment reads a real verifier and its library from the files in the environment variables', () => {
    const files = { VERIFIER_SIERRA: file('sierra.json'), VERIFIER_CASM: file('casm.json') };
    expect(verifierFromEnvironment({})).toBeUndefined();
    expect(verifierFromEnvironment({ VERIFIER_SIERRA: '', VERIFIER_CASM: '' })).toBeUndefined();
    expect(verifierFromEnvironment(files)).toMatchObject({
      verifier: { kind: 'class', contractClass: { classHash } },
      libraries: [],
    });
    const withLibrary = verifierFromEnvironment({
      ...files,
      ECIP_SIERRA: file('sierra.json'),
      ECIP_CASM: file('casm.json'),
    });
    expect(withLibrary?.libraries).toMatchObject([
      { name: 'ECIP operations', classHash, compiledClassHash },
    ]);
    expect(() => verifierFromEnvironment({ VERIFIER_SIERRA: file('sierra.json') })).toThrow(
      'VERIFIER_SIERRA goes with VERIFIER_CASM',
    );
    expect(() => verifierFromEnvironment({ ...files, ECIP_CASM: file('casm.json') })).toThrow(
      'ECIP_SIERRA goes with ECIP_CASM',
    );
  });

  it('chooseVerifier rejects swapped Sierra and CASM files', () => {
    expect(() =>
      chooseVerifier({ files: { sierra: file('casm.json'), casm: file('sierra.json') } }),
    ).toThrow('sierra_program');
  });
});
