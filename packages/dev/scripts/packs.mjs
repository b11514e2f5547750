// Finds and packs the packages that ship, which are all packages that are not private.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolders, root } from './run.mjs';

const exec = promisify(execFile);

/**
 * @returns `{ folder, manifest }` of each package that ships, with its manifest in the workspace
 */
export function shippedPackages() {
  return packageFolders()
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}

/**
 * Packs the built files of each package, several packages at a time.
 * @returns the packages in the given order, each with the path of its tarball and its size in bytes
 */
export async function packInto(target, packages) {
  const waiting = [...packages.entries()];
  const packed = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, shipped] = next;
      const args = ['pack', '--json', '--pack-destination', target];
      const { stdout } = await exec('pnpm', args, { cwd: join(root, shipped.folder) });
      const { filename, size } = JSON.parse(stdout);
      packed[index] = { ...shipped, tarball: filename, size };
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return packed;
}
