// Prints the titles of all tests of the last runs, or compares two such lists. The comparison shows
// whether a change of the suites has lost a test.
//
// Usage: node packages/dev/scripts/test-titles.mjs [BEFORE AFTER]
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, root, say } from './run.mjs';

const RESULTS = ['test-results.json', 'test-results.devnet.json', 'test-results.e2e.json'];

const [before, after] = process.argv.slice(2);
if (before === undefined) {
  const titles = packageFolders().flatMap(titlesOf);
  if (titles.length === 0) throw new Error('no suite has run here yet: npm test');
  process.stdout.write(`${titles.join('\n')}\n`);
} else {
  if (after === undefined) throw new Error('name two lists: the one before and the one after');
  compare(before, after);
}

/**
 * Returns one line per test of a package: the package's name and the title. A test may move to
 * another file of its package.
 */
function titlesOf(folder) {
  const { name } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return RESULTS.map((file) => join(root, folder, file))
    .filter((file) => existsSync(file))
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).files)
    .flatMap(({ titles }) => titles)
    .map((title) => `${name}: ${title.replaceAll(/\s+/g, ' ')}`)
    .toSorted();
}

function compare(one, other) {
  const lists = [one, other].map((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  );
  const [lost, added] = [lists, lists.toReversed()].map(([from, to]) => without(from, to));
  for (const title of lost) console.log(`- ${title}`);
  for (const title of added) console.log(`+ ${title}`);
  say(`${lists[0].length} titles before, ${lists[1].length} after`);
  process.exitCode = lost.length + added.length > 0 ? 1 : 0;
}

/**
 * Returns the titles of the list `from` that the list `to` does not have. If a title occurs several
 * times, the numbers of occurrences are compared.
 */
function without(from, to) {
  const counts = new Map();
  for (const title of to) counts.set(title, (counts.get(title) ?? 0) + 1);
  return from.filter((title) => {
    const count = counts.get(title) ?? 0;
    counts.set(title, count - 1);
    return count <= 0;
  });
}
