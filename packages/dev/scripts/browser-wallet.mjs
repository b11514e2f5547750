// A consumer's page made from docs/consumers/browser-wallet.md alone, on installed packages, and
// followed in a browser from its note to the settled withdrawal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { root } from './run.mjs';

const DOCUMENT = join(root, 'docs', 'consumers', 'browser-wallet.md');
/** Few enough for a newcomer to read at once. */
const MOST_LINES = 60;
/** Enough for a machine that is ten times slower. */
const TIMEOUT_MS = 600_000;
/** Tools of the workspace. */
const ofWorkspace = (folder) => createRequire(join(root, folder, 'package.json'));

/** The program that `BROWSER_PATH` names, or a Chromium of the PATH; undefined without one. */
export function browserProgram({ BROWSER_PATH, PATH = '' } = process.env) {
  if (BROWSER_PATH) return BROWSER_PATH;
  return PATH.split(delimiter)
    .flatMap((folder) =>
      ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)),
    )
    .find((file) => existsSync(file));
}

/**
 * Starts an installed sotto-dev, and ends it when `use` returns or throws.
 * @param use gets the line that the stack prints about itself
 * @throws Error if the stack ends early or with another code than 0, and every error of `use`
 */
export async function withStack(program, cwd, use) {
  const stack = spawn(process.execPath, [program, '--port', '0', '--json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(stack, 'close').then(([code, signal]) => code ?? signal);
  const lost = ended.then((end) => Promise.reject(new Error(`sotto-dev ended with ${end}`)));
  const announced = once(createInterface({ input: stack.stdout }), 'line');
  try {
    await Promise.race([announced.then(([line]) => use(JSON.parse(line))), lost]);
  } finally {
    // It is ended on purpose now; the code is checked below.
    lost.catch(() => {});
    stack.kill('SIGTERM');
    await ended;
  }
  if ((await ended) !== 0) await lost;
}

/** The files of the document, by name. */
function filesOfDocument() {
  const text = readFileSync(DOCUMENT, 'utf8');
  return ['index.html', 'wallet.js'].map((name) => {
    const block = new RegExp(`\`${name}\`[^]*?\\n   \`\`\`\\w+\\n([^]*?)\\n   \`\`\``);
    const [, code] = block.exec(text) ?? [];
    if (code === undefined) throw new Error(`${DOCUMENT} has no ${name}`);
    return { name, code: `${code.replaceAll(/^ {3}/gm, '')}\n` };
  });
}

/**
 * Builds the page with Vite in a project that has the packages installed, and opens it.
 * @param project a folder with node_modules
 * @param helpersUrl the address of the helpers of a running development stack
 * @returns the problems, and how many lines the consumer has
 */
export async function followBrowserWallet({ project, helpersUrl }) {
  const files = filesOfDocument();
  const page = join(project, 'page');
  mkdirSync(page, { recursive: true });
  for (const { name, code } of files) writeFileSync(join(page, name), code);
  const lines = files.flatMap(({ code }) => code.split('\n')).filter((line) => line.trim() !== '');
  const { build, preview } = await import(
    pathToFileURL(ofWorkspace('apps/web').resolve('vite')).href
  );
  const site = { root: page, configFile: false, logLevel: 'error' };
  await build({ ...site, build: { target: 'es2023' }, worker: { format: 'es' } });
  const server = await preview({ ...site, preview: { host: '127.0.0.1', port: 0 } });
  const { chromium } = ofWorkspace('apps/api')('playwright-core');
  const browser = await chromium.launch({
    executablePath: browserProgram(),
    args: ['--no-sandbox'],
  });
  const complaints = [];
  try {
    const tab = await browser.newPage();
    tab.on('pageerror', (error) => complaints.push(`the page says: ${error.message}`));
    const url = new URL(server.resolvedUrls.local[0]);
    url.searchParams.set('helpers', helpersUrl);
    await tab.goto(url.href);
    const events = tab.locator('#events');
    const ended = events.getByText(/settled|failed|needs-new-quote/);
    await ended.waitFor({ timeout: TIMEOUT_MS });
    const shown = (await events.textContent()).trim().split('\n');
    if (shown.at(-1) !== 'settled') complaints.push(`the wallet ends with ${shown.at(-1)}`);
  } finally {
    await browser.close();
    await server.close();
  }
  if (lines.length > MOST_LINES) complaints.push(`the wallet has ${lines.length} lines`);
  return { problems: complaints, lines: lines.length };
}
