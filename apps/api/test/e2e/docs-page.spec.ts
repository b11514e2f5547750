import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { keeperVariables } from '@sotto/process-kit';
import { ROUTES, type RouteDefinition } from '@sotto/routes';
import { sandboxWorld } from '@sotto/sandbox';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  VIEWS,
  barriersOf,
  describeInBrowser,
  newPage,
  overflowOf,
  startBrowser,
  walkByKeyboard,
} from './support/browser.js';
import { TOKENS, startDomains } from './support/domains.js';
import { picture } from './support/picture.js';
import type { Stack } from './support/stack.js';
import { good, leaves } from './support/withdrawals.js';

const { accounts, pools } = sandboxWorld;
const OPERATOR_TOKEN = 'token-of-the-operator';

/** Operations whose forms can't be complete before the user has done something else. */
const NEEDS_MORE: readonly string[] = [
  'getSubmission',
  'followSubmission',
  'lookUpSubmission',
  'getBridgeStatus',
  'pauseLane',
  'resumeLane',
  'getOperatedSubmission',
  'retrySubmission',
  'cancelSubmission',
];

describeInBrowser('the page /docs, in a browser', () => {
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    stack = await startDomains(
      {
        // The pools deploy no batch without a request, so that deposits wait.
        genesis: { autoDeploy: false },
        deposit: async (chain) => {
          await chain.depositInto(pools.sentinel_1x, leaves);
          await chain.depositInto(pools.sentinel_2x, [5n, 6n, 7n]);
        },
      },
      ({ aggregatorUrl }) => ({
        OPERATOR_API_TOKENS: JSON.stringify({ docs: OPERATOR_TOKEN }),
        ...keeperVariables({ accounts, aggregatorUrl }),
      }),
    );
    await stack.service.ready();
    const batch = { poolAddress: toFelt(pools.sentinel_1x.address), count: 3 };
    for (let batches = 0; batches < 2; batches += 1)
      await stack.service.post('/api/relayer/deploy-batch', batch);
    browser = await startBrowser();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
  });

  const opened = async (page: Page): Promise<void> => {
    await page.goto(`${stack.service.url}/docs`);
    await page.locator('details.operation').first().waitFor();
  };

  it('the page /docs has an entry for every route', async () => {
    const { page } = await newPage(browser);
    await opened(page);
    const shown = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('details.operation')].map(({ id }) => id)`,
    );
    expect(shown.toSorted()).toEqual(ROUTES.map(({ operationId }) => operationId).toSorted());
  });

  it('each prefilled operation on the page /docs succeeds, and an incomplete form names the missing value', async () => {
    const { page, complaints } = await newPage(browser);
    await opened(page);
    const incomplete: string[] = [];
    const failed: string[] = [];
    const notes: string[] = [];
    const isLearned = new Set(['getSubmission', 'followSubmission', 'getOperatedSubmission']);
    // Before any request, the forms that need an id are empty.
    for (const id of isLearned) expect(await (await entry(page, id)).missing()).toBe(true);
    const routes: readonly RouteDefinition[] = ROUTES;
    for (const { operationId, credential } of routes) {
      const operation = await entry(page, operationId);
      if (credential !== undefined)
        await operation.form
          .getByLabel('Token')
          .fill(credential === 'curator' ? TOKENS.first : OPERATOR_TOKEN);
      if (await operation.missing()) {
        incomplete.push(operationId);
        notes.push(await operation.form.locator('p').first().innerText());
        continue;
      }
      const answer = await operation.sent();
      if (!/^Status 2\d\d/.test(answer)) failed.push(`${operationId}: ${answer}`);
    }
    expect(failed).toEqual([]);
    expect(notes.filter((note) => !/\b(?:Fill in|Send|Request) /.test(note))).toEqual([]);
    // The deployment of a batch has given the forms an id.
    expect(incomplete).toEqual(NEEDS_MORE.filter((id) => !isLearned.has(id)));
    expect(complaints).toEqual([]);
  });

  it('a withdrawal and a bridge quote on the page /docs fill in the requests that follow them', async () => {
    const { page } = await newPage(browser);
    await opened(page);
    const withdrawal = await entry(page, 'submitWithdrawal');
    await withdrawal.form.getByLabel('dryRun').selectOption('');
    await withdrawal.form.getByLabel('Body, as JSON').fill(JSON.stringify(good));
    expect(await withdrawal.sent()).toMatch(/^Status 200.*Location: /);
    for (const id of ['getSubmission', 'lookUpSubmission'])
      expect(await (await entry(page, id)).sent()).toMatch(/^Status 200/);
    const quote = await entry(page, 'quoteBridgeTransfer');
    const body = quote.form.getByLabel('Body, as JSON');
    const real = {
      ...JSON.parse(await body.inputValue()),
      dry_run: false,
      recipient: toFelt(accounts.recipient1.address),
    };
    await body.fill(JSON.stringify(real));
    expect(await quote.sent()).toMatch(/^Status 200/);
    expect(await (await entry(page, 'getBridgeStatus')).sent()).toMatch(/^Status 200/);
  });

  it.each(VIEWS)('the page /docs is accessible and fits the window: %s', async (name, view) => {
    const { page, complaints } = await newPage(browser, view);
    await opened(page);
    expect(await barriersOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await picture(page, `docs-${name}`, false);
    const operation = await entry(page, 'getPoolStatus');
    expect(await operation.sent()).toMatch(/^Status 200/);
    for (const id of ['submitWithdrawal', 'deployIdleFunds']) await entry(page, id);
    await page.evaluate(
      `document.querySelectorAll('details').forEach((each) => (each.open = true))`,
    );
    await page.locator('#getPoolStatus .fields').first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('a link to an operation opens its entry, and the keyboard reaches the form', async () => {
    const { page } = await newPage(browser);
    await page.goto(`${stack.service.url}/docs#estimateFee`);
    await page.locator('#estimateFee form').waitFor();
    expect(await walkByKeyboard(page)).toEqual(
      expect.arrayContaining(['Link to estimateFee', 'Send GET request']),
    );
  });
});

/** Opens the entry of an operation. */
async function entry(page: Page, id: string) {
  const details = page.locator(`[id="${id}"]`);
  if ((await details.getAttribute('open')) === null) await details.locator('> summary').click();
  const form: Locator = details.locator('form');
  await form.waitFor();
  return {
    form,
    /** Returns true if a required field is empty. */
    missing: async () => (await form.locator(':invalid').count()) > 0,
    /** Sends the request and returns the line about the response. */
    sent: async () => {
      await form.getByRole('button', { name: /^Send / }).click();
      const line = form.getByRole('status').filter({ hasText: /\S/ });
      await line.waitFor();
      return line.innerText();
    },
  };
}
