import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Path of the browser: `BROWSER_PATH`, or a Chromium in the PATH. */
const program = browserProgram();

function browserProgram(): string | undefined {
  const { BROWSER_PATH, PATH = '' } = process.env;
  if (BROWSER_PATH !== undefined && BROWSER_PATH !== '') return BROWSER_PATH;
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return PATH.split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
}

/** Describes tests that are reported as skipped if there is no browser. */
export const describeInBrowser = (name: string, tests: () => void): void =>
  (program === undefined ? describe.skip : describe)(name, tests);

/** @throws Error without a browser */
export function startBrowser(): Promise<Browser> {
  if (program === undefined) throw new Error('there is no browser');
  return chromium.launch({ executablePath: program });
}

const PHONE = { width: 390, height: 844 } as const;
export const DESKTOP = { width: 1280, height: 900 } as const;

/**
 * A page and the problems that its browser reports: policy violations, script errors, missing
 * files.
 */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

export interface View {
  readonly size: typeof PHONE | typeof DESKTOP;
  readonly scheme: 'light' | 'dark';
}

const ALL_VIEWS: readonly (readonly [string, View])[] = [
  ['desktop-light', { size: DESKTOP, scheme: 'light' }],
  ['desktop-dark', { size: DESKTOP, scheme: 'dark' }],
  ['phone-light', { size: PHONE, scheme: 'light' }],
  ['phone-dark', { size: PHONE, scheme: 'dark' }],
];

/**
 * Views of a page, by the names of their screenshots. A test needs only two of them: layout depends
 * on the size, contrast depends on the colour scheme. Screenshots for the documents need all four.
 */
export const VIEWS = ALL_VIEWS.filter(
  ([, { size, scheme }]) =>
    process.env['SOTTO_PICTURES'] === 'write' || (size === PHONE) === (scheme === 'dark'),
);

/** Timeout for loading a page, in ms, which is long enough for slow machines. */
const MACHINE_IS_SLOW_MS = 300_000;

/** Opens a new page in a separate browser context without cookies or storage. */
export async function newPage(
  browser: Browser,
  { size, scheme }: View = { size: DESKTOP, scheme: 'light' },
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(MACHINE_IS_SLOW_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

/**
 * Returns the accessibility violations of the page: rules of axe-core and the elements that break
 * them.
 */
export async function barriersOf(page: Page): Promise<readonly string[]> {
  // The page's content security policy would block axe-core as a script element.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly target: readonly string[] }[];
    }[];
  }>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`);
}

/** Number of pixels by which the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );

/** Returns the focused element after each press of Tab, until the focus leaves the page. */
export async function walkByKeyboard(page: Page): Promise<readonly string[]> {
  const walked: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<{ name: string; isShown: boolean } | null>(`(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) return null;
      const { outlineStyle } = getComputedStyle(activeElement);
      const { left, right, height } = activeElement.getBoundingClientRect();
      const name = activeElement.getAttribute('aria-label') ||
        activeElement.textContent || activeElement.labels?.[0]?.textContent || '';
      const isShown = outlineStyle !== 'none' && right > 0 && left < innerWidth && height > 0;
      return { name: name.trim(), isShown };
    })()`);
    if (focused === null || walked.length > 100) return walked;
    walked.push(focused.isShown ? focused.name : `${focused.name}, without its focus to be seen`);
  }
}

/**
 * Overrides all refusals of the wallet's guard, and returns their number. Waits for the first one.
 */
export async function overrideAll(page: Page): Promise<number> {
  await page.getByRole('checkbox').first().waitFor();
  const refusals = await page.getByRole('checkbox').all();
  for (const refusal of refusals) await refusal.check();
  return refusals.length;
}
