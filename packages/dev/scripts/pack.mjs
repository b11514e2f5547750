// Builds the packages that ship from clean sources, packs each package, and prints the result. The
// folder then contains only these tarballs, and one that installs them all. With `--install`,
// check-installation.mjs runs afterwards.
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packInto, packUmbrella, shippedPackages } from './packs.mjs';
import { root, run, say } from './run.mjs';

const TARGET = join(root, '.sotto', 'packs');

const packages = shippedPackages();
// Neither the compiler nor the build cache deletes the output of sources that were removed.
for (const { folder } of packages)
  rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
say(`building ${packages.length} packages`);
const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
const args = ['run', 'build', '--force', '--output-logs=errors-only', ...filters];
const built = run('turbo', args, { quiet: true });
if (built !== 0) process.exit(built);

rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
for (const { tarball, size } of await packInto(TARGET, packages))
  console.log(`${`${(size / 1_000).toFixed(1)} kB`.padStart(10)}  ${relative(root, tarball)}`);
console.log(`           ${relative(root, await packUmbrella(TARGET, packages))}`);
const scripts = join('packages', 'dev', 'scripts');
const checked = run('node', [join(scripts, 'check-packs.mjs'), TARGET]);
if (checked !== 0 || !process.argv.includes('--install')) process.exit(checked);
process.exit(run('node', [join(scripts, 'check-installation.mjs'), TARGET]));
