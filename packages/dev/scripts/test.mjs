// Every check of the project, or with --devnet only what runs on starknet-devnet; then the sum of
// all test suites in one last line.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, root, run, runBeside, say } from './run.mjs';

const startedMs = Date.now();
const failedChecks = [];
const check = (title, command, args, options) => {
  say(title);
  if (run(command, args, options) !== 0) failedChecks.push(title);
};

const packages = packageFolders().map((folder) => join(root, folder));
const withScript = (script) =>
  packages.filter((folder) => {
    const manifest = join(folder, 'package.json');
    return (
      existsSync(manifest) &&
      JSON.parse(readFileSync(manifest, 'utf8')).scripts?.[script] !== undefined
    );
  });
const SUITES = {
  test: 'test-results.json',
  'test:e2e': 'test-results.e2e.json',
  // Shown as skipped where starknet-devnet is not installed.
  'test:devnet': 'test-results.devnet.json',
};
const onlyDevnet = process.argv.includes('--devnet');
/**
 * Two sequences of suites, about equally long, that run side by side: with one queue the longest
 * suite would begin last and end alone.
 */
const sequences = onlyDevnet ? [['test:devnet']] : [['test:e2e'], ['test', 'test:devnet']];
const suites = sequences
  .flat()
  .flatMap((script) => withScript(script).map((folder) => join(folder, SUITES[script])));
for (const file of suites) rmSync(file, { force: true });

if (!onlyDevnet) {
  check('formatting', 'prettier', ['--check', '--log-level', 'warn', '.']);
  check('boundaries between packages', 'node', ['packages/dev/scripts/check-boundaries.mjs']);
  check('words', 'node', ['packages/dev/scripts/check-words.mjs']);
  check('build and types', 'turbo', ['run', 'build', 'typecheck', '--output-logs=errors-only']);
  check('lint', 'oxlint', ['--quiet', 'packages', 'apps']);
  check('unused code and dependencies', 'knip', []);
}
/**
 * Well beyond what they take: what hangs is a failure with a name, and no result of it is counted
 * as one.
 */
const SEQUENCE_TIMEOUT_MS = 23 * 60_000;
await Promise.all(
  sequences.map(async (scripts) => {
    const title = scripts.join(' and ');
    say(title);
    // What is built already is not put in place again: the other sequence may be reading it.
    const how = onlyDevnet ? ['--concurrency=2'] : ['--concurrency=1', '--only'];
    const args = ['run', ...scripts, ...how, '--continue', '--output-logs=errors-only'];
    if ((await runBeside('turbo', args, { timeoutMs: SEQUENCE_TIMEOUT_MS })) !== 0)
      failedChecks.push(title);
  }),
);

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const file of suites) {
  if (!existsSync(file)) {
    say(`no result from ${file.slice(root.length + 1)}`);
    sum.failed += 1;
    continue;
  }
  const { passed, failed, skipped } = JSON.parse(readFileSync(file, 'utf8'));
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
}
for (const title of failedChecks) say(`FAILED: ${title}`);
say(`${Math.round((Date.now() - startedMs) / 1000)} s`);
process.exitCode = failedChecks.length > 0 || sum.failed > 0 ? 1 : 0;
console.log(
  `${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`,
);
