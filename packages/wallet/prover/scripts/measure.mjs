#!/usr/bin/env node
// Measures proving time and download size of this package, and of snarkjs with circom's generated
// witness, in one run. Prints a table in Markdown. Both provers work in turns on this thread.
//
//   measure.mjs [rounds]    at least 5 rounds, 15 by default; run after a build
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { noteOf } from '@sotto/wallet/advanced';
import { build } from 'esbuild';
import { groth16 } from 'snarkjs';

import { withdrawalCalldata } from '../dist/index.js';
import { loadDevelopmentKeys } from '../dist/node.js';
import { proveSignals, toSignals } from '../dist/testing/index.js';
import { compileCircuit } from './compile-circuit.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const LEAST_ROUNDS = 5;
const rounds = Math.max(LEAST_ROUNDS, Number(process.argv[2] ?? 15));

const folder = await mkdtemp(join(tmpdir(), 'sotto-measure-'));
try {
  const { zkey, verificationKey } = await loadDevelopmentKeys();
  const generator = await readFile((await compileCircuit(folder)).wasm);
  const signals = statement();
  const forSnarkjs = {
    ...signals,
    pathElements: [...signals.pathElements],
    pathIndices: [...signals.pathIndices],
  };
  const provers = {
    'this package': () => proveSignals(signals, { zkey }),
    snarkjs: async () => {
      const { proof, publicSignals } = await groth16.fullProve(
        forSnarkjs,
        generator,
        zkey,
        undefined,
        { memorySize: 1 },
        { singleThread: true },
      );
      return { proof, publicInputs: publicSignals };
    },
  };
  const times = { 'this package': [], snarkjs: [], calldata: [] };
  // Processor time of all threads, which depends less on other programs of the machine.
  const work = { 'this package': [], snarkjs: [] };
  // Cold: the first proof of the process. A worker always proves cold.
  const cold = {};
  for (let round = 0; round <= rounds; round++) {
    let proof;
    for (const [name, prove] of Object.entries(provers)) {
      const startedAt = performance.now();
      const before = process.cpuUsage();
      proof = await prove();
      const { user, system } = process.cpuUsage(before);
      const took = performance.now() - startedAt;
      if (round === 0) cold[name] = took;
      else times[name].push(took);
      if (round > 0) work[name].push((user + system) / 1000);
    }
    const startedAt = performance.now();
    await withdrawalCalldata(proof, verificationKey);
    if (round > 0) times.calldata.push(performance.now() - startedAt);
  }

  const bundles = {
    'this package': await bundle(
      "import { proveWith, startCurve } from './dist/snark.js'; keep(proveWith, startCurve)",
    ),
    snarkjs: await bundle("import { groth16 } from 'snarkjs'; keep(groth16.fullProve)"),
  };
  const sizes = (name, others) =>
    [bundles[name], ...others].reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
  const garaga = await readFile(join(PACKAGE, 'dist/worker/garaga.wasm'));
  process.stdout.write(
    `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, ${rounds} rounds in turns\n\n`,
  );
  row('', 'this package', 'snarkjs 0.7.6');
  row('---', '---:', '---:');
  row('proof, median', ...Object.keys(provers).map((name) => ms(median(times[name]))));
  row('proof, fastest', ...Object.keys(provers).map((name) => ms(Math.min(...times[name]))));
  row('processor time, median', ...Object.keys(provers).map((name) => ms(median(work[name]))));
  row('first proof of the process', ...Object.keys(provers).map((name) => ms(cold[name])));
  row('calldata, median', ms(median(times.calldata)), ms(median(times.calldata)));
  row('proving code, gzip', ...Object.keys(provers).map((name) => kb(sizes(name, []))));
  row('witness generator, gzip', 'none', kb(gzipSync(generator).length));
  row('proving key, gzip', kb(gzipSync(zkey).length), kb(gzipSync(zkey).length));
  row('garaga.wasm, gzip', kb(gzipSync(garaga).length), kb(gzipSync(garaga).length));
  row(
    'first download, gzip',
    kb(sizes('this package', [zkey, garaga])),
    kb(sizes('snarkjs', [zkey, garaga, generator])),
  );
} finally {
  await globalThis.curve_bn128?.terminate();
  await rm(folder, { recursive: true, force: true });
}

function statement() {
  const notes = Array.from({ length: 7 }, (_, index) => noteOf(BigInt(index + 1), 5n));
  return toSignals({
    note: notes[4],
    leaves: notes.map(({ commitment }) => commitment),
    recipient: 1n,
    relayer: 2n,
    feeAmount: 3n,
    batchStart: 3,
    batchSize: 3,
  });
}

/** Bundles code for a browser and returns its bytes. */
async function bundle(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: PACKAGE },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  return Buffer.concat(outputFiles.map(({ contents }) => contents));
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

function row(...cells) {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function ms(value) {
  return `${Math.round(value)} ms`;
}

function kb(bytes) {
  return `${Math.round(bytes / 1000)} kB`;
}
