import { feltToBigInt, type Felt } from '@sotto/kernel';
import { broken, type ModelAttempt, type ModelState, type ModelTransaction } from '../../model/model.mjs';
import { isLive, type Attempt, type AttemptState, type NonceRow, type OpenNonce, type TransactionRow } from '../domain/rows.js';
import type { Ledger } from '../ports/ledger.port.js';

/** What the chain knows of one lane, and the ledger does not. */
export interface ChainTruth {
  /** Takers of nonces from `firstNonce` on, in nonce order, the pre-confirmed ones last. */
  readonly included: readonly { readonly hash: Felt; readonly succeeded: boolean }[];
  /** How many of them are at ACCEPTED_ON_L2. */
  readonly accepted: number;
  /** Bytes that left us and were not refused, with their nonces. */
  readonly out: readonly { readonly hash: Felt; readonly nonce: bigint }[];
  readonly firstNonce: bigint;
}

const STATES: Readonly<Record<AttemptState, ModelAttempt['st']>> = {
  accepted: 'acc',
  prepared: 'prep',
  broadcast: 'bc',
  succeeded: 'ok',
  reverted: 'rev',
  refused: 'end',
  expired: 'end',
};

/** The rows that the properties are about, in any order. */
export interface JudgedRows {
  readonly attempts: readonly Pick<Attempt, 'key' | 'attempt' | 'state' | 'lane' | 'nonce'>[];
  readonly nonces: readonly Pick<NonceRow, 'lane' | 'nonce' | 'state'>[];
  /** Of settled nonces no-ops may be left out. */
  readonly transactions: readonly Pick<TransactionRow, 'hash' | 'lane' | 'nonce' | 'attempt' | 'priceStep' | 'claims' | 'dead'>[];
}

export interface JudgedLane {
  readonly address: Felt;
  readonly truth: ChainTruth;
}

/**
 * Properties S0 to S5 of the checked model that rows and chain break now; empty when all hold. Keys must be letters from A on.
 * @param told an attempt that a caller has heard to be refused, such as `A1`
 */
export function brokenProperties(rows: JudgedRows, lanes: readonly JudgedLane[], keys: readonly string[], told = ''): string[] {
  return broken({ ...modelStateOf(rows, lanes), told }, { keys: keys.length });
}

/** The rows of a ledger, as far as its port tells them. */
export async function rowsOf(ledger: Ledger, lanes: readonly JudgedLane[], keys: readonly string[]): Promise<JudgedRows> {
  const attempts = await attemptsOf(ledger, keys);
  const open = (await Promise.all(lanes.map(({ address }) => ledger.openNonces(address)))).flat();
  const all = await Promise.all(lanes.map(async ({ address, truth }) => nonceRows(address, truth, await ledger.nextNonce(address), open)));
  const calls = await Promise.all(attempts.map((attempt) => ledger.transactionsOf(attempt)));
  const known = [...open.flatMap(({ transactions }) => transactions), ...calls.flat()];
  return { attempts, nonces: all.flat(), transactions: [...new Map(known.map((row) => [row.hash, row])).values()] };
}

/** The port tells the open ones; all others below the next nonce are settled. */
function nonceRows(lane: Felt, { firstNonce }: ChainTruth, nextNonce: bigint | null, open: readonly OpenNonce[]): JudgedRows['nonces'] {
  const rows = open.filter(({ row }) => row.lane === lane).map(({ row }) => row);
  const isOpen = new Set(rows.map(({ nonce }) => nonce));
  const below = Array.from({ length: Number((nextNonce ?? firstNonce) - firstNonce) }, (_, index) => firstNonce + BigInt(index));
  return [...rows, ...below.filter((nonce) => !isOpen.has(nonce)).map((nonce) => ({ lane, nonce, state: 'settled' as const }))];
}

/** Rows and the chain's truth as a state of the model. */
function modelStateOf({ attempts, nonces, transactions }: JudgedRows, lanes: readonly JudgedLane[]): ModelState {
  const names = new Map(transactions.map((row) => [row.hash, nameOf(row)]));
  const first = new Map(lanes.map(({ address, truth }) => [address, truth.firstNonce]));
  return {
    subs: attempts.map(({ key, attempt, state, lane, nonce }) => ({
      k: key,
      a: attempt,
      st: STATES[state],
      // A settled attempt keeps its nonce in the ledger; the model forgets it.
      ...(isLive(state) && lane !== null && nonce !== null
        ? { L: lanes.findIndex(({ address }) => address === lane), n: Number(nonce - (first.get(lane) ?? 0n)) }
        : { L: -1, n: -1 }),
    })),
    slot: lanes.map(({ address, truth }) => {
      const slots: (0 | ModelTransaction[])[] = [];
      for (const row of nonces) {
        if (row.lane !== address) continue;
        const landable = transactions.filter(({ lane, nonce, dead }) => lane === address && nonce === row.nonce && !dead);
        slots[Number(row.nonce - truth.firstNonce)] =
          row.state === 'settled' ? 0 : landable.map((transaction) => ({ tx: nameOf(transaction), c: transaction.claims }));
      }
      return slots;
    }),
    lease: lanes.map(() => 0),
    hand: [],
    inc: lanes.map(({ truth }) => truth.included.map(({ hash, succeeded }) => `${names.get(hash) ?? STRANGER}${succeeded ? 'S' : 'R'}`)),
    fin: lanes.map(({ truth }) => truth.accepted),
    pool: lanes.map(() => []),
    out: lanes.map(({ truth }) => outOf(truth, names)),
  };
}

/** Every attempt of these keys, by key and number. */
export async function attemptsOf(ledger: Ledger, keys: readonly string[]): Promise<Attempt[]> {
  const found: Attempt[] = [];
  for (const key of keys) {
    const last = await ledger.lastAttempt(key);
    for (let attempt = 1; attempt <= (last?.attempt ?? 0); attempt += 1) {
      const row = await ledger.attempt({ key, attempt });
      if (row !== null) found.push(row);
    }
  }
  return found;
}

/** Everything that is in the ledger under no name is somebody else's: a no-op of a settled nonce, too, which judges nothing any more. */
const STRANGER = 'XXv9';

/** The model's names have four characters: key, attempt, `v`, price step. */
function nameOf({ attempt, priceStep }: Pick<TransactionRow, 'attempt' | 'priceStep'>): string {
  return `${attempt === null ? '--' : `${attempt.key}${digit(attempt.attempt)}`}v${digit(priceStep)}`;
}

function digit(number: number): string {
  if (number >= 36) throw new RangeError('the model has no name for this number');
  return number.toString(36);
}

function outOf({ out, firstNonce, accepted }: ChainTruth, names: ReadonlyMap<Felt, string>): string[][] {
  const indices = out.map(({ hash, nonce }) => ({ index: Number(nonce - firstNonce), name: names.get(hash) ?? `?${feltToBigInt(hash)}` }));
  const length = Math.max(0, ...indices.map(({ index }) => index + 1));
  return Array.from({ length }, (_, index) =>
    index < accepted ? [] : indices.filter((entry) => entry.index === index).map(({ name }) => name),
  );
}
