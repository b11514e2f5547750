import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { Browser, Locator, Page } from 'playwright-core';
import { barriersOf, describeInBrowser, newPage, overrideAll } from './support/browser.js';
import type { Stack } from './support/stack.js';
import { WalletPlace } from './support/wallet-place.js';

const { accounts } = sandboxWorld;

describeInBrowser('the wallet of a development stack under faults', () => {
  let place: WalletPlace;
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    place = await WalletPlace.start();
    ({ stack, browser } = place);
  });
  afterEach(async () => {
    stack.chain.control.clearFaults();
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  afterAll(() => place.stop());

  const walletOf = (page: Page) => page.goto(`${stack.service.url}/wallet`);

  /** Opens a wallet with a note that can be withdrawn. */
  async function withNote(): Promise<Page> {
    const { page } = await newPage(browser);
    await walletOf(page);
    await page.getByRole('button', { name: 'Make a note and deposit it' }).click();
    await page.getByRole('button', { name: 'Deploy waiting deposits now' }).click();
    await withdrawOf(page).waitFor();
    return page;
  }

  it('while the chain can’t be read, the wallet page reports an error instead of an empty wallet, and loads the wallet on a retry', async () => {
    const { page } = await newPage(browser);
    stack.chain.control.addFault({ method: '*', fault: { kind: 'drop-before' }, times: 10_000 });
    await walletOf(page);
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(await page.getByText('None yet').count()).toBe(0);
    expect(await page.getByRole('alert').innerText()).toMatch(
      /can’t read the pool|does not answer/,
    );
    expect(await barriersOf(page)).toEqual([]);
    await page.context().setOffline(true);
    await again.click();
    await page.getByText('That did not work: the service does not answer').waitFor();
    await page.context().setOffline(false);
    stack.chain.control.clearFaults();
    await page.waitForTimeout(1_500);
    await again.click();
    await page.getByText('None yet: make one above.').waitFor();
  });

  it('the wallet page displays a reverted withdrawal separately from the note’s next withdrawal', async () => {
    const page = await withNote();
    stack.chain.control.revertNext({ reason: 'staged', sender: accounts.lane1.address });
    await withdrawAnyway(page);
    const failed = stepOf(page, /TRANSACTION_REVERTED/);
    await failed.waitFor();
    await page.getByText('can be withdrawn', { exact: true }).waitFor();
    await withdrawOf(page).click();
    await page.getByText('withdrawn', { exact: true }).waitFor();
    const steps = (await page.locator('.timeline').innerText()).replaceAll(/\s+/g, ' ');
    expect(steps).toMatch(
      /Proving.*goes to the relayer.*TRANSACTION_REVERTED.*Proving.*goes to the relayer.*Settled/,
    );
  });

  it('a second tab of the wallet page displays the recipient from the first tab', async () => {
    const page = await withNote();
    const other = await page.context().newPage();
    await walletOf(other);
    await withdrawOf(other).waitFor();
    await withdrawAnyway(page);
    await page.getByRole('progressbar', { name: 'Proof' }).waitFor();
    await other.getByLabel('Recipient').fill(toFelt(accounts.recipient2.address));
    await withdrawOf(other).click();
    for (const tab of [page, other]) await tab.getByText('withdrawn', { exact: true }).waitFor();
    expect(await stack.chain.wbtcOf(accounts.recipient2.address)).toBe(0n);
  });

  it('the wallet page continues a deposit after a reload during the approval, or reports that the approval may still appear', async () => {
    const { page } = await newPage(browser);
    await walletOf(page);
    await page.getByRole('button', { name: 'Make a note and deposit it' }).click();
    await stepOf(page, /signs that it pays|allows the pool to transfer/)
      .first()
      .waitFor();
    await page.reload();
    await page
      .getByRole('button', { name: 'Deploy waiting deposits now' })
      .or(stepOf(page, /may have sent an approval/))
      .first()
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('the wallet page continues its task after a reload during a deposit, a proof or a submission', async () => {
    const { page } = await newPage(browser);
    await walletOf(page);
    await page.getByRole('button', { name: 'Make a note and deposit it' }).click();
    // After a reload during an approval, the wallet waits for minutes until the approval can't
    // land any more. The wallet's own tests cover this wait.
    await stepOf(page, /signs that it pays/).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Deploy waiting deposits now' }).click();
    await withdrawAnyway(page);
    await page.getByRole('progressbar', { name: 'Proof' }).waitFor();
    await page.reload();
    await stepOf(page, /goes to the relayer/).waitFor();
    await page.reload();
    await page.getByText('withdrawn', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('the wallet page waits while the network is unavailable, and displays that it waits', async () => {
    const page = await withNote();
    await withdrawAnyway(page);
    const proof = page.getByRole('progressbar', { name: 'Proof' });
    // The page has loaded the files for the proof before this point.
    await eventually('the proof to be begun', async () => {
      return Number(await proof.getAttribute('value')) > 0.2;
    });
    await page.context().setOffline(true);
    await stepOf(page, /does not answer|can’t be read|No relayer/).waitFor();
    await page.getByText('being withdrawn', { exact: true }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('withdrawn', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('the wallet page rejects a recipient that is not an address, and does not clear the input field', async () => {
    const page = await withNote();
    const recipient = page.getByLabel('Recipient');
    await recipient.fill('0xalice');
    await withdrawOf(page).press('Enter');
    await page.getByText('the recipient is no Starknet address').waitFor();
    expect(await recipient.inputValue()).toBe('0xalice');
    await page.getByText('can be withdrawn', { exact: true }).waitFor();
  });
});

const withdrawOf = (page: Page): Locator => page.getByRole('button', { name: 'Withdraw' });

/** Withdraws a note of a small and recent batch: overrides each refusal by the guard. */
async function withdrawAnyway(page: Page): Promise<void> {
  await withdrawOf(page).click();
  await overrideAll(page);
  await withdrawOf(page).click();
}

const stepOf = (page: Page, text: RegExp): Locator =>
  page.locator('.timeline').getByRole('listitem').filter({ hasText: text });
