import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
/** Base64 of the first bytes of every WebAssembly module. */
const WEBASSEMBLY = 'AGFzbQ';
/** Packages of the circuit's toolchain, whose licence is GPL-3.0. */
const GPL = ['snarkjs', 'circom2', 'circomlib'];

const text = (path: string): Promise<string> => readFile(join(PACKAGE, path), 'utf8');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
}

async function manifestOf(folder: string): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(await text(join(folder, 'package.json')));
  return manifest;
}

/** Row of the README's table of binaries. */
interface Origin {
  readonly file: string;
  readonly origin: string;
  readonly licence: string;
}

let origins: readonly Origin[];
let own: Manifest;
beforeAll(async () => {
  own = await manifestOf('.');
  const section = /## Origin of binaries\n([^]*?)\n## /.exec(await text('README.md'))?.[1] ?? '';
  origins = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [file = '', , origin = '', licence = ''] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { file: file.replaceAll('`', ''), origin, licence };
    });
});

/** Returns the packed files that are not text. */
async function packedBinaries(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of own.files.filter((path) => !path.startsWith('!'))) {
    for (const name of await readdir(join(PACKAGE, folder), { recursive: true })) {
      const bytes = await readFile(join(PACKAGE, folder, name)).catch(() => undefined);
      if (bytes?.includes(0)) found.push(join(folder, name));
    }
  }
  return found;
}

/** Returns the files of libraries in a wallet's bundle that contain WebAssembly as text. */
async function bundledBinaries(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(PACKAGE, 'src/index.ts')],
    absWorkingDir: PACKAGE,
    conditions: ['@sotto/source'],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const found: string[] = [];
  for (const input of Object.keys(metafile.inputs))
    if ((await text(input)).includes(WEBASSEMBLY))
      found.push(input.replace(/^.*node_modules\//, ''));
  return found;
}

describe('the licence of this package', () => {
  it('package and circuit are under MIT', async () => {
    expect(own.license).toBe('MIT');
    expect(await text('circuits/withdraw.circom')).toMatch(/^\/\/ SPDX-License-Identifier: MIT\n/);
  });

  it('the package has no GPL package among its dependencies, only among its tools', async () => {
    const { dependencies } = own;
    expect(Object.keys(dependencies).filter((name) => GPL.includes(name))).toEqual([]);
    for (const name of GPL)
      expect((await manifestOf(`node_modules/${name}`)).license).toMatch(/GPL-3\.0/);
  });

  it('the README lists the origin of every binary that the package or a wallet’s bundle contains', async () => {
    const binaries = [...(await packedBinaries()), ...(await bundledBinaries())];
    expect(binaries.toSorted()).toEqual(origins.map(({ file }) => file).toSorted());
    expect(binaries.length).toBeGreaterThan(0);
  });

  it('the README lists version and licence of the libraries from which binaries come', async () => {
    const libraries = await Promise.all(
      ['garaga', 'mcl-wasm'].map(async (name) => manifestOf(`node_modules/${name}`)),
    );
    for (const { name, version, license } of libraries) {
      const rows = origins.filter(({ origin }) => origin.includes(`\`${name}\``));
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        expect(row.origin).toContain(`\`${name}\` ${version}`);
        expect(row.licence).toBe(license);
      }
    }
  });

  it('no shipped WebAssembly contains functions of circom’s generated code', async () => {
    const shipped = (await packedBinaries()).filter((file) => file.endsWith('.wasm'));
    expect(shipped).toEqual(['dist/worker/garaga.wasm']);
    const module = await readFile(join(PACKAGE, 'dist/worker/garaga.wasm'));
    expect(module.includes('getWitness')).toBe(false);
    const embedded = (await text('node_modules/garaga/dist/index.mjs')).replaceAll(/\s/g, '');
    expect(embedded).toContain(module.toString('base64'));
  });
});
