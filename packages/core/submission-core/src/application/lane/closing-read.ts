import type { Felt } from '@sotto/kernel';
import type { ChainEvidence } from '../../domain/chain-evidence.js';
import type { TransactionStatus } from '../../domain/transaction-status.js';
import { headOf, MAX_CONFIRMED, type ChainHead } from '../../ports/chain.port.js';
import type { Lane } from './lane.js';
import type { SettledBlocks } from './settled-blocks.js';

interface ClosingRead {
  readonly evidence: ChainEvidence | null;
  /**
   * Block numbers that were not read because of the limit of one read; null if settled blocks are
   * not compared.
   */
  readonly left: readonly number[] | null;
}

/**
 * Makes the closing read on which a poll's writes are based. The closing read covers the blocks of
 * new receipts, and the blocks in which nonces were settled earlier. If there is nothing to write
 * or to compare, the closing read is skipped. If the closing read fails, no nonce is settled, and
 * all other work continues.
 */
export async function closingRead(
  lane: Lane,
  settled: SettledBlocks,
  head: ChainHead,
  sightings: ReadonlyMap<Felt, TransactionStatus>,
): Promise<ClosingRead> {
  const receipts = [...sightings.values()].flatMap((reportedStatus) =>
    reportedStatus.kind === 'accepted' && reportedStatus.block.number <= head.blockNumber
      ? [reportedStatus.block.number]
      : [],
  );
  let read: ClosingRead = { evidence: null, left: null };
  await lane.isolated('confirming receipts and settled blocks', async () => {
    const compared = await settled.heights(head);
    const heights = [...new Set([...receipts, ...(compared ?? [])])];
    if (heights.length === 0) return;
    const requested = heights.slice(0, MAX_CONFIRMED);
    const evidence = await lane.deps.reader.confirm(headOf(head), requested);
    read = { evidence, left: compared === null ? null : heights.slice(MAX_CONFIRMED) };
  });
  return read;
}
