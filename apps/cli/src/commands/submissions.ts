import { operatedSubmissions, searchSubmissions } from '@sotto/routes';
import { Option, type Command } from 'commander';
import { request, queriesService, operatedService, type ServiceOptions } from '../service.js';
import { show, table, type Terminal } from '../terminal.js';
import { HEADINGS, STATES, cellsOf, type Submission } from './submission-row.js';

interface Options extends ServiceOptions {
  readonly search?: string;
  readonly state?: string;
  readonly kind?: string;
  readonly pool?: string;
  readonly lane?: string;
  readonly since?: string;
  readonly until?: string;
  readonly after?: string;
  readonly limit?: string;
}

/** Adds the command that lists submissions of a running service. */
export function addSubmissions(program: Command, terminal: Terminal): void {
  queriesService(
    program
      .command('submissions')
      .summary('lists and finds submissions of a running service')
      .description(
        'Lists submissions, newest first, or finds one by its id, a transaction’s hash or a nullifier’s hash. Shows no recipient, calldata or proof.',
      ),
  )
    .option('--search <text>', 'an id, a transaction’s hash or a nullifier’s hash')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .option('--kind <kind>', 'only those of this kind, such as withdraw or private_swap')
    .option('--pool <pool>', 'only those of this pool: its key or address')
    .option('--lane <account>', 'only those of this account')
    .option('--since <seconds>', 'accepted at this time or later, in Unix seconds')
    .option('--until <seconds>', 'accepted before this time, in Unix seconds')
    .option('--after <cursor>', 'the next page: the cursor at the end of the previous page')
    .option('--limit <number>', 'maximum number of submissions; default: 50')
    .action(async (options: Options) => {
      const page = await pageOf(options, terminal);
      show(terminal, options.json === true, page, ({ submissions }) =>
        table([HEADINGS, ...submissions.map(cellsOf)]),
      );
      if (page.next !== null && options.json !== true)
        terminal.progress(`more: --after ${page.next}`);
    });
}

interface Page {
  readonly submissions: readonly Submission[];
  readonly next: string | null;
}

async function pageOf(options: Options, terminal: Terminal): Promise<Page> {
  const service = operatedService(options, terminal.env);
  if (options.search !== undefined) {
    const body = { text: options.search };
    const { submissions } = await request(service, searchSubmissions, { body });
    return { submissions, next: null };
  }
  const { state, kind, pool, lane, since, until, after, limit } = options;
  return request(service, operatedSubmissions, {
    query: { state, kind, pool, lane, since, until, after, limit },
  });
}
