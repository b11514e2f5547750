import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { feeQuote, signerPublicKey } from './support/fee-quote.js';
import { vectors } from './support/independent-note-keys.js';

/** Globals that every browser has and that the package may use, without the globals of Node. */
const BROWSER = { atob, btoa, console, crypto, fetch, Response, TextDecoder, TextEncoder, URL };

async function bundled(contents: string) {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    conditions: ['@sotto/source'],
    minify: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'wallet',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  return {
    inputs: Object.keys(metafile.inputs),
    text: outputFiles.map(({ text }) => text).join(''),
  };
}

describe('the package, bundled for a browser', () => {
  const notes = bundled("export { deriveNoteKeys, serialiseNote } from './src/advanced.ts';");

  it('the wallet package bundled for browsers needs no Node module', async () => {
    const { inputs } = await bundled("export * from './src/advanced.ts';");
    expect(
      inputs.filter((input) => input.startsWith('node:') || builtinModules.includes(input)),
    ).toEqual([]);
  });

  it('the wallet’s notes, pools and storage bundled for browsers have less than 60 kB', async () => {
    const { text } = await bundled(
      `export { browserStorage, deriveNoteKeys, jsonRpcNode, nextNote, recoverNotes, ShieldedPool }
         from './src/advanced.ts';`,
    );
    expect(text.length).toBeLessThan(60_000);
  });

  it.each(vectors)(
    'the wallet bundled for browsers derives the note of the vector: $title',
    async (vector) => {
      const { text } = await notes;
      const context = createContext({ ...BROWSER, vector });
      runInContext(text, context);
      const derived = `wallet.serialiseNote(
      wallet.deriveNoteKeys(
        Uint8Array.from(vector.seed.match(/../g), (byte) => parseInt(byte, 16)),
      ).note(vector),
    )`;
      expect(runInContext(derived, context)).toBe(vector.text);
    },
  );

  it('the wallet bundled for browsers verifies a signed quote', async () => {
    const { text } = await bundled("export * from './src/advanced.ts';");
    const context = createContext({ ...BROWSER, feeQuote, signerPublicKey });
    runInContext(text, context);
    const verdicts = `['25', '26'].map((fee) => {
      try {
        return wallet.verifyFeeQuote({ ...feeQuote, fee }, { signerPublicKey });
      } catch ({ code }) {
        return code;
      }
    }).join(' ')`;
    expect(runInContext(verdicts, context)).toBe('SIGNATURE_FORGED valid');
  });

  it('the bundle of a page that only checks quotes has at most 60 kB, or 24 kB with gzip', async () => {
    const { text } = await bundled("export { acceptQuote } from './src/advanced.ts';");
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(gzipSync(text).length).toBeLessThanOrEqual(24_000);
    // A smaller bundle would lack the signature check.
    expect(text.length).toBeGreaterThan(30_000);
  });
});
