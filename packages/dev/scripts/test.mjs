// Every check of the project, or with --devnet only those that run on starknet-devnet. Then the
// slowest test files, failures, and the sum of all test suites in one last line.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { packageFolders, root, run, runBeside, say } from './run.mjs';

const startedMs = Date.now();
const secondsSince = (ms) => Math.round((Date.now() - ms) / 1000);
const failedChecks = [];

const RESULTS = {
  'test:e2e': 'test-results.e2e.json',
  // Shown as skipped where starknet-devnet is not installed.
  'test:devnet': 'test-results.devnet.json',
  test: 'test-results.json',
};
/** The longest suites, for a checkout without results of a last run. */
const FIRST = [
  '@sotto/api#test:e2e',
  '@sotto/endurance#test:e2e',
  '@sotto/adapter-store#test',
  '@sotto/api#test:devnet',
  '@sotto/demo#test:e2e',
  '@sotto/api#test',
  '@sotto/adapter-starknet#test:devnet',
  '@sotto/contract-tests#test:devnet',
  '@sotto/adapter-starknet#test',
  '@sotto/sandbox#test',
  '@sotto/wallet#test',
  '@sotto/bench#test:e2e',
  '@sotto/prover#test',
  '@sotto/simulation#test',
];
/**
 * Suites wait for their chains and services: one more than cores, and a check may run in parallel.
 */
const SUITES_AT_A_TIME = Math.min(4, availableParallelism() + 1);
/**
 * Enough for a machine that is ten times slower: a suite that hangs is a failure with a name, and
 * no result of it is counted as one.
 */
const JOB_TIMEOUT_MS = 2 * 3_600_000;
const SLOWEST_FILES = 30;
/** Per file: failures are in the last lines too, since a log may be cut above. */
const FAILURE_LINES = 120;

/** Hundreds of processes load the same modules; those that end in order leave them compiled. */
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.sotto', 'compiled');
/** Compiler and linter are Go programs that end soon: less is spent on collecting garbage. */
process.env.GOGC ??= '400';

const onlyDevnet = process.argv.includes('--devnet');

const unordered = packageFolders().flatMap((folder) => {
  const { name, scripts = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json')));
  return Object.entries(RESULTS)
    .filter(([script]) => script in scripts && (!onlyDevnet || script === 'test:devnet'))
    .map(([script, file]) => ({ folder, task: `${name}#${script}`, file: join(folder, file) }));
});
/**
 * Duration of a suite's last run here. Without a readable result, as after a run that was killed,
 * suites of `FIRST` are longer than others.
 */
function lastMs({ task, file }) {
  try {
    const { files } = JSON.parse(readFileSync(join(root, file), 'utf8'));
    return files.reduce((sum, { ms }) => sum + ms, 0);
  } catch {
    return FIRST.includes(task) ? Number.MAX_VALUE : 0;
  }
}
const place = ({ task }) => (FIRST.includes(task) ? FIRST.indexOf(task) : FIRST.length);
/** The longest suites begin first: none of them ends alone. */
const suites = unordered
  .map((suite) => ({ ...suite, ms: lastMs(suite) }))
  .toSorted((one, other) => other.ms - one.ms || place(one) - place(other));
for (const { file } of suites) rmSync(join(root, file), { force: true });

const quiet = '--output-logs=errors-only';
say('build');
if (run('turbo', ['run', 'build', quiet]) !== 0) failedChecks.push('build');

const checks = [
  // One program over all sources: separate runs per package would read most of them again. Each
  // further checker of the compiler would work most types out again.
  ['types', 'tsc', ['--checkers', '1']],
  ['types of the page', 'tsc', ['-p', 'apps/web/tsconfig.test.json', '--checkers', '1']],
  ['types of the console', 'tsc', ['-p', 'apps/console/tsconfig.test.json', '--checkers', '1']],
  [
    'types of the wallet’s page',
    'tsc',
    ['-p', 'apps/wallet-page/tsconfig.test.json', '--checkers', '1'],
  ],
  ['lint', 'oxlint', ['--quiet', 'packages', 'apps']],
  ['unused code and dependencies', 'knip', []],
  ['formatting', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['boundaries between packages', 'node', ['packages/dev/scripts/check-boundaries.mjs']],
  ['keys that are only compared', 'node', ['packages/dev/scripts/check-keys.mjs']],
  ['words', 'node', ['packages/dev/scripts/check-words.mjs']],
  ['declarations of packages', 'node', ['packages/dev/scripts/api-reports.mjs']],
  ['commands in a clean checkout', 'node', ['packages/dev/scripts/check-commands.mjs', '--brief']],
  ['packages as a consumer gets them', 'node', ['packages/dev/scripts/check-packs.mjs']],
];
// `--only` rebuilds nothing, because another suite may be reading it. `transit` has no command;
// with it, a suite's key in the cache includes the sources that the suite imports.
const suiteJobs = suites.map(({ task }) => [
  task,
  'turbo',
  ['run', task, 'transit', '--only', quiet],
]);

/** Begins the jobs in their order, up to a limit at a time. */
async function work(jobs, atATime) {
  const waiting = [...jobs];
  const one = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const [title, command, args] = job;
      const jobMs = Date.now();
      const code = await runBeside(command, args, { timeoutMs: JOB_TIMEOUT_MS });
      say(`${title}: ${code === 0 ? '' : 'FAILED, '}${secondsSince(jobMs)} s`);
      if (code !== 0) failedChecks.push(title);
    }
  };
  await Promise.all(Array.from({ length: atATime }, one));
}
await Promise.all([work(suiteJobs, SUITES_AT_A_TIME), onlyDevnet || work(checks, 1)]);

const sum = { passed: 0, failed: 0, skipped: 0 };
const testFiles = [];
const skippedReasons = new Map();
for (const { file, folder } of suites) {
  if (!existsSync(join(root, file))) {
    say(`no result from ${file}`);
    sum.failed += 1;
    continue;
  }
  const {
    passed,
    failed,
    skipped,
    skippedBy = {},
    files,
  } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  for (const [reason, tests] of Object.entries(skippedBy))
    skippedReasons.set(reason, [...(skippedReasons.get(reason) ?? []), { folder, tests }]);
  testFiles.push(...files.map((result) => ({ ...result, file: join(folder, result.file) })));
}
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);
say(`the slowest ${SLOWEST_FILES} test files, each with its slowest test:`);
for (const { file, ms, tests, slowest } of testFiles
  .toSorted((one, other) => other.ms - one.ms)
  .slice(0, SLOWEST_FILES)) {
  console.error(`${seconds(ms)}  ${file} (${tests})`);
  for (const { title, ms: testMs } of slowest.slice(0, 1))
    console.error(`${seconds(testMs).padStart(20)}  ${title}`);
}
for (const { file, failure } of testFiles.filter((result) => result.failure !== ''))
  console.error(`\n${file}\n${failure.split('\n').slice(0, FAILURE_LINES).join('\n')}\n`);
const testsOf = (entries) => entries.reduce((all, { tests }) => all + tests, 0);
for (const [reason, entries] of [...skippedReasons].toSorted(
  ([, one], [, other]) => testsOf(other) - testsOf(one),
)) {
  const folders = [...new Set(entries.map(({ folder }) => folder))].join(', ');
  say(`skipped ${testsOf(entries)} tests of ${folders}: ${reason}`);
}
for (const title of failedChecks) say(`FAILED: ${title}`);
say(`${secondsSince(startedMs)} s`);
process.exitCode = failedChecks.length > 0 || sum.failed > 0 ? 1 : 0;
console.log(
  `${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`,
);
