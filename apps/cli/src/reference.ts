import type { Command, Option } from 'commander';
import { createProgram } from './cli.js';
import { PROBLEMS } from './doctor/catalogue.js';

const unused = (): void => {};

/** Renders docs/reference/cli.md from the definitions of the commands and the doctor's findings. */
export function renderReference(): string {
  const program = createProgram(
    {
      env: {},
      nodeOptions: [],
      result: unused,
      progress: unused,
      interrupted: new AbortController().signal,
    },
    unused,
  );
  return [
    '# The `sotto` command',
    '',
    '<!-- Generated from apps/cli/src; regenerate with `pnpm --filter @sotto/cli run docs:write`. -->',
    '',
    'In a checkout: `node apps/cli/dist/main.js <command>`. Results are on standard output, with `--json` as one JSON value; progress is on standard error.',
    'Exit codes: 0 fine; 1 the checked subject has a fault; 2 the command could not do its work, or was called wrongly.',
    '',
    ...program.commands.flatMap((command) => section(command, '')),
    '## Findings of `sotto doctor`',
    '',
    '| Code | Level | Problem | Fix |',
    '|---|---|---|---|',
    ...Object.entries(PROBLEMS).map(
      ([code, { level, message, fix, docs }]) =>
        `| \`${code}\` | ${level} | ${message} | ${fix} ([more](${docs.replace(/^docs\//, '../')})) |`,
    ),
    '',
  ].join('\n');
}

function section(command: Command, parents: string): string[] {
  const name = `${parents}${command.name()}`;
  if (command.commands.length > 0)
    return command.commands.flatMap((child) => section(child, `${name} `));
  const aliases = command.aliases().map((alias) => ` Also called \`${alias}\`.`);
  return [
    `## \`sotto ${name}\``,
    '',
    `${command.description()}${aliases.join('')}`,
    '',
    '| Option | Meaning |',
    '|---|---|',
    ...command.options.map(row),
    '',
  ];
}

const row = ({ flags, description, mandatory, argChoices }: Option): string => {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
  return `| \`${flags}\` | ${description}${choices}${mandatory ? ' (required)' : ''} |`;
};
