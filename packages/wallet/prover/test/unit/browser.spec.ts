import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';

import { loadDevelopmentKeys } from '../../src/node.js';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

/** Entry of a wallet's bundle: this package, and @sotto/wallet for notes and pools. */
const entry = {
  contents: "export * from './src/index.ts'; export * from '@sotto/wallet/advanced';",
  resolveDir: PACKAGE,
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
    absWorkingDir: PACKAGE,
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

  it('the browser bundle contains only libraries with a permissive licence', async () => {
    const folders = new Set(
      inputs.flatMap((input) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
    );
    const licences = await Promise.all(
      [...folders].map(async (folder) => {
        const manifest = await readFile(join(PACKAGE, folder, 'package.json'), 'utf8');
        const { name, license }: { name: string; license: string } = JSON.parse(manifest);
        return [name, license];
      }),
    );
    expect(Object.fromEntries(licences)).toEqual({
      '@noble/curves': 'MIT',
      '@noble/hashes': 'MIT',
      '@scure/starknet': 'MIT',
      garaga: 'MIT',
      idb: 'ISC',
      'mcl-wasm': 'BSD-3-Clause',
      'openapi-fetch': 'MIT',
      'poseidon-lite': 'MIT',
    });
  });

  it('the worker’s bundle needs no permission except WebAssembly', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(PACKAGE, 'dist/worker/browser-worker.js')],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      logLevel: 'silent',
    });
    const worker = outputFiles.map(({ text }) => text).join('');
    expect(worker).toContain('WebAssembly.instantiate');
    expect(
      worker.match(/\beval\(|new Function|["'`](?:data|blob):|new Worker|importScripts/g),
    ).toBe(null);
  });

  it('the prover bundled for browsers creates a note, a proof and calldata without Node’s globals', async () => {
    const context = createContext({ ...BROWSER, keys: await loadDevelopmentKeys() });
    runInContext(code, context);
    const wallet = `(async () => {
      const note = kit.parseNote(kit.serialiseNote(kit.createNote()));
      const path = kit.MerkleTree.of([1n, note.commitment]).path(1);
      const request = { note, path, recipient: 1n, relayer: 2n, feeAmount: 3n, batchStart: 0, batchSize: 2 };
      const proof = await kit.proveWithdrawal(request, { zkey: Uint8Array.from(keys.zkey) });
      const calldata = await kit.withdrawalCalldata(proof, kit.parseVerificationKey(keys.verificationKey));
      return [calldata.length, typeof process, typeof Buffer, typeof require, typeof setImmediate].join(' ');
    })()`;
    expect(await runInContext(wallet, context)).toBe(
      '2020 undefined undefined undefined undefined',
    );
  });
});
