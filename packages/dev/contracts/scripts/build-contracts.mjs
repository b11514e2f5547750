#!/usr/bin/env node
// Compiles the contracts of cairo/ into artefacts/ and updates the manifest. Arguments are the
// names of the contracts to compile; without arguments, all contracts are compiled.
import {
  classHashes,
  readManifest,
  removeOthers,
  writeArtefact,
  writeManifest,
} from './artefacts.mjs';
import { findContracts } from './cairo-sources.mjs';
import { compileContract, findCompilers } from './compile-contract.mjs';

const compilers = findCompilers();
if (compilers === undefined) {
  throw new Error(
    'set CAIRO_COMPILER and SIERRA_COMPILER or put the compilers on PATH; the README lists them',
  );
}
const contracts = findContracts();
const requested = process.argv.slice(2);
for (const name of requested)
  if (!contracts.has(name))
    throw new Error(`there is no contract ${name}; there are ${[...contracts.keys()].join(', ')}`);

for (const contract of contracts.values()) {
  if (requested.length > 0 && !requested.includes(contract.name)) continue;
  const compiled = await compileContract(contract, compilers);
  const hashes = classHashes(compiled);
  writeArtefact(contract.name, compiled);
  writeManifest({
    ...readManifest(),
    [contract.name]: { sourceHash: contract.sourceHash, ...hashes },
  });
  console.log(`${contract.name} ${hashes.classHash}`);
}
if (requested.length === 0) {
  const names = [...contracts.keys()];
  removeOthers(names);
  writeManifest(
    Object.fromEntries(Object.entries(readManifest()).filter(([name]) => names.includes(name))),
  );
}
