import type { AccountCall } from '../deposits/deposit-account.js';
import { WalletError } from '../errors.js';
import { toHex } from '../fields.js';
import { guardFacts, guardTerms } from '../guard/admission.js';
import { judge, refusalsOf, type GuardRefusal } from '../guard/crowd-guard.js';
import { Journal } from '../journeys/journal.js';
import type { JourneyError } from '../journeys/journey-error.js';
import type { Note } from '../notes/note.js';
import type { PoolView } from '../pools/pool-view.js';
import { proveNote } from '../prove-note.js';
import type { Prover, ProvingProgress } from '../prover.js';
import { parseRecipient } from '../recipient.js';
import type { WalletStorage } from '../storage.js';

export interface OwnWithdrawalOptions {
  readonly note: Note;
  readonly pool: PoolView;
  readonly prover: Prover;
  /** Address (0x hex) that the withdrawal pays. */
  readonly recipient: string;
  readonly storage: WalletStorage;
  /**
   * Acknowledgement that the chain shows the sending account. Any observer can then link this
   * account, its other transactions and the withdrawal.
   */
  readonly allow: readonly 'SENDER_IS_PUBLIC'[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProvingProgress) => void;
}

/** Withdrawal that the user's own account sends. */
export interface OwnWithdrawal {
  /** Call in starknet.js' format, for `account.execute([call])` of any account. */
  readonly call: AccountCall;
  /** Rule that admits the withdrawal. */
  readonly admittedBy: 'at-risk' | 'self-relay';
  /** Refusals that the guard would give to a withdrawal through a relayer, to show to the user. */
  readonly warnings: readonly GuardRefusal[];
}

/** Record of an own withdrawal, which contains neither note nor proof. */
interface OwnWithdrawalEntry {
  readonly chainId: string;
  readonly pool: string;
  readonly commitment: string;
  readonly recipient: string;
  /** Unix time in ms. */
  readonly builtAtMs: number;
}

const WARNING =
  'without a relayer the chain shows the account that sends the withdrawal, and pays its gas: name SENDER_IS_PUBLIC in `allow` to accept this';

/**
 * Builds the call that withdraws a note without a relayer. The proof has no fee and pays the
 * recipient alone, whichever account sends it. The recipient is stored as used before the call is
 * returned. A relayed withdrawal of the note to the same recipient, if any, settles by this call.
 * @throws WalletError SENDER_IS_PUBLIC without the acknowledgement; RECIPIENT_MALFORMED,
 *   RECIPIENT_UNSPENDABLE; NOTE_SPENT, NOTE_NOT_DEPOSITED, NOTE_WAITS_FOR_BATCH; PROVING_FAILED,
 *   PROVER_SILENT; the errors of {@link PoolView.refresh} and of the storage; the signal's reason
 *   when it aborts
 */
export async function ownWithdrawal(options: OwnWithdrawalOptions): Promise<OwnWithdrawal> {
  const { note, pool, prover, recipient, storage, allow } = options;
  const { signal = new AbortController().signal, onProgress } = options;
  // A JavaScript caller may omit the acknowledgement.
  if (!Array.isArray(allow) || !allow.includes('SENDER_IS_PUBLIC'))
    throw new WalletError('SENDER_IS_PUBLIC', WARNING);
  parseRecipient(recipient, [pool.address]);
  await pool.refresh(signal);
  if (pool.spentBy(note.nullifierHash) !== undefined)
    throw new WalletError('NOTE_SPENT', 'the note is spent');
  const place = pool.placeOf(note.commitment);
  if (place === undefined)
    throw new WalletError('NOTE_NOT_DEPOSITED', 'the pool has no deposit of this note yet');
  const { leafIndex } = place;
  const batch = pool.kind === 'swap' ? { start: leafIndex, size: 1 } : place.batch;
  if (batch === undefined)
    throw new WalletError('NOTE_WAITS_FOR_BATCH', 'the deposit waits for its batch');
  const subject = { note, pool, place: { ...place, batch }, recipient, storage };
  const facts = { ...(await guardFacts(subject)), isSelfRelayed: true };
  const bounds = guardTerms({});
  const proving = await proveNote(
    prover,
    // No fee is paid, so any address may be the relayer. The prover rejects 0, and the recipient
    // reveals nothing more.
    { note, pool, leafIndex, batch, recipient, quote: { relayer: recipient, fee: 0n } },
    signal,
    ({ progress }) => onProgress?.(progress),
  );
  if ('error' in proving) throw provingError(proving.error);
  await remember(storage, { note, pool, recipient });
  return {
    call: {
      contractAddress: pool.address,
      entrypoint: 'withdraw',
      calldata: [...proving.calldata],
    },
    admittedBy: admissionOf(judge(facts, bounds, [])),
    warnings: refusalsOf(facts, bounds),
  };
}

function provingError({ code, message, cause }: JourneyError): WalletError {
  const isNamed = code === 'PROVER_SILENT' || code === 'ARTEFACT_UNAVAILABLE';
  return new WalletError(isNamed ? code : 'PROVING_FAILED', message, { cause });
}

function admissionOf(verdict: ReturnType<typeof judge>): OwnWithdrawal['admittedBy'] {
  return 'admittedBy' in verdict && verdict.admittedBy === 'at-risk' ? 'at-risk' : 'self-relay';
}

/** Stores that the note uses the recipient. Each recipient of a note has a separate record. */
async function remember(
  storage: WalletStorage,
  { note, pool, recipient }: Pick<OwnWithdrawalOptions, 'note' | 'pool' | 'recipient'>,
): Promise<void> {
  const { chainId, address } = pool;
  const id = [BigInt(chainId), BigInt(address), note.nullifierHash, BigInt(recipient)]
    .map((part) => part.toString(16))
    .join('-');
  const entry: OwnWithdrawalEntry = {
    chainId,
    pool: address,
    commitment: toHex(note.commitment),
    recipient,
    builtAtMs: Date.now(),
  };
  try {
    await new Journal<OwnWithdrawalEntry>(storage, 'own-withdrawal', { locks: null }).begin(
      id,
      entry,
    );
  } catch (error) {
    // The record exists and is damaged, so the guard already counts it as a use.
    if (!(error instanceof WalletError && error.code === 'JOURNAL_UNREADABLE')) throw error;
  }
}
