import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { CompiledSierra, CompiledSierraCasm } from 'starknet';
import type { ContractName } from './constructors.js';

/** Compiled contract, which can be declared. */
export interface ContractArtefact {
  readonly name: ContractName;
  readonly sierra: CompiledSierra;
  readonly casm: CompiledSierraCasm;
  /** Class hash as a canonical felt. */
  readonly classHash: string;
  /**
   * BLAKE hash of the CASM class as a canonical felt. Declarations contain this hash since Starknet
   * 0.14.1.
   */
  readonly compiledClassHash: string;
}

const FOLDER = new URL('../artefacts/', import.meta.url);

/**
 * Reads a contract's committed artefacts without checks. The tests of this package check that the
 * files match the sources and hashes.
 * @throws Error if a file cannot be read
 */
export function loadContract(name: ContractName): ContractArtefact {
  const { classHash, compiledClassHash } = hashesOf(name);
  // CAST: written by the build script from the compilers' output, and hashed as such by the tests.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const sierra = readZipped(`${name}.sierra.json.gz`) as CompiledSierra;
  // CAST: as above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const casm = readZipped(`${name}.casm.json.gz`) as CompiledSierraCasm;
  return { name, sierra, casm, classHash, compiledClassHash };
}

function hashesOf(name: ContractName): Pick<ContractArtefact, 'classHash' | 'compiledClassHash'> {
  // CAST: written by the build script.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as Partial<
    Record<string, Pick<ContractArtefact, 'classHash' | 'compiledClassHash'>>
  >;
  const hashes = manifest[name];
  if (hashes === undefined) throw new Error(`the manifest does not name ${name}`);
  return hashes;
}

function readZipped(file: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(new URL(file, FOLDER))).toString());
}
