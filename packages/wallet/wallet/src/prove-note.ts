import { unlessAborted } from './journeys/sleep.js';
import type { Note } from './notes/note.js';
import type { Batch, PoolView } from './pools/pool-view.js';
import type { Prover, ProvingProgress } from './prover.js';

export interface NoteToProve {
  readonly note: Note;
  readonly pool: PoolView;
  readonly leafIndex: number;
  readonly batch: Batch;
  /** Starknet address that is paid. */
  readonly recipient: string;
  /** `fee` in the smallest unit of the pool's token. */
  readonly quote: { readonly relayer: string; readonly fee: string | bigint };
}

/**
 * The calldata of a proof that withdraws a note, at the place where the pool has it now.
 * @throws what the prover throws; the signal's reason when that aborts, whether or not the prover
 *   takes notice of it
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
