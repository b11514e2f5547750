import type { Bench } from '../bench.js';
import { Node } from '../processes/node.js';

/**
 * Runs a case on a chain of its own, no block of which becomes final: what a filled ledger holds is
 * of a few blocks, and would be final at once, which is a write for each.
 */
export async function onUnfinalNode<T>(
  bench: Bench,
  run: (bench: Bench) => Promise<T>,
): Promise<T> {
  const node = await Node.start(bench.folder, { L1_BLOCKS_BEHIND: '1000000000' });
  try {
    return await run({ ...bench, node });
  } finally {
    await node.stop();
  }
}
