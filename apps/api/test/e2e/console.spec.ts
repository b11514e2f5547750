import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { Browser, Page } from 'playwright-core';
import {
  VIEWS,
  barriersOf,
  describeInBrowser,
  newPage,
  overflowOf,
  startBrowser,
  type View,
} from './support/browser.js';
import { picture } from './support/picture.js';
import { found, spellings } from './support/private-words.js';
import { Stack } from './support/stack.js';
import { good, leaves, vector } from './support/withdrawals.js';

const { accounts, pools } = sandboxWorld;
const TOKEN = 'token-of-an-operator';
const as = { authorization: `Bearer ${TOKEN}` };
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const FINE = 'Withdrawals can succeed';

describe('the console', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({
      whole: true,
      env: { CONSOLE: 'true', OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }) },
      deposit: (chain) => chain.depositInto(pools.sentinel_1x, leaves),
    });
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  it('the console is served only to browsers, connects only to this service, and is never read from a cache', async () => {
    const page = await stack.service.get('/console/', { accept: BROWSER });
    expect([
      page.status,
      page.headers.get('cache-control'),
      page.headers.get('set-cookie'),
    ]).toEqual([200, 'no-cache', null]);
    expect(page.headers.get('content-security-policy')?.split(';')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    const files = [...page.text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]*)"/g)].map(
      ([, file = '']) => file,
    );
    expect(files.length).toBeGreaterThan(1);
    for (const file of files)
      expect((await stack.service.get(file)).headers.get('cache-control')).toContain('immutable');
    expect((await stack.service.get('/console/', { accept: 'application/json' })).status).toBe(404);
  });

  it('the console returns 404 unless it is enabled', async () => {
    const other = await Stack.start({
      env: { OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }) },
    });
    try {
      for (const path of ['/console/', '/console', '/console/index.html'])
        expect((await other.service.get(path, { accept: BROWSER })).status).toBe(404);
    } finally {
      await other.stop();
    }
  });

  describeInBrowser('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    });
    afterAll(() => browser.close());

    /**
     * Opens a page and signs an operator in. Returns the page and the errors that the browser
     * reported.
     */
    async function signedIn(view?: View): ReturnType<typeof newPage> {
      const opened = await newPage(browser, view);
      await opened.page.goto(`${stack.service.url}/console/`);
      await signIn(opened.page, TOKEN);
      await opened.page.getByRole('navigation').waitFor();
      return opened;
    }

    it('the console reveals nothing without an operator’s token', async () => {
      const { page } = await newPage(browser);
      await page.goto(`${stack.service.url}/console/`);
      await signIn(page, 'another');
      await page.getByText('The service does not accept this token').waitFor();
      expect(await page.getByRole('navigation').count()).toBe(0);
      expect(await barriersOf(page)).toEqual([]);
    });

    it.each(VIEWS)(
      'the console reports that withdrawals can succeed, in every display format: %s',
      async (name, view) => {
        const { page, complaints } = await signedIn(view);
        await headline(page, FINE);
        await isSound(page, `fine-${name}`);
        expect(complaints).toEqual([]);
        // The page does not store the API token in the browser.
        expect(await page.context().cookies()).toEqual([]);
        expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
        expect(page.url()).not.toContain(TOKEN);
      },
    );

    it.each(VIEWS)('every view of the console is usable: %s', async (_name, view) => {
      const { page, complaints } = await signedIn(view);
      const links = page.getByRole('navigation').getByRole('link');
      const names = await links.allTextContents();
      expect(names.length).toBeGreaterThan(7);
      for (const name of names) {
        await links.filter({ hasText: name }).click();
        await page.getByText('Reading …').waitFor({ state: 'detached' });
        expect([name, await barriersOf(page), await overflowOf(page)]).toEqual([name, [], 0]);
      }
      expect(complaints).toEqual([]);
    });

    it('the console reports that no account can pay, and recovers automatically once an account can pay', async () => {
      const { page, complaints } = await signedIn();
      await headline(page, FINE);
      const { balanceFri } = await stack.chain.lane();
      stack.chain.control.mint(accounts.lane1.address, -balanceFri);
      await headline(page, 'Withdrawals cannot succeed');
      await page.getByRole('heading', { name: 'No account has enough STRK' }).waitFor();
      await page.getByText('Send STRK to the accounts.').waitFor();
      await isSound(page, 'no-funds');
      stack.chain.control.mint(accounts.lane1.address, balanceFri);
      await headline(page, FINE);
      expect(complaints).toEqual([]);
    });

    it('an operator pauses a pool with a reason in the console', async () => {
      const { page, complaints } = await signedIn();
      const act = async (verb: 'Pause' | 'Resume', reason: string): Promise<void> => {
        await page.getByRole('link', { name: 'Pools', exact: true }).click();
        await page
          .getByRole('row', { name: /^sentinel_2x/ })
          .getByRole('button', { name: new RegExp(verb) })
          .click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Reason').fill(reason);
        expect(await barriersOf(page)).toEqual([]);
        await dialog.getByRole('button', { name: verb, exact: true }).click();
        await dialog.getByRole('alert').filter({ hasText: 'Pool sentinel_2x is' }).waitFor();
        await dialog.getByRole('button', { name: 'Close' }).click();
        await page.getByRole('link', { name: 'Now', exact: true }).click();
      };
      await act('Pause', 'a new contract');
      await headline(page, 'Withdrawals can succeed in 5 of 6 pools');
      await page.getByRole('heading', { name: 'The pool is paused' }).waitFor();
      await isSound(page, 'pool-paused');
      await act('Resume', 'it stands');
      await headline(page, FINE);
      const { body } = await stack.service.get('/api/operator/audit-log', as);
      expect(Object(body).entries).toMatchObject([
        { holder: 'default', action: 'pool.resume', subject: 'sentinel_2x', reason: 'it stands' },
        { holder: 'default', action: 'pool.pause', reason: 'a new contract' },
      ]);
      expect(complaints).toEqual([]);
    });

    it('an operator stops an account with a reason in the console, and retries and cancels the account’s waiting submission', async () => {
      const lane = toFelt(accounts.lane1.address);
      const shortLane = `${lane.slice(0, 8)}…${lane.slice(-4)}`;
      const { page, complaints } = await signedIn();
      const view = (name: string): Promise<void> =>
        page.getByRole('link', { name, exact: true }).click();
      const act = async (verb: string, reason: string, outcome: string): Promise<void> => {
        const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Reason') });
        await dialog.getByLabel('Reason').fill(reason);
        await dialog.getByRole('button', { name: verb, exact: true }).click();
        const said = page.getByRole('alert').filter({ hasText: outcome });
        await said.waitFor();
        const done = page.getByRole('dialog').filter({ has: said });
        await done.getByRole('button', { name: 'Close' }).click();
        await said.waitFor({ state: 'detached' });
      };
      await view('Accounts');
      await page.getByRole('button', { name: `Pause account ${lane}` }).click();
      await act('Pause', 'its key moves', 'The account is paused');
      await view('Now');
      await page.getByRole('heading', { name: 'All accounts are paused' }).waitFor();

      const id = (await stack.service.accepted(good)).split('/').at(-1) ?? '';
      await view('Submissions');
      await page.getByTitle(`Submission ${id}`).click();
      await page.getByText('Nothing was signed.').waitFor();
      await page.getByRole('button', { name: /^Retry now/ }).click();
      await act(
        'Retry now',
        'it waits',
        'The submission is being checked now; its state is accepted.',
      );
      await page.getByRole('button', { name: /^Cancel the submission/ }).click();
      await act('Cancel the submission', 'asked for', 'It has ended: refused.');
      await page.getByRole('dialog').getByText('CANCELLED_BY_OPERATOR').first().waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      expect(stack.chain.inclusions()).toEqual([]);

      await view('Accounts');
      await page.getByRole('button', { name: `Resume account ${lane}` }).click();
      await act('Resume', 'it has moved', 'Resumed. The account is');
      await view('Log');
      const entries = page.getByRole('row').filter({ hasText: /(lane|submission)\./ });
      await entries.filter({ hasText: 'it has moved' }).waitFor();
      expect(await entries.getByRole('cell').allTextContents()).toEqual(
        [
          ['lane.resume', shortLane, 'it has moved'],
          ['submission.cancel', id, 'asked for'],
          ['submission.retry', id, 'it waits'],
          ['lane.pause', shortLane, 'its key moves'],
        ].flatMap((entry) => ['default', ...entry, 'done']),
      );
      await view('Now');
      await headline(page, FINE);
      expect(complaints).toEqual([]);
    });

    it('the console reports that a rollback of blocks has undone an outcome', async () => {
      const { page, complaints } = await signedIn();
      const path = await stack.service.accepted(good);
      await eventually('the submission to have succeeded', async () => {
        return Object((await stack.service.get(path)).body).state === 'succeeded';
      });
      stack.chain.control.pause();
      // An empty block may follow the block of the withdrawal.
      const { length } = stack.chain.inclusions();
      while (stack.chain.inclusions().length === length)
        stack.chain.control.rollback(1, 'return-to-pool');
      await eventually('the rollback to be noticed', async () => {
        stack.chain.control.mine();
        return Object((await stack.service.get(path)).body).reorged !== null;
      });
      await page.getByText(/settled nonces? opened again by a reorg/).waitFor();
      await isSound(page, 'reorg');
      stack.chain.control.resume();
      expect(complaints).toEqual([]);
    });

    it('the console finds a submission by its id and by its nullifier’s hash, and saves the list as a file', async () => {
      const answer = await stack.service.withdraw(good);
      const id = answer.headers.get('location')?.split('/').at(-1) ?? '';
      const { page, complaints } = await signedIn();
      await page.getByRole('link', { name: 'Submissions', exact: true }).click();
      for (const text of [id, vector.note.nullifierHash]) {
        await page.getByLabel('Id, transaction hash or nullifier hash').fill(text);
        await page.getByRole('button', { name: 'Search' }).click();
        // A cancelled submission of an earlier test may have the same nullifier, so the search may
        // find two submissions.
        const count = page.getByText(/^[12] submissions? found\.$/);
        await count.waitFor();
        await page.getByTitle(`Submission ${id}`).waitFor();
        await page.getByRole('button', { name: 'All', exact: true }).click();
        await count.waitFor({ state: 'detached' });
      }
      const rows = page.getByTitle(`Submission ${id}`);
      const hourMs = 3_600_000;
      for (const [label, shiftMs] of [
        ['Accepted from', hourMs],
        ['Accepted before', -hourMs],
      ] as const) {
        const field = page.getByLabel(label);
        await field.fill(fieldOf(Date.now() + shiftMs));
        await page.getByText('None.', { exact: true }).waitFor();
        await field.fill(fieldOf(Date.now() - shiftMs));
        await rows.waitFor();
      }
      expect(await barriersOf(page)).toEqual([]);
      expect(page.url()).not.toContain(vector.note.nullifierHash);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      const csv = readFileSync(await download.path(), 'utf8');
      expect(csv.split('\r\n')[0]).toMatch(/^id,attempt,kind,pool,state,/);
      expect(csv).toContain(id);
      const markers = [vector.recipient, vector.note.nullifierHash].map(BigInt).flatMap(spellings);
      expect(found(csv, markers)).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('the console reports that the node is behind the chain', async () => {
      stack.chain.control.pause();
      stack.service.kill('SIGTERM');
      await stack.service.ended;
      await stack.restart({ HEAD_MAX_AGE_MS: '1000' });
      const { page, complaints } = await signedIn();
      await headline(page, 'Withdrawals cannot succeed');
      await page.getByRole('heading', { name: 'The node is behind the chain' }).waitFor();
      await isSound(page, 'node-behind');
      expect(complaints).toEqual([]);
    });
  });
});

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Operator’s token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const headline = (page: Page, text: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();

/** Formats a time for an input field, by the browser's clock, which equals this machine's clock. */
const fieldOf = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Expects that a page is accessible and fully visible, and saves a screenshot. */
async function isSound(page: Page, name: string): Promise<void> {
  expect(await barriersOf(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await picture(page, `console-${name}`);
}
