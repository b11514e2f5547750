import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noteOf, type ProvingProgress } from '@sotto/wallet/advanced';
import { chromium, type Browser, type Page } from 'playwright-core';

import { loadDevelopmentKeys } from '../../src/node.js';
import { proofIn } from '../support/calldata.js';
import { verifies } from '../support/snarkjs.js';

/** Content-Security-Policy of the page: no inline scripts, eval, data: or blob:. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "worker-src 'self'",
].join('; ');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

const PAGE = fileURLToPath(new URL('../page', import.meta.url));
/** Path of Vite's command line program, used because Vite does not run within Jest. */
const VITE = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url));

const browserPath = process.env['BROWSER_PATH'] ?? onPath('chromium');
const withBrowser = browserPath === undefined ? describe.skip : describe;

withBrowser('a page that Vite bundled, under a strict content security policy', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-page-'));
    // Build the page from dist/ with default options, as a consumer would.
    execFileSync(process.execPath, [VITE, 'build', PAGE, '--outDir', folder, '--emptyOutDir'], {
      stdio: 'pipe',
    });
    const files = new Set(await readdir(folder, { recursive: true }));
    server = createServer((request, response) => {
      void (async () => {
        const path = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1);
        requests.push(path);
        response.setHeader('Content-Security-Policy', POLICY);
        response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
        response.statusCode = files.has(path) ? 200 : 404;
        response.end(files.has(path) ? await readFile(join(folder, path)) : '');
      })();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    browser = await chromium.launch({
      ...(browserPath !== undefined && { executablePath: browserPath }),
      args: ['--no-sandbox'],
    });
    page = await browser.newPage();
    page.on('console', (line) => {
      if (!line.text().includes('favicon')) complaints.push(line.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${address.port}/`, { waitUntil: 'load' });
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('a page in Chromium creates a proof in its worker and reports progress', async () => {
    const { calldata, progress } = await page.evaluate<{
      calldata: string[];
      progress: ProvingProgress[];
    }>('proveOnce()');
    const { verificationKey } = await loadDevelopmentKeys();
    const proof = proofIn(calldata);
    expect(proof.publicInputs[1]).toBe(String(noteOf(1234n, 5678n).nullifierHash));
    expect(await verifies(proof, verificationKey)).toBe(true);
    expect([...new Set(progress.map(({ step }) => step))]).toEqual([
      'artefacts',
      'proof',
      'calldata',
    ]);
    for (const step of ['artefacts', 'proof', 'calldata']) {
      const fractions = progress.filter((one) => one.step === step).map((one) => one.fraction);
      expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
      expect(fractions.at(-1)).toBe(1);
    }
    expect(progress.filter(({ step }) => step === 'proof').length).toBeGreaterThan(5);
    expect(complaints).toEqual([]);
  });

  it('the prover ends its worker at once when the user cancels', async () => {
    const cancelled = await page.evaluate<{ message: string; afterMs: number }>('cancelOnce()');
    expect(cancelled.message).toBe('Error: the user has left');
    expect(cancelled.afterMs).toBeLessThan(100);
    const { calldata } = await page.evaluate<{ calldata: string[] }>('proveOnce()');
    expect(calldata).toHaveLength(2020);
    expect(complaints).toEqual([]);
  });

  it('fetches the proving key only once, even if the page is reloaded', async () => {
    const keys = requests.filter((path) => path.includes('withdraw-'));
    expect(keys).toHaveLength(1);
    await page.reload({ waitUntil: 'load' });
    await page.evaluate('proveOnce()');
    expect(requests.filter((path) => path.includes('withdraw-'))).toEqual(keys);
  });

  it('the prover creates a proof offline after prefetching', async () => {
    await page.reload({ waitUntil: 'load' });
    await page.evaluate('prefetchOnce()');
    const before = requests.length;
    await page.context().setOffline(true);
    server.closeAllConnections();
    const { calldata } = await page.evaluate<{ calldata: string[] }>('proveOnce()');
    expect(calldata).toHaveLength(2020);
    expect(requests).toHaveLength(before);
    await page.context().setOffline(false);
  });

  it('a passkey gives the same seed each time, and only if its authenticator has the function', async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const authenticator = {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const;
    const add = async (hasPrf: boolean) =>
      session.send('WebAuthn.addVirtualAuthenticator', { options: { ...authenticator, hasPrf } });
    await page.goto(page.url().replace('127.0.0.1', 'localhost'));
    const { authenticatorId } = await add(false);
    expect(await page.evaluate('passkeyFailure()')).toBe('PASSKEY_UNSUITABLE');
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    await add(true);
    const [seed, ...others] = await page.evaluate<number[][]>('passkeySeeds()');
    expect(seed).toHaveLength(32);
    expect(new Set(seed).size).toBeGreaterThan(8);
    expect(others).toEqual([seed, seed]);
  });
});

function onPath(program: string): string | undefined {
  try {
    return execFileSync('which', [program], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
