import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toFelt } from '@sotto/kernel';
import type { World } from '../sites/site.js';

/**
 * Puts the wallet's page into a folder, with the account that pays its deposits.
 * @returns the folder, for the service
 */
export function writeWalletPage(folder: string, { accounts }: World): string {
  const page = join(folder, 'wallet-page');
  const built = new URL('.', import.meta.resolve('@sotto/wallet-page/page/index.html'));
  cpSync(fileURLToPath(built), page, { recursive: true });
  const { address, privateKey } = accounts.depositor;
  const given = {
    depositor: { address: toFelt(address), privateKey: toFelt(privateKey) },
    recipient: toFelt(accounts.recipient3.address),
  };
  writeFileSync(join(page, 'accounts.json'), JSON.stringify(given));
  return page;
}
