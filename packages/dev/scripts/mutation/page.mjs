import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../run.mjs';
import { subjects } from './subjects.mjs';
import { reason, survivors, valid } from './survivors.mjs';

const HEAD = `# Deleted guards

Results of the tests when a guard is removed from the source. \`npm run mutation\` makes one change at a time: a condition becomes true or false, a boundary shifts, \`&&\` and \`||\` are exchanged, or a block, a call or a throw is deleted. It then runs the tests that execute the changed code. A mutant is killed if a test fails or does not end.

[StrykerJS](https://stryker-mutator.io) makes the changes with the settings of \`packages/dev/scripts/mutation\`. Texts, object literals and arithmetic are not changed. The random suites are not run, so each kill is that of a named test. Types are not checked, so conditions that only the compiler needs survive.

\`npm run mutation -- --write\` writes this page, in about twenty minutes of one processor. \`--only NAME,NAME\` selects subjects; the page keeps the last results of the others. The command fails while a mutant survives without a reason in \`packages/dev/scripts/mutation/accepted.json\`.
`;

/**
 * Renders the page in docs: scores by folder, and each survivor with the reason why it is accepted.
 */
export async function page(results) {
  const text = [
    HEAD,
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
