import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, keeperVariables } from '@sotto/process-kit';
import { ErrorBody, ROUTES, type RouteDefinition } from '@sotto/routes';
import { sandboxWorld } from '@sotto/sandbox';
import * as z from 'zod';
import type { TestChain } from './support/chain.js';
import { depositBody } from './support/deposits.js';
import { DocumentedActions } from './support/documented-actions.js';
import { TOKENS, startDomains } from './support/domains.js';
import {
  addressText,
  commitmentText,
  commitmentsOf,
  notesOf,
  withdrawalOf,
} from './support/notes.js';
import { SPONSOR_KEY } from './support/private-actions.js';
import type { Stack } from './support/stack.js';
import { good, leaves } from './support/withdrawals.js';

const { accounts, pools, privacyPool, swapPool, tokens, vaults } = sandboxWorld;
const documented = ['wallet', 'private-actions', 'service', 'operator']
  .map((page) => readFileSync(new URL(`../../../../docs/api/${page}.md`, import.meta.url), 'utf8'))
  .join('\n');

interface Example {
  readonly command: string;
  readonly status: number;
  /** Expected error code of the response; undefined for a success. */
  readonly code: string | undefined;
  /** Response body that the page contains; undefined if the page contains none. */
  readonly answer: unknown;
}

/** Pattern of a command and its response, in the format of the pages. */
const EXAMPLE =
  /```sh\n([^`]*curl[^`]*)```\n\nAnswers `(\d{3})`(?: `([A-Z_]+)`)?[.:](?:\n\n```json\n([^`]*)```)?/g;
const examples: readonly Example[] = [...documented.matchAll(EXAMPLE)].map(
  ([, command = '', status, code, answer]) => ({
    command: command.trim(),
    status: Number(status),
    code,
    answer: answer === undefined ? undefined : JSON.parse(answer),
  }),
);
/** Definitions of the variables that all commands use. Each page has one block of definitions. */
const definitions = [...documented.matchAll(/```sh\n((?:[A-Z_0-9]+=.*\n)+)```/g)]
  .map(([, block = '']) => block)
  .join('');
const variables = [...definitions.matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name = '']) => name);

const OPERATOR_TOKEN = 'token-of-the-operator';
/**
 * Pattern of routes whose documented responses come from a service without a keeper. The responses
 * of all other routes come from `npm start`.
 */
const SHOWS_KEEPER = /\/api\/keeper\/|\/api\/vaults|\/operator\/(?:status|tasks|leverage)/;
const SETTINGS = {
  OPERATOR_API_TOKENS: JSON.stringify({ docs: OPERATOR_TOKEN }),
  SPONSORS: JSON.stringify({ docs: { key: SPONSOR_KEY, budgetPerDayFri: String(10n ** 18n) } }),
  // Audits are disabled. Otherwise the result would depend on whether an audit has ended when the
  // audit's route is called.
  AUDIT_INTERVAL_MS: '0',
};
const wallet = notesOf(21n, 3);
const swapped = notesOf(22n, 1);
const [deposited] = notesOf(23n, 1);

describe('the pages of docs/api', () => {
  let stack: Stack;
  let withoutKeeper: Stack;
  let privateActions: DocumentedActions;
  const folder = mkdtempSync(join(tmpdir(), 'sotto-docs-'));
  const values = new Map<string, string>();
  beforeAll(async () => {
    withoutKeeper = await startDomains({}, SETTINGS);
    stack = await startDomains({}, ({ aggregatorUrl }) => ({
      ...SETTINGS,
      ...keeperVariables({ accounts, aggregatorUrl }),
    }));
    stack.solver.configure({ stepMs: 'manual' });
    await deposit(stack.chain);
    await Promise.all([stack, withoutKeeper].map(({ service }) => service.ready()));
    privateActions = new DocumentedActions(stack, folder);
    const proofCalldata = await withdrawalOf({ notes: wallet, index: 1, fee: 400n });
    const [note] = swapped;
    if (note === undefined) throw new Error('there is no note to swap into');
    const swap = {
      wbtcPool: addressText(pools.swap_input_1),
      proofCalldata,
      newCommitment: commitmentText(note),
      outputToken: addressText(tokens.ETH),
      slippage: 0.01,
    };
    writeFileSync(join(folder, 'swap.json'), JSON.stringify(swap));
    const { sentinel_2x: other } = pools;
    await stack.chain.approve(
      accounts.depositor,
      tokens.WBTC.address,
      other.address,
      other.denomination,
    );
    writeFileSync(
      join(folder, 'deposit.json'),
      JSON.stringify(depositBody(other, deposited?.commitment ?? 0n, accounts.depositor)),
    );
    // With these settings, curl prints each response body and the response's status to standard
    // output.
    writeFileSync(
      join(folder, '.curlrc'),
      'write-out = "\\n%{http_code}"\ndump-header = "headers.txt"\n',
    );
    values.set('SOTTO', '');
    values.set('POOL', addressText(pools.sentinel_1x));
    values.set('OTHER_POOL', addressText(pools.sentinel_2x));
    values.set('PRIVACY_POOL', addressText(privacyPool)).set('STRK', addressText(tokens.STRK));
    values.set('ACCOUNT', addressText(accounts.depositor)).set('SPONSOR_KEY', SPONSOR_KEY);
    values.set('TRACKING', 'unknown');
    values.set('EXECUTE', 'execute.json').set('ACTIONS', 'actions.json');
    values.set('LANE', addressText(accounts.lane1));
    values.set('SWAP_INPUT', addressText(pools.swap_input_1));
    values.set('ETH', addressText(tokens.ETH));
    writeFileSync(join(folder, 'proof.json'), JSON.stringify(good));
    values
      .set('WITHDRAWAL', 'withdrawal.json')
      .set('PROOF', 'proof.json')
      .set('SWAP', 'swap.json')
      .set('SWAPPED', 'swapped.json')
      .set('DEPOSIT', 'deposit.json');
    values.set('SUBMISSION', 'unknown').set('TRANSFER', 'unknown');
    values.set('CURATOR_TOKEN', TOKENS.first).set('OPERATOR_TOKEN', OPERATOR_TOKEN);
  });
  afterAll(async () => {
    await Promise.all([stack, withoutKeeper].map((each) => each.stop()));
    rmSync(folder, { recursive: true });
  });

  it('the pages of docs/api define exactly the variables that their commands use', () => {
    expect(new Set(variables)).toEqual(new Set(values.keys()));
    const used = examples.flatMap(({ command }) =>
      [...command.matchAll(/\$([A-Z_0-9]+)/g)].map(([, name]) => name),
    );
    expect(new Set(used)).toEqual(
      new Set([
        'SOTTO',
        'POOL',
        'OTHER_POOL',
        'PRIVACY_POOL',
        'STRK',
        'ACCOUNT',
        'SPONSOR_KEY',
        'EXECUTE',
        'ACTIONS',
        'TRACKING',
        'WITHDRAWAL',
        'PROOF',
        'DEPOSIT',
        'SWAP',
        'SWAPPED',
        'SWAP_INPUT',
        'ETH',
        'SUBMISSION',
        'TRANSFER',
        'CURATOR_TOKEN',
        'OPERATOR_TOKEN',
        'LANE',
      ]),
    );
  });

  it('the pages of docs/api have a command for every endpoint', () => {
    const { paths }: { readonly paths: object } = JSON.parse(
      readFileSync(new URL('../../../../docs/reference/openapi.json', import.meta.url), 'utf8'),
    );
    const commands = examples
      .map(({ command }) =>
        command
          .replaceAll('$SUBMISSION', '{id}')
          .replaceAll('/pools/$POOL/', '/pools/{pool}/')
          .replaceAll('/lanes/$LANE/', '/lanes/{lane}/')
          .replaceAll('/tasks/curator/', '/tasks/{task}/')
          .replaceAll('/leverage/turbo', '/leverage/{vault}'),
      )
      .join('\n');
    expect(Object.keys(paths).filter((path) => !commands.includes(`$SOTTO${path}`))).toEqual([]);
    expect(examples.length).toBeGreaterThanOrEqual(Object.keys(paths).length);
  });

  it.each(examples)(
    'the documented command has the status $status: $command',
    async ({ command, status, code, answer }) => {
      values.set('SOTTO', (SHOWS_KEEPER.test(command) ? withoutKeeper : stack).service.url);
      await before(command);
      const { stdout } = await run(`${definitions}\n${overrides()}\n${command}`);
      const end = stdout.lastIndexOf('\n');
      const body = stdout.slice(0, end);
      expect([Number(stdout.slice(end + 1)), body]).toEqual([status, expect.any(String)]);
      const parsed: unknown = body === '' ? null : JSON.parse(body);
      expect(codeOf(parsed, status)).toBe(code);
      // The schema contains every field of the response, so parsing removes nothing.
      expect(schemaOf(command, status).parse(parsed)).toEqual(parsed);
      expect(shapeOf(parsed)).toEqual(shapeOf(answer ?? parsed));
      after(command, body);
    },
  );

  const overrides = (): string =>
    [...values].map(([name, value]) => `${name}='${value}'`).join('\n');
  const run = (script: string) =>
    promisify(execFile)('bash', ['-euc', script], {
      cwd: folder,
      env: { PATH: process.env['PATH'], CURL_HOME: folder },
      maxBuffer: 2 ** 24,
    });

  /** Performs the steps that a reader would perform before the given command. */
  async function before(command: string): Promise<void> {
    writeFileSync(
      join(folder, 'withdrawal.json'),
      JSON.stringify({ ...good, quoteId: values.get('QUOTE') }),
    );
    if (command.includes('$SWAPPED')) await proveSwappedNote();
    if (command.includes('$EXECUTE')) await privateActions.write(values.get('FEE') ?? '');
    if (command.includes('$TRACKING')) await privateActions.accepted(values.get('TRACKING') ?? '');
    if (!command.includes('/submissions/')) return;
    await eventually('the withdrawal to be final', async () => {
      const { body } = await stack.service.get(
        `/api/relayer/submissions/${values.get('SUBMISSION')}`,
      );
      return Object(body).state === 'succeeded';
    });
  }

  /**
   * Writes the body of a request that withdraws the swapped note, which is leaf 0 of the swap pool.
   */
  async function proveSwappedNote(): Promise<void> {
    const poolAddress = addressText(swapPool);
    const { fee, quoteId } = await eventually(
      'a quote for the swapped note',
      async () => {
        const answer = await stack.service.post('/api/relayer/quote', {
          poolAddress,
          leafIndex: 0,
        });
        return answer.status === 200 && Object(answer.body);
      },
      60_000,
    );
    const calldata = await withdrawalOf({
      notes: swapped,
      index: 0,
      fee: BigInt(fee),
      recipient: BigInt(addressText(accounts.crowd1)),
      batchSize: 1,
    });
    writeFileSync(
      join(folder, 'swapped.json'),
      JSON.stringify({ poolAddress, calldata, quoteId, leafIndex: 0 }),
    );
  }

  /** Stores those values of a response that later commands need, such as ids. */
  function after(command: string, body: string): void {
    const headers = readFileSync(join(folder, 'headers.txt'), 'utf8');
    const named: readonly (readonly [string, string, RegExp, string])[] = [
      ['/relayer/quote', 'QUOTE', /"quoteId":"([^"]+)"/, body],
      ['paymaster_buildTransaction', 'FEE', /"amount":"(0x[1-9a-f][0-9a-f]*)"/, body],
      ['$EXECUTE', 'TRACKING', /"tracking_id":"(0x[0-9a-f]+)"/, body],
      ['/bridge/quote', 'TRANSFER', /"transaction_id":"([^"]+)"/, body],
      ['/withdraw', 'SUBMISSION', /^location: .*\/([\w-]+)\r?$/im, headers],
    ];
    for (const [path, name, pattern, text] of named) {
      const value = command.includes(path) ? pattern.exec(text)?.[1] : undefined;
      if (value !== undefined) values.set(name, value);
    }
  }
});

/** Returns the error code of a failure; undefined for a success. */
function codeOf(body: unknown, status: number): unknown {
  return status < 400 ? undefined : Object(body).code;
}

/**
 * Returns the schema of the response on standard output. @throws Error for a route without a
 * definition
 */
function schemaOf(command: string, status: number): z.ZodType {
  if (command.includes(' -o ')) return z.null();
  const [, called = ''] = /"\$SOTTO([^"?]*)/.exec(command) ?? [];
  const method = /-X POST|--data/.test(command) ? 'post' : 'get';
  const routes: readonly RouteDefinition[] = ROUTES;
  const route = routes.find(
    ({ method: own, path }) =>
      own === method && new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(called),
  );
  if (route === undefined) throw new Error(`no route for ${method} ${called}`);
  return route.replies[status]?.schema ?? route.failure?.schema ?? ErrorBody;
}

async function deposit(chain: TestChain): Promise<void> {
  await chain.depositInto(pools.sentinel_1x, leaves);
  await chain.depositInto(pools.swap_input_1, commitmentsOf(wallet));
  chain.control.setStorage(pools.sentinel_2x.address, 'auto_deploy_off', 1n);
  await chain.depositInto(pools.sentinel_2x, [1n, 2n, 3n, 4n]);
  chain.control.mint(vaults.sentinel.address, 1_250_000n, tokens.WBTC.address);
}

/** Names of fields whose values are fixed texts that programs compare, such as error codes. */
const WORDS: ReadonlySet<string> = new Set([
  'code',
  'status',
  'execution_status',
  'finality',
  'step',
  'check',
]);

/**
 * Pattern of both accepted finality levels. A block is accepted on L1 some time after it was
 * accepted on L2.
 */
const ACCEPTED = /^ACCEPTED_ON_L[12]$/;

/**
 * Reduces a response to its structure, so that two responses can be compared. Fields that programs
 * compare retain their values; all other values are replaced by their types. A list is replaced by
 * the common structure of its elements.
 */
function shapeOf(value: unknown, name = ''): unknown {
  if (typeof value === 'string' && ACCEPTED.test(value)) return 'accepted';
  // The value is the finality of a transaction that was read before its block. The value is null if
  // the block was read first.
  if (name === 'seen') return 'string or null';
  if (value === null || (typeof value === 'string' && WORDS.has(name))) return value;
  if (Array.isArray(value))
    return [...new Set(value.map((element) => JSON.stringify(shapeOf(element))))].toSorted();
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part, key)]));
}
