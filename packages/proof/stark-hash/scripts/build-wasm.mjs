// Generates the AssemblyScript of the hash and compiles it to dist/sponge.wasm. The bytes are the
// same on every machine.
import { writeFileSync } from 'node:fs';
import { main as compile } from 'assemblyscript/asc';
import { moduleSource } from '../dist/codegen/module.js';

const SOURCE = 'sponge.ts';
const TARGET = 'sponge.wasm';
const inDist = (name) => new URL(`../dist/${name}`, import.meta.url);

const source = moduleSource();
// The source file is written only for readers; no code loads the file.
writeFileSync(inDist(SOURCE), source);

// The module needs no runtime and no imports: it allocates no memory and can't fail.
const { error } = await compile(
  [SOURCE, '--outFile', TARGET, '-O3', '--noAssert', '--runtime', 'stub', '--use', 'abort='],
  {
    stderr: process.stderr,
    readFile: (name) => (name === SOURCE ? source : null),
    writeFile: (name, contents) => writeFileSync(inDist(name), contents),
  },
);
if (error !== null) process.exitCode = 1;
