// Runs dependency-cruiser over the packages, and over planted violations to prove that the rules
// can fail.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, say } from './run.mjs';

/** @returns what the cruise found, as dependency-cruiser's summary */
function cruise(tree, folders = ['packages', 'apps']) {
  const { stdout, stderr } = spawnSync(
    'depcruise',
    [...folders, '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json'],
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

const real = cruise(root, ['packages', 'apps', 'bench']);
// With a TypeScript that it can't read, dependency-cruiser sees no module and reports no error.
if (real.totalCruised < 50)
  throw new Error(`only ${real.totalCruised} modules were looked at: the check is blind`);
for (const { rule, from, to } of broken(real)) say(`${rule.name}: ${from} → ${to}`);

const planted = new Set(
  broken(cruise(join(root, 'scripts', 'planted'))).map(({ rule }) => rule.name),
);
const expected = [
  'core-is-pure',
  'adapters-do-not-meet',
  'nothing-imports-apps',
  'production-does-not-import-testing',
  'no-circular',
  'gpl-stays-inside',
];
const blind = expected.filter((name) => !planted.has(name));
for (const name of blind) say(`the planted violation of ${name} went unnoticed`);

process.exitCode = broken(real).length > 0 || blind.length > 0 ? 1 : 0;
