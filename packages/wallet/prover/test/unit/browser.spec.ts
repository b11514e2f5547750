import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';

import { loadDevelopmentKeys } from '../../src/node.js';

/**
 * Entry of a bundle as a wallet would build it: this package, and @sotto/wallet for notes and
 * pools.
 */
const entry = {
  contents: "export * from './src/index.ts'; export * from '@sotto/wallet';",
  resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
};

/** Globals that every browser has and that the package may use, without the globals of Node. */
const BROWSER = {
  atob,
  Blob,
  btoa,
  console,
  crypto,
  fetch,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
};

let code: string;
let imports: readonly string[];
let inputs: readonly string[];
beforeAll(async () => {
  // esbuild fails if the bundle needs a Node builtin, unless a package replaces this builtin for
  // browsers.
  const { metafile, outputFiles } = await build({
    stdin: entry,
    conditions: ['@sotto/source'],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'kit',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  code = outputFiles.map(({ text }) => text).join('');
  imports = Object.values(metafile.outputs).flatMap((output) =>
    output.imports.map(({ path }) => path),
  );
  inputs = Object.keys(metafile.inputs);
});

describe('prover and wallet, bundled for a browser', () => {
  it('the prover bundled for browsers has no imports', () => {
    expect(imports).toEqual([]);
    expect(
      inputs.filter((input) => input.startsWith('node:') || builtinModules.includes(input)),
    ).toEqual([]);
  });

  it('the prover bundled for browsers contains snarkjs’ build for browsers', () => {
    const snarkjs = inputs.filter((input) => /node_modules\/snarkjs\//.test(input));
    expect(snarkjs).toHaveLength(1);
    expect(snarkjs[0]).toMatch(/build\/browser\.esm\.js$/);
  });

  it('the prover bundled for browsers creates a note, a proof and calldata without Node’s globals', async () => {
    const context = createContext({ ...BROWSER, keys: await loadDevelopmentKeys() });
    runInContext(code, context);
    const wallet = `(async () => {
      const note = kit.parseNote(kit.serialiseNote(kit.createNote()));
      const path = kit.MerkleTree.of([1n, note.commitment]).path(1);
      const request = { note, path, recipient: 1n, relayer: 2n, feeAmount: 3n, batchStart: 0, batchSize: 2 };
      const proof = await kit.proveWithdrawal(request, { wasm: Uint8Array.from(keys.wasm), zkey: Uint8Array.from(keys.zkey) });
      const calldata = await kit.withdrawalCalldata(proof, kit.parseVerificationKey(keys.verificationKey));
      return [calldata.length, typeof process, typeof Buffer, typeof require, typeof setImmediate].join(' ');
    })()`;
    expect(await runInContext(wallet, context)).toBe(
      '2020 undefined undefined undefined undefined',
    );
  });
});
