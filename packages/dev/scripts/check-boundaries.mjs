// Runs dependency-cruiser over the packages, and over planted violations: each rule has one, which
// proves that it can fail.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, say } from './run.mjs';

/** @returns the findings, as dependency-cruiser's summary */
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
// With a TypeScript that it can't read, dependency-cruiser sees no module and reports no error.
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
