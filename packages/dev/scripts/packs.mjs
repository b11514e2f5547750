// Finds and packs the packages that ship, which are all packages that are not private.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolders, root } from './run.mjs';
import { tarballOf } from './tarball-of.mjs';

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
      const { stdout } = await exec('pnpm', args, {
        cwd: join(root, shipped.folder),
        // The tarballs then refer to each other as files (.pnpmfile.mjs).
        env: { ...process.env, SOTTO_TARBALLS: 'true' },
      });
      const { filename, size } = JSON.parse(stdout);
      packed[index] = { ...shipped, tarball: filename, size };
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return packed;
}

/** Name of the tarball that installs all others. No registry needs to know this name. */
export const UMBRELLA = 'sotto-all';

/**
 * Writes a tarball without code that depends on the tarballs of all packages in the same folder.
 * @returns path of the tarball
 */
export async function packUmbrella(target, packages) {
  const [{ manifest }] = packages;
  const { version, license, engines } = manifest;
  const dependencies = Object.fromEntries(
    packages.map(({ manifest: { name } }) => [name, `file:${tarballOf(name, version)}`]),
  );
  const folder = mkdtempSync(join(tmpdir(), 'sotto-umbrella-'));
  try {
    const description = 'All packages of Sotto, from the tarballs in the same folder.';
    const umbrella = { name: UMBRELLA, version, description, license, engines, dependencies };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(umbrella, null, 2));
    await exec('npm', ['pack', '--pack-destination', target], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return join(target, tarballOf(UMBRELLA, version));
}
