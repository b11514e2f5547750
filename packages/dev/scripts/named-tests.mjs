// Compares the tests whose title contains a scenario's code (M…, S…, O…, I…) with the tests of an
// earlier commit. So no test is lost when files are moved or renamed.
//
// Usage: node packages/dev/scripts/named-tests.mjs COMMIT
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './run.mjs';

const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('name the commit to compare with');

/** Titles may be reworded, but for each scenario's code the number of tests must not change. */
const TITLE = /\b(?:it|test|describe)(?:\.each\([^]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const NAME = /\b[MSOI]\d+\b/g;
const SUITES = /\.(?:spec|contract)\.ts$/;

function git(...args) {
  const { stdout, status } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed`);
  return stdout;
}

/** Counts the titles that contain each scenario's code. */
function count(texts) {
  const counts = new Map();
  for (const text of texts)
    for (const [, , title] of text.matchAll(TITLE))
      for (const name of new Set(title.match(NAME))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const suitesOf = (list) => list.split('\n').filter((file) => SUITES.test(file));
const now = count(
  suitesOf(git('ls-files', '--cached', '--others', '--exclude-standard')).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  ),
);
const before = count(
  suitesOf(git('ls-tree', '-r', '--name-only', commit)).map((file) =>
    git('show', `${commit}:${file}`),
  ),
);
if (before.size === 0) throw new Error(`no named test at ${commit}: the comparison is blind`);

const lost = [...before].filter(([name, times]) => (now.get(name) ?? 0) < times);
for (const [name, times] of lost) say(`${name}: ${times} tests before, ${now.get(name) ?? 0} now`);
const sum = (counts) => [...counts.values()].reduce((total, times) => total + times, 0);
say(`${sum(before)} named tests at ${commit}, ${sum(now)} now`);
process.exitCode = lost.length > 0 ? 1 : 0;
