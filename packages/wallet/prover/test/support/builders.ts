import { noteOf, type Note, type WithdrawalRequest } from '@sotto/wallet/advanced';

/** Notes of seven deposits in the pool: two batches of three deposits, and one waiting deposit. */
const notes: readonly Note[] = Array.from({ length: 7 }, (_, index) =>
  noteOf(BigInt(1000 + index), BigInt(2000 + index)),
);
export const leaves: readonly bigint[] = notes.map(({ commitment }) => commitment);

export function noteAt(index: number): Note {
  const note = notes[index];
  if (note === undefined) throw new Error(`no note at ${index}`);
  return note;
}

/** Request for the note at leaf 4, in the middle of the batch of leaves 3 to 5. */
export function aRequest(change: Partial<WithdrawalRequest> = {}): WithdrawalRequest {
  return {
    note: noteAt(4),
    leaves,
    recipient: 0xa11cen,
    relayer: 0xbe1a7n,
    feeAmount: 150n,
    batchStart: 3,
    batchSize: 3,
    ...change,
  };
}

/** Returns the code of the error that `action` throws or rejects with. */
export async function codeOf(action: () => unknown): Promise<unknown> {
  try {
    await action();
    return 'nothing thrown';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}
