import type { Search, SearchOptions } from './search.js';

const HEAD = [
  '| Disabled guard | Runs until found | Broken rule | Kind of the run |',
  '|---|---|---|---|',
];
const COVERED_HEAD = ['| Disabled guard | Runs | Reason why it is not found |', '|---|---|---|'];

/**
 * Renders the search results as a Markdown table: first the mutants that must be found, then the
 * mutants for which a second guard compensates.
 */
export function tableOf(searches: readonly Search[]): string {
  const expected = searches.filter(
    ({ mutant, found, control }) =>
      found !== null || control !== null || mutant.coveredBy === undefined,
  );
  const covered = searches.filter((searched) => !expected.includes(searched));
  const rows = [...(expected.length === 0 ? [] : HEAD), ...expected.map(rowOf)];
  const others = covered.length === 0 ? [] : ['', ...COVERED_HEAD, ...covered.map(coveredRowOf)];
  return [...rows, ...others].join('\n');
}

export function pageOf(
  searches: readonly Search[],
  { seed, runs }: Pick<SearchOptions, 'seed' | 'runs'>,
): string {
  const found = searches.filter((searched) => searched.found !== null).length;
  return [
    '# Disabled guards',
    '',
    `Simulation of the machine with one disabled guard, until a rule breaks, in at most ${runs} runs. ${found} of ${searches.length} disabled guards are found. Repeat with \`npm run simulate -- --mutants --runs ${runs} --seed ${seed} --page packages/dev/simulation/mutants.md\`.`,
    '',
    'A run counts only if it breaks no rule without the mutant: neither with the mutant’s wrapper alone, nor with the original machine.',
    '',
    tableOf(searches),
    '',
  ].join('\n');
}

function rowOf({ mutant, runs, found, control }: Search): string {
  if (control !== null)
    return `| ${mutant.name} | control broken after ${runs} | ${control.replaceAll('|', '/')} | |`;
  if (found === null) return `| ${mutant.name} | not in ${runs} | | |`;
  return `| ${mutant.name} | ${runs} | ${found.rule} | ${found.kind} |`;
}

function coveredRowOf({ mutant, runs }: Search): string {
  return `| ${mutant.name} | ${runs} | ${mutant.coveredBy ?? ''} |`;
}
