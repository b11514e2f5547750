// Runs all checks and test suites of the project; with --devnet, only the suites that run on
// starknet-devnet. Then prints the slowest test files and the failures. The last line contains the
// sum of all suites.
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageFolders, root, run, runBeside, say } from './run.mjs';

const startedMs = Date.now();
const secondsSince = (ms) => Math.round((Date.now() - ms) / 1000);
const failedChecks = [];

const RESULTS = {
  'test:e2e': 'test-results.e2e.json',
  // These suites count as skipped if starknet-devnet is not installed.
  'test:devnet': 'test-results.devnet.json',
  test: 'test-results.json',
};
/** Longest suites, longest first. Used if a checkout has no results of an earlier run. */
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
 * Number of suites that run at a time: one more than the number of cores, at most four. Suites
 * often wait for their chains and services, and a check may run in parallel.
 */
const SUITES_AT_A_TIME = Math.min(4, availableParallelism() + 1);
/**
 * Time limit of a suite or check, in ms, sufficient for a machine that is ten times slower. A suite
 * that hangs is reported as a failure with its name, and is counted as a suite without a result.
 */
const JOB_TIMEOUT_MS = 2 * 3_600_000;
const SLOWEST_FILES = 30;
/**
 * Maximum number of lines per file in the failure list at the end of the output. The list repeats
 * all failures, because the output above may be cut.
 */
const FAILURE_LINES = 120;

/**
 * Folder of Node's compile cache, because hundreds of processes load the same modules. A process
 * that ends normally stores its compiled modules there.
 */
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.sotto', 'compiled');
/**
 * Garbage collector setting of Go. Compiler and linter are Go programs that run only for a short
 * time, so they should collect garbage rarely.
 */
process.env.GOGC ??= '400';

/** Programs outside the repository without which suites skip tests. */
const PROGRAMS = [
  'amtool',
  'chromium',
  'hadolint',
  'haproxy',
  'helm',
  'kubernetes-validate',
  'postgres',
  'promtool',
  'python3',
  'starknet-devnet',
  'strace',
];
/**
 * Installed programs with their times, and the node's program. This variable is part of the cache
 * keys of the suites. So a suite runs again after such a program was installed or replaced.
 */
process.env.SOTTO_PROGRAMS = [
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => PROGRAMS.map((program) => join(folder, program))),
  process.env.STARKNET_DEVNET ?? '',
]
  .flatMap((file) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? [] : [`${file} ${stats.mtimeMs}`];
  })
  .join(delimiter);

const onlyDevnet = process.argv.includes('--devnet');

const unordered = packageFolders().flatMap((folder) => {
  const { name, scripts = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json')));
  return Object.entries(RESULTS)
    .filter(([script]) => script in scripts && (!onlyDevnet || script === 'test:devnet'))
    .map(([script, file]) => ({ folder, task: `${name}#${script}`, file: join(folder, file) }));
});
/**
 * Returns the duration of a suite's last run, in ms. If there is no readable result, for example
 * after a killed run, a suite of `FIRST` is treated as the longest.
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
/** Suites to run, longest first, so that no long suite runs alone at the end. */
const suites = unordered
  .map((suite) => ({ ...suite, ms: lastMs(suite) }))
  .toSorted((one, other) => other.ms - one.ms || place(one) - place(other));
for (const { file } of suites) rmSync(join(root, file), { force: true });

const quiet = '--output-logs=errors-only';
say('build');
if (run('turbo', ['run', 'build', quiet]) !== 0) failedChecks.push('build');

const checks = [
  // One compiler run covers all sources. Separate runs per package would read most sources again,
  // and each additional checker would compute most types again.
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
// `--only` prevents a rebuild, because another suite may be reading the built files at that time.
// `transit` has no command. It makes the cache key of a suite include the sources that the suite
// imports.
const suiteJobs = suites.map(({ task }) => [
  task,
  'turbo',
  ['run', task, 'transit', '--only', quiet],
]);

/** Starts the jobs in their sequence, so that at most `atATime` jobs run at the same time. */
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
