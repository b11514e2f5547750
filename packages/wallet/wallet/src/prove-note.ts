import { unlessAborted } from './journeys/sleep.js';
import type { Note } from './notes/note.js';
import type { Batch, PoolView } from './pools/pool-view.js';
import type { Prover, ProvingProgress } from './prover.js';

export interface NoteToProve {
  readonly note: Note;
  readonly pool: PoolView;
  readonly leafIndex: number;
  readonly batch: Batch;
  /** Starknet address of the recipient. */
  readonly recipient: string;
  /** Address that earns the fee, and the fee in the smallest unit of the pool's ERC-20 token. */
  readonly quote: { readonly relayer: string; readonly fee: string | bigint };
}

/**
 * Creates the calldata of a withdrawal proof, with the note's current position in the pool.
 * @throws any error of the prover; the signal's reason when the signal aborts, even if the prover
 *   ignores the signal
 */
export async function proveNote(
  prover: Prover,
  { note, pool, leafIndex, batch, recipient, quote }: NoteToProve,
  signal: AbortSignal,
  report: (event: { readonly type: 'proving'; readonly progress: ProvingProgress }) => void,
): Promise<readonly string[]> {
  const request = {
    note,
    recipient: BigInt(recipient),
    relayer: BigInt(quote.relayer),
    feeAmount: BigInt(quote.fee),
    batchStart: batch.start,
    batchSize: batch.size,
    path: pool.path(leafIndex),
  };
  const onProgress = (progress: ProvingProgress): void => report({ type: 'proving', progress });
  return unlessAborted(signal, prover.prove(request, { signal, onProgress }));
}
