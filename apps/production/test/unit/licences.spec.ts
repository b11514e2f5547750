import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { NOT_IN_PRODUCTION, isPermissive } from '../permissive.js';

const Names = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  name: z.string(),
  version: z.string().default(''),
  license: z
    .union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)])
    .default('none'),
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
});

interface Package {
  readonly name: string;
  readonly license: string;
  /**
   * Names of the packages on the dependency path, from a package of this project to this package.
   */
  readonly way: readonly string[];
}

const PRODUCTION = fileURLToPath(new URL('../..', import.meta.url));
const WORKSPACE = readFileSync(new URL('../../../../pnpm-workspace.yaml', import.meta.url), 'utf8');

/** Dependencies that the workspace removes from other packages by the override `-`. */
const REMOVED: ReadonlySet<string | undefined> = new Set(
  [...WORKSPACE.matchAll(/^ +'(?:[^'>]+>)?([^'>]+)': '-'$/gm)].map(([, name]) => name),
);

/**
 * Returns every package that a program loads in production. Each installed folder is listed once.
 */
function productionPackages(): readonly Package[] {
  const seen = new Map<string, Package>();
  const visit = (folder: string, way: readonly string[]): void => {
    if (seen.has(folder)) return;
    const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    const here = [...way, manifest.name];
    seen.set(folder, { name: manifest.name, license: manifest.license, way: here });
    for (const name of Object.keys(manifest.dependencies)) {
      const found = installed(name, folder);
      if (found !== undefined) visit(found, here);
      // An optional dependency is listed under both, and may be missing on this platform.
      else if (!(name in manifest.optionalDependencies) && !REMOVED.has(name))
        throw new Error(`${here.join(' > ')} > ${name} is not installed`);
    }
    for (const name of Object.keys({
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    })) {
      const found = installed(name, folder);
      if (found !== undefined) visit(found, here);
    }
  };
  visit(realpathSync(PRODUCTION), []);
  return [...seen.values()];
}

/** Returns the folder of the package that Node resolves if code in `folder` imports this name. */
function installed(name: string, folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (dirname(at) === at) return undefined;
  }
}

describe('the packages that run in production', () => {
  const packages = productionPackages();

  it('the list of production packages includes this project’s and third-party packages', () => {
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        '@sotto/api',
        '@sotto/cli',
        '@sotto/keeper',
        '@sotto/signer',
        '@sotto/relayer-core',
        '@sotto/groth16',
        'mcl-wasm',
        'express',
        'body-parser',
      ]),
    );
    expect(packages.length).toBeGreaterThan(50);
  });

  it('every production package has a permissive licence', () => {
    const others = packages.filter(({ license }) => !isPermissive(license));
    expect(others.map(({ license, way }) => `${license}: ${way.join(' > ')}`)).toEqual([]);
  });

  it('production packages include neither the circuit nor its tools nor the development stack', () => {
    expect(
      packages
        .filter(({ name }) => NOT_IN_PRODUCTION.includes(name))
        .map(({ way }) => way.join(' > ')),
    ).toEqual([]);
  });

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['MIT AND Apache-2.0', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0', false],
    ['LGPL-3.0-only', false],
    ['AGPL-3.0', false],
    ['UNLICENSED', false],
    ['SEE LICENSE IN LICENSE', false],
    ['none', false],
  ])('a licence is checked by its SPDX expression: %s', (license, permissive) => {
    expect(isPermissive(license)).toBe(permissive);
  });
});
