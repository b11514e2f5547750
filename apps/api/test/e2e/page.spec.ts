import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
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
  walkByKeyboard,
} from './support/browser.js';
import { picture } from './support/picture.js';
import { Stack } from './support/stack.js';
import { leaves } from './support/withdrawals.js';

const { pools } = sandboxWorld;
/** Name of an operator, with characters that HTML reserves. */
const OPERATOR = 'A <b>"relayer"</b> & sons';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the page at /', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({
      whole: true,
      env: { OPERATOR_NAME: OPERATOR },
      deposit: async (chain) => {
        await chain.depositInto(pools.sentinel_1x, leaves);
        await chain.depositInto(pools.stable_10, [5n, 6n]);
      },
    });
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  it('the page at / is served to browsers and to curl; a caller that prefers JSON gets 404', async () => {
    for (const accept of [BROWSER, '*/*']) {
      const page = await stack.service.get('/', { accept });
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(page.headers.get('vary')).toContain('Accept');
    }
    const { status, body, headers } = await stack.service.get('/', { accept: 'application/json' });
    expect([status, body]).toEqual([404, expect.objectContaining({ code: 'ROUTE_NOT_FOUND' })]);
    expect(headers.get('vary')).toContain('Accept');
  });

  it('a mistyped path gets a page in a browser; programs and paths of the API get JSON', async () => {
    const answers = [
      ['/walet', BROWSER],
      ['/walet', '*/*'],
      ['/api/walet', BROWSER],
    ].map(async ([path = '', accept = '']) => {
      const { status, headers } = await stack.service.get(path, { accept });
      return `${status} ${headers.get('content-type') ?? ''}`;
    });
    expect(await Promise.all(answers)).toEqual([
      '404 text/html; charset=utf-8',
      '404 application/json; charset=utf-8',
      '404 application/json; charset=utf-8',
    ]);
  });

  it('the page at / connects only to this service, and all its files except the HTML page are cached permanently', async () => {
    const { headers, text } = await stack.service.get('/', { accept: BROWSER });
    expect(headers.get('content-security-policy')?.split(';')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect([headers.get('cache-control'), headers.get('set-cookie')]).toEqual(['no-cache', null]);
    const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g)].map(
      ([, file = '']) => file,
    );
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) {
      const answer = await stack.service.get(file);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect((await stack.service.get('/assets/index.js')).status).toBe(404);
  });

  it('the page at / has no wallet unless one is configured in development mode', async () => {
    expect((await stack.service.get('/', { accept: BROWSER })).text).toContain('data-wallet=""');
    expect((await stack.service.get('/wallet', { accept: BROWSER })).status).toBe(404);
  });

  describeInBrowser('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterEach(async () => {
      stack.chain.control.clearFaults();
      await Promise.all(browser.contexts().map((context) => context.close()));
    });
    afterAll(() => browser.close());

    it.each(VIEWS)(
      'the page at / displays pools, fees and status to every visitor, without browser errors: %s',
      async (name, view) => {
        const { page, complaints } = await newPage(browser, view);
        await page.goto(stack.service.url);
        const row = page.getByRole('row', { name: /^0\.0002 WBTC withdrawals/ });
        await row.waitFor();
        expect(await row.innerText()).toMatch(/0\.0002 WBTC[^]*\$0\.\d+[^]*accepts withdrawals/);
        await page.getByText('The service accepts withdrawals from every pool.').waitFor();
        await page.getByText(/Now that is about \$0\.\d+, which is \d+ sats/).waitFor();
        expect(await barriersOf(page)).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
        await picture(page, `page-${name}`);
        expect(complaints).toEqual([]);
        expect(await page.context().cookies()).toEqual([]);
      },
    );

    it('keyboard navigation through the page at / follows the reading order', async () => {
      const { page } = await newPage(browser);
      await page.goto(stack.service.url);
      await page.getByRole('row', { name: /^0\.0002 WBTC withdrawals/ }).waitFor();
      expect(await walkByKeyboard(page)).toEqual([
        'Skip to the content',
        'Sotto',
        'Interface',
        'Errors',
        'OpenAPI',
        'Public key of the signer',
        'Read again',
        'Addresses of the pools',
      ]);
    });

    it('the page at / verifies the signed status with the key that the user enters', async () => {
      const { page, complaints } = await newPage(browser);
      await page.goto(stack.service.url);
      const field = page.getByLabel('Public key of the signer');
      await field.waitFor();
      await page.getByText('The signature is not checked yet').waitFor();
      const { body } = await stack.service.get('/status');
      const [key = 0n] = await stack.chain.view(BigInt(Object(body).signer), 'get_public_key');
      await field.fill(`0x${key.toString(16)}`);
      await page.getByText('the owner of this key has signed the status').waitFor();
      // The x coordinate of the curve's generator is a key that signs nothing here.
      await field.fill('0x1ef15c18599971b7beced415a40f0c7deacfd9b0d1819e03d723d8bc943cfca');
      await page.getByText('Do not trust it').waitFor();
      await field.fill('mine');
      await page.getByText('not a public key of Starknet').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('the page at / names the operator, escaped, and lists the data that the operator can see', async () => {
      const { page } = await newPage(browser);
      await page.goto(stack.service.url);
      await page.getByText(OPERATOR, { exact: true }).waitFor();
      const lists = page.getByRole('heading', { name: /^The operator can/ });
      expect(await lists.count()).toBe(2);
    });

    it('the page at / announces changes to screen readers', async () => {
      const { page } = await newPage(browser);
      await page.goto(stack.service.url);
      await page.getByRole('row', { name: /^10 USDC/ }).waitFor();
      await stack.chain.depositInto(pools.sentinel_2x, [77n]);
      const news = page.getByRole('status').last();
      await readUntil(page, async () => (await news.innerText()) !== '');
      expect(await news.innerText()).toBe('0.0004 WBTC: 0 active deposits, 1 waiting.');
    });

    it('while the node is unavailable, the page at / displays a notice, and marks the missing values as not known', async () => {
      const { page } = await newPage(browser);
      stack.chain.control.addFault({ method: '*', fault: { kind: 'drop-before' }, times: 10_000 });
      await page.goto(stack.service.url);
      const notice = page.getByText(/How many deposits some pools hold can’t be read now/);
      const open = page.getByText(/accepts withdrawals/);
      // Until the notice appears, some responses of the service may contain data that was read
      // before the fault.
      await readUntil(page, async () => (await notice.isVisible()) && (await open.count()) === 0);
      expect(
        await page.getByRole('row', { name: /^0\.0002 WBTC withdrawals/ }).innerText(),
      ).toContain('not known');
      expect(await barriersOf(page)).toEqual([]);
      await picture(page, 'page-node-away');
      const code = page.getByRole('link', { name: /^[A-Z_]+$/ }).first();
      const href = await code.getAttribute('href');
      expect(href).toBe(`/docs/errors#${await code.innerText()}`);
      await code.click();
      await page.locator(`[id="${String(href?.split('#')[1])}"]:target`).waitFor();
    });

    it.each(VIEWS)(
      'the pages /docs/errors and of a mistyped path are accessible and fit the browser window: %s',
      async (_, view) => {
        for (const path of ['/docs/errors#NODE_UNAVAILABLE', '/walet']) {
          const { page } = await newPage(browser, view);
          await page.goto(`${stack.service.url}${path}`);
          expect(await barriersOf(page)).toEqual([]);
          expect(await overflowOf(page)).toBe(0);
        }
      },
    );
  });
});

/**
 * Makes the page read its data again until the condition is true, without waiting for the page's
 * timer.
 */
const readUntil = (page: Page, hasCome: () => Promise<boolean>): Promise<unknown> =>
  eventually('the condition to hold', async () => {
    await page.getByRole('button', { name: 'Read again' }).click();
    return hasCome();
  });
