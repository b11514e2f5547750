import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';

/** A file, folder or link below a folder. */
export interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
}

/** Returns all entries below a folder, without following links. */
export function entriesBelow(folder: string): readonly Entry[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): readonly Entry[] => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [{ path, kind: 'link' }];
    return entry.isDirectory()
      ? [{ path, kind: 'folder' }, ...entriesBelow(path)]
      : [{ path, kind: 'file' }];
  });
}

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z
    .union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)])
    .default('none'),
});
export type Manifest = z.output<typeof Manifest>;

/** Returns true if the folder is a package in a `node_modules` folder, with or without a scope. */
function isPackage(folder: string): boolean {
  const parent = dirname(folder);
  const modules = basename(parent).startsWith('@') ? dirname(parent) : parent;
  return basename(modules) === 'node_modules';
}

/** Returns the manifests of the packages among these entries. */
export function manifestsAmong(entries: readonly Entry[]): readonly Manifest[] {
  return entries
    .filter(({ path, kind }) => kind === 'file' && basename(path) === 'package.json')
    .filter(({ path }) => isPackage(dirname(path)))
    .map(({ path }) => Manifest.parse(JSON.parse(readFileSync(path, 'utf8'))));
}
