// Writes Garaga's module to dist/worker/garaga.js and its WebAssembly to the separate file
// garaga.wasm. In the package, the WebAssembly is embedded as a data: URL. A strict
// Content-Security-Policy forbids such a URL. In addition, the URL is a third larger than the file.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = dirname(dirname(createRequire(import.meta.url).resolve('garaga')));
const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
const text = await readFile(join(folder, 'dist', 'index.mjs'), 'utf8');

const found = [...text.matchAll(/'data:application\/wasm;base64,([A-Za-z0-9+/=]+)'/g)];
if (found.length !== 1)
  throw new Error(`garaga ${version} has ${found.length} data: URLs instead of 1`);
const [literal, base64] = found[0];
const wasm = Buffer.from(base64, 'base64');
if (!WebAssembly.validate(wasm)) throw new Error(`garaga ${version} contains no valid WebAssembly`);

const output = new URL('../dist/worker/', import.meta.url);
await writeFile(new URL('garaga.wasm', output), wasm);
await writeFile(
  new URL('garaga.js', output),
  `/*! garaga ${version} (${license}), https://github.com/keep-starknet-strange/garaga */\n${text
    .replace(literal, () => "new URL('./garaga.wasm', import.meta.url)")
    .replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')}`,
);
