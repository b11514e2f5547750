// Runs dependency-cruiser over the packages, and over files that break the rules on purpose. Each
// rule has such a file, which proves that the rule can fail.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, say } from './run.mjs';

/** @returns the violations and the summary of dependency-cruiser */
function cruise(tree) {
  const { stdout, stderr } = spawnSync(
    'depcruise',
    [
      'packages',
      'apps',
      '--config',
      join(root, '.dependency-cruiser.cjs'),
      '--output-type',
      'json',
    ],
    {
      cwd: tree,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  try {
    return JSON.parse(stdout).summary;
  } catch {
    throw new Error(`dependency-cruiser gave no report: ${stderr}`);
  }
}

const broken = ({ violations }) => violations.filter(({ rule }) => rule.severity === 'error');

if (process.argv.includes('--version'))
  process.exit(spawnSync('depcruise', ['--version'], { stdio: 'inherit' }).status ?? 1);

const real = cruise(root);
// If dependency-cruiser cannot read the installed TypeScript, it finds no modules and reports no
// error.
if (real.totalCruised < 50)
  throw new Error(`only ${real.totalCruised} modules were found: the check is blind`);
for (const { rule, from, to } of broken(real)) say(`${rule.name}: ${from} → ${to}`);

const planted = new Set(
  broken(cruise(fileURLToPath(new URL('planted', import.meta.url)))).map(({ rule }) => rule.name),
);
const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'));
const rules = config.forbidden.map(({ name }) => name);
const blind = rules.filter((name) => !planted.has(name));
for (const name of blind) say(`the planted violation of ${name} went unnoticed`);

process.exitCode = broken(real).length > 0 || blind.length > 0 ? 1 : 0;
