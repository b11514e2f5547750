import type { Search, SearchOptions } from './search.js';

const HEAD = [
  '| Guard off | Runs until found | Broken rule | In runs of the kind |',
  '|---|---|---|---|',
];
const COVERED_HEAD = ['| Guard off | Runs | Why it is not found |', '|---|---|---|'];

/**
 * Renders the searches as a Markdown table: first the mutants that must be found, then those for
 * which another guard compensates.
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
    '# Guards switched off, one at a time',
    '',
    `Written by \`npm run simulate -- --mutants --runs ${runs} --seed ${seed} --page packages/dev/simulation/mutants.md\`: the machine with one guard off, simulated until a rule breaks, in ${runs} runs at most. ${found} of ${searches.length} are found by the simulation alone.`,
    'A run counts only if the same run breaks no rule without the mutant: with the mutant’s wrapper only (in each run), or with the original machine (in the run that breaks a rule).',
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
