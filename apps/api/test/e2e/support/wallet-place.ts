import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toFelt } from '@sotto/kernel';
import { keyed, writeJson } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.js';
import { Stack } from './stack.js';

const { accounts } = sandboxWorld;
const BUILT = fileURLToPath(
  new URL('.', import.meta.resolve('@sotto/wallet-page/page/index.html')),
);

/** A development stack that serves the wallet's page, and a browser. */
export class WalletPlace {
  private constructor(
    readonly stack: Stack,
    readonly browser: Browser,
    private readonly folder: string,
  ) {}

  /** Resolves when the service accepts withdrawals. */
  static async start(): Promise<WalletPlace> {
    const folder = mkdtempSync(join(tmpdir(), 'sotto-wallet-'));
    cpSync(BUILT, folder, { recursive: true });
    writeJson(folder, 'accounts.json', {
      depositor: keyed(accounts.depositor),
      recipient: toFelt(accounts.recipient1.address),
    });
    const starting = startBrowser();
    const stack = await Stack.start({
      whole: true,
      deposit: async () => {},
      env: { WALLET_PAGE: folder },
    });
    await stack.service.ready();
    return new WalletPlace(stack, await starting, folder);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.stack.stop();
    rmSync(this.folder, { recursive: true });
  }
}
