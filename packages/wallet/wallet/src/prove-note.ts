import type { JourneyError } from './journeys/journey-error.js';
import { ownError } from './journeys/own-errors.js';
import { unlessAborted } from './journeys/sleep.js';
import type { Note } from './notes/note.js';
import type { Batch, PoolView } from './pools/pool-view.js';
import type { ProveOptions, Prover, ProvingProgress } from './prover.js';

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

/** Time in ms without progress after which a prover is considered to have stopped. */
const PROVER_SILENCE_MS = 600_000;
/** Maximum number of felts in the calldata of a proof, far above the number in any proof. */
const MOST_FELTS = 100_000;
const HEX_FELT = /^0x[0-9a-f]{1,64}$/;

/**
 * Calldata of a proof, or the error because of which there is no proof. After ARTEFACT_UNAVAILABLE,
 * the proof can be created later.
 */
export type Proving = { readonly calldata: readonly string[] } | { readonly error: JourneyError };

type ReportProgress = (event: {
  readonly type: 'proving';
  readonly progress: ProvingProgress;
}) => void;

/**
 * Creates the calldata of a withdrawal proof, with the note's current position in the pool. The
 * prover is foreign code: it may throw, never answer, ignore the signal, or report progress after
 * its end. The kit can't verify the proof; relayers verify it.
 * @throws the signal's reason when the signal aborts, even if the prover ignores the signal
 */
export async function proveNote(
  prover: Prover,
  noteToProve: NoteToProve,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<Proving> {
  const stop = new AbortController();
  const silence = new Silence(PROVER_SILENCE_MS);
  const onProgress = (progress: ProvingProgress): void => {
    if (stop.signal.aborted || signal.aborted) return;
    silence.restart();
    report({ type: 'proving', progress });
  };
  try {
    const options = { signal: AbortSignal.any([signal, stop.signal]), onProgress };
    const proving = calldataOf(prover, noteToProve, options);
    return await unlessAborted(signal, Promise.race([proving, silence.began]));
  } finally {
    silence.end();
    // Stops a silent prover, and drops the progress that a prover reports after its end.
    stop.abort(new DOMException('the proof is no longer needed', 'AbortError'));
  }
}

async function calldataOf(
  prover: Prover,
  { note, pool, leafIndex, batch, recipient, quote }: NoteToProve,
  options: ProveOptions,
): Promise<Proving> {
  try {
    const request = {
      note,
      recipient: BigInt(recipient),
      relayer: BigInt(quote.relayer),
      feeAmount: BigInt(quote.fee),
      batchStart: batch.start,
      batchSize: batch.size,
      path: pool.path(leafIndex),
    };
    const calldata: unknown = await prover.prove(request, options);
    if (isCalldata(calldata)) return { calldata };
    throw new TypeError('the prover returned no calldata');
  } catch (cause) {
    const { code }: { readonly code?: unknown } = Object(cause);
    const isTemporary = code === 'ARTEFACT_UNAVAILABLE';
    return { error: ownError(isTemporary ? code : 'PROVING_FAILED', { cause }) };
  }
}

function isCalldata(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MOST_FELTS &&
    value.every((felt) => typeof felt === 'string' && HEX_FELT.test(felt))
  );
}

/** Timeout that progress restarts. */
class Silence {
  readonly began: Promise<Proving>;
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #begin: () => void = () => undefined;

  constructor(ms: number) {
    this.#ms = ms;
    this.began = new Promise((resolve) => {
      this.#begin = () => resolve({ error: ownError('PROVER_SILENT') });
    });
    this.restart();
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#begin, this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
