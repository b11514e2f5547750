import { readFileSync } from 'node:fs';
import { toFelt } from '@sotto/kernel';
import { hash, json, type CompiledSierra, type CompiledSierraCasm } from 'starknet';
import { z } from 'zod';
import type { SierraArtefact } from '../node/starknet-sender.js';
import type { VerifierChoice } from './stack-contracts.js';

/** Paths of the two files that a compiler writes for one class. */
interface ClassFiles {
  readonly sierra: string;
  readonly casm: string;
}

/** Source of a verifier. Set only one of the three fields. */
export interface VerifierSource {
  readonly address?: bigint | undefined;
  readonly classHash?: bigint | undefined;
  readonly files?: ClassFiles | undefined;
}

const Sierra = z.looseObject({
  sierra_program: z.array(z.string()).min(1),
  entry_points_by_type: z.looseObject({}),
});
const Casm = z.looseObject({ bytecode: z.array(z.string()).min(1) });

/**
 * Returns the verifier of a stack, or undefined for the development verifier.
 * @throws Error if a file is not the output of a compiler
 */
export function chooseVerifier({
  address,
  classHash,
  files,
}: VerifierSource): VerifierChoice | undefined {
  if (address !== undefined) return { kind: 'address', address };
  if (classHash !== undefined)
    return { kind: 'class', contractClass: { classHash: toFelt(classHash) } };
  return files === undefined
    ? undefined
    : { kind: 'class', contractClass: readClass('verifier', files) };
}

/**
 * Returns the classes that a verifier calls as libraries: Garaga's operations on elliptic curves.
 * If these classes are not declared, every proof fails.
 * @throws Error, see {@link chooseVerifier}
 */
export function verifierLibraries(ecip: ClassFiles | undefined): readonly SierraArtefact[] {
  return ecip === undefined ? [] : [readClass('ECIP operations', ecip)];
}

/**
 * Returns the real verifier whose files are set in the environment by `VERIFIER_SIERRA` and
 * `VERIFIER_CASM`. If the verifier's library is not declared yet, `ECIP_SIERRA` and `ECIP_CASM`
 * contain the files of the library. Returns undefined if no file is set.
 * @throws Error if only one file of a pair is set
 */
export function verifierFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
):
  { readonly verifier: VerifierChoice; readonly libraries: readonly SierraArtefact[] } | undefined {
  const files = filesOf(env, 'VERIFIER');
  const verifier = chooseVerifier({ files });
  return verifier === undefined
    ? undefined
    : { verifier, libraries: verifierLibraries(filesOf(env, 'ECIP')) };
}

function filesOf(
  env: Readonly<Record<string, string | undefined>>,
  name: 'VERIFIER' | 'ECIP',
): ClassFiles | undefined {
  const { [`${name}_SIERRA`]: sierra = '', [`${name}_CASM`]: casm = '' } = env;
  if ((sierra === '') !== (casm === '')) throw new Error(`${name}_SIERRA goes with ${name}_CASM`);
  return sierra === '' ? undefined : { sierra, casm };
}

function readClass(name: string, files: ClassFiles): SierraArtefact {
  // CAST: has the members that identify a Sierra class; the node checks the rest at its
  // declaration.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const sierra = Sierra.parse(
    json.parse(readFileSync(files.sierra, 'utf8')),
  ) as unknown as CompiledSierra;
  // CAST: as above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const casm = Casm.parse(
    json.parse(readFileSync(files.casm, 'utf8')),
  ) as unknown as CompiledSierraCasm;
  return {
    name,
    sierra,
    classHash: hash.computeSierraContractClassHash(sierra),
    // Hash of the CASM class, which declarations contain since Starknet 0.14.1.
    compiledClassHash: hash.computeCompiledClassHashBlake(casm),
  };
}
