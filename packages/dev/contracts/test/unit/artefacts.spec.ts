import { describe, expect, it } from '@jest/globals';
import { hash } from 'starknet';
import { readArtefact, readManifest } from '../../scripts/artefacts.mjs';
import { findContracts } from '../../scripts/cairo-sources.mjs';
import { compileContract, findCompilers } from '../../scripts/compile-contract.mjs';
import { contractNames, loadContract } from '../../src/index.js';

const contracts = findContracts();
const manifest = readManifest();
const compilers = findCompilers();
const describeWithCompilers = compilers === undefined ? describe.skip : describe;

describe('the list of contracts', () => {
  it('the exported list of contracts equals the contracts in the Cairo sources and in the manifest', () => {
    expect([...contractNames].toSorted()).toEqual([...contracts.keys()].toSorted());
    expect(Object.keys(manifest).toSorted()).toEqual([...contracts.keys()].toSorted());
  });
});

describe.each(contractNames)('artefacts of %s', (name) => {
  it('the compiled contract comes from the current Cairo sources (else: npm run contracts:build)', () => {
    expect(manifest[name]?.sourceHash).toBe(contracts.get(name)?.sourceHash);
  });

  it('the compiled contract has the class hashes that the manifest contains', () => {
    const { sierra, casm, classHash, compiledClassHash } = loadContract(name);
    expect(hash.computeSierraContractClassHash(sierra)).toBe(classHash);
    expect(hash.computeCompiledClassHashBlake(casm)).toBe(compiledClassHash);
    for (const felt of [classHash, compiledClassHash])
      expect(felt).toMatch(/^0x[1-9a-f][0-9a-f]*$/);
  });
});

describeWithCompilers('recompiled', () => {
  it.each(contractNames)(
    'recompiling contract %s results in the committed artefact',
    async (name) => {
      expect(await recompiled(name)).toEqual(readArtefact(name));
    },
  );
});

function recompiled(name: string): ReturnType<typeof compileContract> {
  const contract = contracts.get(name);
  if (compilers === undefined || contract === undefined)
    throw new Error('nothing to compile, or nothing to compile it with');
  return compileContract(contract, compilers);
}
