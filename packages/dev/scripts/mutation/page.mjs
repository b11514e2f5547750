import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../run.mjs';
import { subjects } from './subjects.mjs';
import { reason, survivors, valid } from './survivors.mjs';

const WHAT = `# Deleted guards

Results of the tests when a guard is removed from the source. \`npm run mutation\` changes one piece of code at a time (a condition made true or false, a
boundary shifted, \`&&\` exchanged with \`||\`, a block, a call or a throw deleted) and runs the tests that execute it. A mutant is killed when a test fails
or does not end. Made by [StrykerJS](https://stryker-mutator.io) with the settings of \`packages/dev/scripts/mutation\`: texts, object literals and arithmetic are not
changed, and the random suites of machine, lanes and admission are not run, so that each kill is that of a named test. Types are not checked, so
conditions that only the compiler needs survive.

This page is made again by \`npm run mutation -- --write\`, in about twenty minutes of one processor; \`--only NAME,NAME\` selects some of the subjects, and the
page keeps the last verdict on the others. The command fails while a mutant survives without a reason in \`packages/dev/scripts/mutation/accepted.json\`.
`;

/**
 * Renders the page in docs: scores by folder, and each survivor with the reason why it is accepted.
 */
export async function page(results) {
  const text = [
    WHAT,
    '## Score',
    '',
    ...scores(results),
    '',
    '## Survivors',
    '',
    ...results.flatMap(explained),
  ].join('\n');
  return format(text, {
    ...(await resolveConfig(join(root, 'docs', 'measured', 'mutation.md'))),
    parser: 'markdown',
  });
}

function scores(results) {
  const rows = results.flatMap((result) => {
    const folders = Map.groupBy(valid(result), ({ file }) => dirname(file));
    return [...folders]
      .toSorted(byName)
      .map(([folder, mutants]) => row(result, `\`${folder}\``, mutants));
  });
  const all = results.flatMap(valid);
  return [
    '| Subject | Folder | Mutants | Killed | Accepted | Unnoticed | Score | Measured |',
    '| --- | --- | --: | --: | --: | --: | --: | --- |',
    ...rows,
    row({ name: 'all', on: '' }, '', all),
    '',
    ...results.map(
      ({ name }) => `- **${name}**: ${subjects.find((subject) => subject.name === name).about}.`,
    ),
  ];
}

function row({ name, on }, folder, mutants) {
  const living = survivors({ mutants });
  const accepted = living.filter((mutant) => reason(mutant) !== undefined).length;
  const killed = mutants.length - living.length;
  const score = ((100 * killed) / mutants.length).toFixed(1);
  return `| ${[name, folder, mutants.length, killed, accepted, living.length - accepted, `${score} %`, on].join(' | ')} |`;
}

function explained(result) {
  const files = Map.groupBy(survivors(result), ({ file }) => file);
  return [...files]
    .toSorted(byName)
    .flatMap(([file, mutants]) => [
      `### \`${file}\``,
      '',
      ...mutants
        .toSorted((a, b) => a.line - b.line)
        .map(
          (mutant) =>
            `- ${mutant.line}: ${code(mutant.code)} → ${code(mutant.becomes)}: ${reason(mutant) ?? '**no test notices**'}`,
        ),
      '',
    ]);
}

/** Renders a piece of code, shortened, between more back quotes than it contains. */
function code(text) {
  const short = text.length > 90 ? `${text.slice(0, 90)}…` : text || ' ';
  return short.includes('`') ? `\`\` ${short} \`\`` : `\`${short}\``;
}

function byName([a], [b]) {
  return a.localeCompare(b);
}
