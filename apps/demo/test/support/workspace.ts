import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const areas = readdirSync(join(ROOT, 'packages')).map((area) => `packages/${area}`);

/** Paths of all packages, relative to the repository's root. */
export const packages = ['apps', ...areas].flatMap((folder) =>
  [folder, ...readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`)].filter((path) =>
    existsSync(join(ROOT, path, 'package.json')),
  ),
);
