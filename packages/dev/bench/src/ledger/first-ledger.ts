import type { SandboxAccount } from '@sotto/sandbox';
import type { Bench } from '../bench.js';
import { relay } from '../load/relay.js';
import { Service } from '../processes/service.js';
import { SqliteStore } from '../processes/store.js';

/** A ledger with one withdrawal in it that has ended, for copies to be made of. */
export async function firstLedger(
  { folder, node, withdrawals }: Bench,
  name: string,
  lanes: readonly SandboxAccount[],
): Promise<SqliteStore> {
  const store = SqliteStore.fresh(folder, name);
  const service = await Service.start({ folder, node: node.urls, lanes, store });
  await relay(service, withdrawals);
  await service.settled();
  await service.stop();
  return store;
}
