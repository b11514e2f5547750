import { readFileSync } from 'node:fs';
import { toFelt } from '@sotto/kernel';
import { hash, json, type CompiledSierra, type CompiledSierraCasm } from 'starknet';
import { z } from 'zod';
import type { VerifierChoice } from './stack-contracts.js';

/** Where a verifier comes from; one of the three. */
export interface VerifierSource {
  readonly address?: bigint | undefined;
  readonly classHash?: bigint | undefined;
  readonly files?: { readonly sierra: string; readonly casm: string } | undefined;
}

const Sierra = z.looseObject({ sierra_program: z.array(z.string()).min(1), entry_points_by_type: z.looseObject({}) });
const Casm = z.looseObject({ bytecode: z.array(z.string()).min(1) });

/** The verifier of a stack; undefined for the development one. @throws Error when a file is not what a compiler writes */
export function chooseVerifier({ address, classHash, files }: VerifierSource): VerifierChoice | undefined {
  if (address !== undefined) return { kind: 'address', address };
  if (classHash !== undefined) return { kind: 'class', contractClass: { classHash: toFelt(classHash) } };
  if (files === undefined) return undefined;
  // CAST: has the members that tell a Sierra class; the node checks the rest when it is declared.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const sierra = Sierra.parse(json.parse(readFileSync(files.sierra, 'utf8'))) as unknown as CompiledSierra;
  // CAST: as above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const casm = Casm.parse(json.parse(readFileSync(files.casm, 'utf8'))) as unknown as CompiledSierraCasm;
  return {
    kind: 'class',
    contractClass: {
      name: 'verifier',
      sierra,
      classHash: hash.computeSierraContractClassHash(sierra),
      // What a declaration names since Starknet 0.14.1.
      compiledClassHash: hash.computeCompiledClassHashBlake(casm),
    },
  };
}
