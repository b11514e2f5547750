import { WalletError } from '../errors.js';
import { Journal } from '../journeys/journal.js';
import type { WalletStorage } from '../storage.js';
import type { AddressUse } from './crowd-guard.js';

/** Facts about a note and a recipient according to the records in a wallet's storage. */
export interface GuardRecords {
  /** True if a swap of the note has reverted, or has stopped after a relayer saw its proof. */
  readonly isAtRisk: boolean;
  /** Start of the note's deposit, as Unix time in ms; undefined if the storage has no deposit. */
  readonly begunAtMs: number | undefined;
  readonly isDepositor: boolean;
  /** Kind of another note's record with the recipient; undefined if there is none. */
  readonly usedBy: AddressUse | undefined;
}

/** Note and recipient of a withdrawal. */
export interface GuardSubject {
  /** Chain id as 0x hex. */
  readonly chainId: string;
  readonly commitment: bigint;
  readonly recipient: bigint;
}

const KINDS = ['deposit', 'withdrawal', 'own-withdrawal', 'private-swap'] as const;
type Kind = (typeof KINDS)[number];

/** Fields of a journal's entry, which may be damaged. */
type Fields = Readonly<Record<string, unknown>>;

interface StoredRecord {
  readonly kind: Kind;
  readonly chainId: bigint;
  /** Depositor or recipient. */
  readonly address: bigint;
  /** Commitment of the record's note and, for a swap, of its new note. */
  readonly commitments: readonly bigint[];
  readonly fields: Fields;
}

/**
 * Reads the wallet's records about a note and a recipient. A damaged record counts as a use of the
 * recipient, because it may contain the recipient.
 * @throws any error of the storage
 */
export async function readGuardRecords(
  storage: WalletStorage,
  { chainId, commitment, recipient }: GuardSubject,
): Promise<GuardRecords> {
  const found = await Promise.all(KINDS.map((kind) => recordsOf(storage, kind)));
  const records = found
    .flatMap(({ readable }) => readable)
    .filter((record) => record.chainId === BigInt(chainId));
  const own = ownCommitments(records, commitment);
  const isOwn = ({ commitments }: StoredRecord): boolean => commitments.some((one) => own.has(one));
  const deposit = records.find((record) => record.kind === 'deposit' && isOwn(record));
  const begunAtMs = deposit?.fields['begunAtMs'];
  const usedBy = records.find(
    (record) => record.address === recipient && !isOwn(record) && isUse(record),
  )?.kind;
  const isDamaged = found.some(({ damaged }) => damaged > 0);
  return {
    isAtRisk: records.some((record) => record.commitments[0] === commitment && isAtRisk(record)),
    begunAtMs: typeof begunAtMs === 'number' ? begunAtMs : undefined,
    isDepositor: deposit?.address === recipient,
    usedBy: usedBy ?? (isDamaged ? 'unreadable' : undefined),
  };
}

/**
 * Returns true if a swap of the note has reverted, or has stopped after a relayer saw its proof.
 * @throws any error of the storage
 */
export async function isNoteAtRisk(
  storage: WalletStorage,
  { chainId, commitment }: Pick<GuardSubject, 'chainId' | 'commitment'>,
): Promise<boolean> {
  const { readable } = await recordsOf(storage, 'private-swap');
  return readable.some(
    (record) =>
      record.chainId === BigInt(chainId) &&
      record.commitments[0] === commitment &&
      isAtRisk(record),
  );
}

/** Returns the commitments of the note, and of the notes before and after a swap of it. */
function ownCommitments(records: readonly StoredRecord[], commitment: bigint): ReadonlySet<bigint> {
  const swaps = records.filter(
    ({ kind, commitments }) => kind === 'private-swap' && commitments.includes(commitment),
  );
  return new Set([commitment, ...swaps.flatMap(({ commitments }) => commitments)]);
}

function isAtRisk({ kind, fields: { state, relayer } }: StoredRecord): boolean {
  if (kind !== 'private-swap') return false;
  return state === 'reverted' || (state === 'stopped' && relayer !== null);
}

/** Returns true if the record's address was shown to anyone, or was admitted and may be shown. */
function isUse({ kind, fields }: StoredRecord): boolean {
  const { state, admission, postings, relayer } = fields;
  const mayGoOn = state === 'open' || state === 'needs-new-quote';
  const isAdmitted = mayGoOn && admission !== null && admission !== undefined;
  switch (kind) {
    case 'withdrawal':
      return state === 'settled' || isAdmitted || !isEmpty(postings);
    case 'private-swap':
      return isAdmitted || (relayer !== null && relayer !== undefined);
    case 'deposit':
    case 'own-withdrawal':
      return true;
  }
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

async function recordsOf(
  storage: WalletStorage,
  kind: Kind,
): Promise<{ readonly readable: readonly StoredRecord[]; readonly damaged: number }> {
  const journal = new Journal<object>(storage, kind, { locks: null });
  const prefix = `sotto/${kind}/`;
  const keys = await storage.keys(prefix);
  const records = await Promise.all(
    keys.map(async (key) => {
      try {
        const entry = await journal.read(key.slice(prefix.length));
        return entry === undefined ? undefined : (recordOf(kind, Object(entry)) ?? 'damaged');
      } catch (error) {
        if (error instanceof WalletError && error.code === 'JOURNAL_UNREADABLE') return 'damaged';
        throw error;
      }
    }),
  );
  return {
    readable: records.filter((record) => typeof record === 'object'),
    damaged: records.filter((record) => record === 'damaged').length,
  };
}

function recordOf(kind: Kind, fields: Fields): StoredRecord | undefined {
  const { chainId, commitment, output } = fields;
  const numbers = {
    chainId: numberIn(chainId),
    address: numberIn(kind === 'deposit' ? fields['depositor'] : fields['recipient']),
    commitment: numberIn(commitment),
  };
  if (numbers.chainId === undefined || numbers.address === undefined) return undefined;
  if (numbers.commitment === undefined) return undefined;
  const swapped = numberIn(Object(output)['commitment']);
  return {
    kind,
    chainId: numbers.chainId,
    address: numbers.address,
    commitments: [numbers.commitment, ...(swapped === undefined ? [] : [swapped])],
    fields,
  };
}

const HEX = /^0x[0-9a-f]{1,64}$/i;

function numberIn(value: unknown): bigint | undefined {
  return typeof value === 'string' && HEX.test(value) ? BigInt(value) : undefined;
}
