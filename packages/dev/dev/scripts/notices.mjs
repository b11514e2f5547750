// Collects the licences of bundled libraries.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Licences of libraries that a package under MIT may bundle. These licences require only that their
 * notice is included.
 */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/**
 * Returns name, version and licence text of every bundled library. If a library has no licence
 * text, its author is returned instead.
 * @param metafile esbuild's metafile, with paths from the working directory
 * @throws Error for a package, including our own packages, whose licence requires more than its
 *   notice
 */
export function noticesOf({ inputs }) {
  const folders = new Set(Object.keys(inputs).map((file) => folderOf(resolve(file))));
  const notices = [...folders].flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { name, version, license, author } = manifest;
    const choices = String(license).replaceAll(/[()]/g, '').split(' OR ');
    if (!choices.some((one) => PERMISSIVE.includes(one)))
      throw new Error(`${name}@${version} is licensed as ${license}`);
    if (!folder.includes('node_modules')) return [];
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text =
      file === undefined
        ? `By ${author?.name ?? author}.`
        : readFileSync(join(folder, file), 'utf8').trim();
    return [`${name} ${version} (${license})\n\n${text}\n`];
  });
  return notices.toSorted().join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Returns the nearest folder whose manifest has a name. Manifests without a name only set the
 * module format.
 */
function folderOf(file) {
  const folder = dirname(file);
  const manifest = join(folder, 'package.json');
  const isPackage =
    existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name !== undefined;
  return isPackage ? folder : folderOf(folder);
}
