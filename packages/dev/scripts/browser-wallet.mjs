// Builds a web page that uses the packages, only from docs/consumers/browser-wallet.md and
// installed packages. Then runs the page in a browser, from the creation of a note to the settled
// withdrawal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { root } from './run.mjs';

const DOCUMENT = join(root, 'docs', 'consumers', 'browser-wallet.md');
/** Maximum number of lines of the page, so that a newcomer can read it quickly. */
const MOST_LINES = 45;
/** Time limit in ms, sufficient for a machine that is ten times slower. */
const TIMEOUT_MS = 600_000;
/** Returns a `require` for tools of a workspace folder. */
const ofWorkspace = (folder) => createRequire(join(root, folder, 'package.json'));

/**
 * Returns the program in `BROWSER_PATH`, otherwise a Chromium on the PATH; undefined if there is
 * none.
 */
export function browserProgram({ BROWSER_PATH, PATH = '' } = process.env) {
  if (BROWSER_PATH) return BROWSER_PATH;
  return PATH.split(delimiter)
    .flatMap((folder) =>
      ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)),
    )
    .find((file) => existsSync(file));
}

/**
 * Starts an installed sotto-dev and ends it when `use` returns or throws.
 * @param use receives the line in which the stack prints its addresses
 * @throws Error if the stack ends before it is stopped, or with a code other than 0; also every
 *   error of `use`
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
    // From now on, the end of the stack is no error. Its exit code is checked below.
    lost.catch(() => {});
    stack.kill('SIGTERM');
    await ended;
  }
  if ((await ended) !== 0) await lost;
}

/** Returns the files that the document contains, with their names. */
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
 * Builds the page with Vite in a project with the installed packages, and opens the page.
 * @param project folder with node_modules
 * @param helpersUrl URL of the helpers of a running development stack
 * @returns the problems, and the number of lines of the consumer's files
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
    tab.on('pageerror', (error) => complaints.push(`error on the page: ${error.message}`));
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
