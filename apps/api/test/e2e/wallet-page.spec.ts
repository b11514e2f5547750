import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { Browser } from 'playwright-core';
import {
  DESKTOP,
  VIEWS,
  barriersOf,
  describeInBrowser,
  newPage,
  overflowOf,
  overrideAll,
} from './support/browser.js';
import { picture } from './support/picture.js';
import type { Stack } from './support/stack.js';
import { WalletPlace } from './support/wallet-place.js';

const { accounts, pools, tokens } = sandboxWorld;

describeInBrowser('the wallet of a development stack, in a browser', () => {
  let place: WalletPlace;
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    place = await WalletPlace.start();
    ({ stack, browser } = place);
  });
  afterAll(() => place.stop());

  it('a user deposits and withdraws a note on the wallet page with the keyboard', async () => {
    const { page, complaints } = await newPage(browser);
    await page.goto(stack.service.url);
    await page.getByRole('link', { name: 'Try a wallet' }).click();
    await page.getByRole('button', { name: 'Make a note and deposit it' }).press('Enter');
    const fill = page.getByRole('button', { name: 'Deploy waiting deposits now' });
    await fill.waitFor();
    expect(await barriersOf(page)).toEqual([]);

    await fill.press('Enter');
    const withdraw = page.getByRole('button', { name: 'Withdraw' });
    await withdraw.waitFor();
    // The button that had the focus was removed from the page, so the focus moves to the note's
    // heading.
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H3');
    await page.getByText(/Fee now: /).waitFor();
    expect(await page.getByLabel('Recipient').inputValue()).toBe(
      toFelt(accounts.recipient1.address),
    );
    // The batch has one deposit, which is recent: the guard refuses until the user overrides both.
    await page.getByText('Crowd: weak (1 deposit').waitFor();
    await withdraw.press('Enter');
    await page.getByRole('checkbox').first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    expect(await overrideAll(page)).toBe(2);
    await withdraw.press('Enter');
    const timeline = page.locator('.timeline').getByRole('listitem');
    const proof = page.getByRole('progressbar', { name: 'Proof' });
    await proof.waitFor();
    const seen = new Set<number>();
    await eventually('the proof to be made', async () => {
      seen.add(Number(await proof.getAttribute('value')));
      return (await timeline.filter({ hasText: 'The proof goes to the relayer' }).count()) > 0;
    });
    expect(seen.size).toBeGreaterThan(1);
    await timeline.filter({ hasText: 'Settled: the recipient is paid' }).waitFor();
    await page.getByText(/The recipient now holds/).waitFor();

    expect((await timeline.allInnerTexts()).join('\n')).toMatch(
      /has the note[^]*can be withdrawn[^]*Proving[^]*goes to the relayer[^]*Settled/,
    );
    const paid = await stack.chain.wbtcOf(accounts.recipient1.address);
    expect(paid).toBeGreaterThan(0n);
    expect(paid).toBeLessThan(pools.sentinel_1x.denomination);
    for (const [name, { size, scheme }] of VIEWS) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: scheme });
      expect(await overflowOf(page)).toBe(0);
      expect(await barriersOf(page)).toEqual([]);
      await picture(page, `wallet-${name}`);
    }

    await page.setViewportSize(DESKTOP);
    await page.reload();
    await page.getByText('withdrawn', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('the wallet page shows the seed words, requests some of them, and shows the fee before the deposit', async () => {
    const { page, complaints } = await newPage(browser);
    await page.goto(`${stack.service.url}/wallet`);
    await page.getByText(/You deposit 0\.0002 WBTC\. A withdrawal costs [\d.]+ WBTC now/).waitFor();
    await page.getByText('Show the 24 words').click();
    const words = await page.locator('.words li').allInnerTexts();
    expect(words).toHaveLength(24);
    const labels = page.locator('label').filter({ hasText: /^Word \d+/ });
    expect(await labels.count()).toBe(3);
    const confirm = page.getByRole('button', { name: 'Confirm the words' });
    for (const label of await labels.all()) await label.getByRole('textbox').fill('abandoned');
    await confirm.click();
    await page.getByText('these are other words than above').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    for (const label of await labels.all()) {
      const number = Number((await label.innerText()).replace(/\D/g, ''));
      await label.getByRole('textbox').fill(words[number - 1] ?? '');
    }
    await confirm.click();
    await page.getByText('You have confirmed that you keep these words.').waitFor();
    await page.reload();
    await page.getByText('You have confirmed that you keep these words.').waitFor();
    expect(await confirm.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('the wallet page swaps a note privately and pays out the bought ERC-20 token', async () => {
    const { page, complaints } = await newPage(browser);
    await page.goto(`${stack.service.url}/wallet`);
    await page.getByLabel('Pool').selectOption('swap_input_1');
    await page.getByRole('button', { name: 'Make a note and deposit it' }).click();
    await page.getByRole('button', { name: 'Deploy waiting deposits now' }).click();
    const least = page.getByLabel('At least');
    await least.waitFor();
    await eventually('a least amount', async () => (await least.inputValue()) !== '');
    // The minimum is the value of 0.0002 WBTC, less fee and 5 %, at the sandbox's 100,000 USD.
    const minimum = Number(await least.inputValue());
    expect(minimum).toBeGreaterThan(18.9);
    expect(minimum).toBeLessThan(19);
    // The page checks the recipient of a swap in the same manner as the recipient of a withdrawal.
    await page.getByLabel('Recipient').fill(` ${toFelt(accounts.recipient2.address)} `);
    await page.getByRole('button', { name: 'Swap privately' }).click();
    await overrideAll(page);
    await page.getByLabel('Recipient').fill(toFelt(accounts.recipient2.address));
    await eventually('a least amount', async () => (await least.inputValue()) !== '');
    await page.getByRole('button', { name: 'Swap privately' }).click();
    await page.getByText(/The recipient now holds/).waitFor();
    const timeline = await page.locator('.timeline').innerText();
    expect(timeline).toMatch(
      /proof of the swap goes[^]*Swapped: a new note[^]*proof goes to the relayer[^]*Settled/,
    );
    expect(await barriersOf(page)).toEqual([]);
    await picture(page, 'wallet-swap');
    const paid = await stack.chain.balanceOf(tokens.USDC.address, accounts.recipient2.address);
    expect(paid).toBeGreaterThan(18_000_000n);
    expect(complaints).toEqual([]);
  });

  it('the wallet page’s content security policy allows WebAssembly, and connections only to the service and its node', async () => {
    const { headers } = await stack.service.get('/wallet', { accept: 'text/html' });
    const policy = headers.get('content-security-policy') ?? '';
    const node: unknown = (await stack.service.get('/wallet/node.json')).body;
    expect(policy.split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        `connect-src 'self' ${new URL(String(Object(node).nodeUrl)).origin}`,
      ]),
    );
  });
});
