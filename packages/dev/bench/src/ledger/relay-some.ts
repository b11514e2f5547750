import { copyFileSync, existsSync } from 'node:fs';
import type { Bench } from '../bench.js';
import { relay } from '../load/relay.js';
import { Service } from '../processes/service.js';

/** Makes a ledger with a withdrawal in it that has ended. */
export async function relaySome(
  { folder, node, withdrawals }: Pick<Bench, 'folder' | 'node' | 'withdrawals'>,
  ledgerFile: string,
  lanes: number,
): Promise<void> {
  const service = await Service.start({ folder, node: node.urls, lanes });
  await relay(service, withdrawals);
  await service.settled();
  await service.stop();
  for (const suffix of ['', '-wal', '-shm']) {
    const from = `${folder}/ledger.sqlite${suffix}`;
    if (existsSync(from)) copyFileSync(from, `${ledgerFile}${suffix}`);
  }
}
