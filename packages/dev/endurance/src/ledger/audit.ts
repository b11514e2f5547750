import type { Felt } from '@sotto/kernel';
import type { Inclusion } from '../stack/chain.js';
import type { LedgerRows, TransactionRow } from './read-ledger.js';

/** Ledger rows and chain data after a run in which everything has settled. */
export interface AuditInput {
  readonly ledger: LedgerRows;
  /** Transactions in blocks whose fee was charged to an account of the service. */
  readonly inclusions: readonly Inclusion[];
  /** Number of withdrawals that the pool has paid. */
  readonly paidOut: number;
  /** Ids of submissions that callers received. */
  readonly accepted: readonly string[];
}

/** Comparison of ledger and chain. All lists are empty after a correct run. */
export interface Audit {
  readonly attempts: number;
  readonly byState: Readonly<Record<string, number>>;
  /** Rejected and expired attempts, by reason. */
  readonly byReason: Readonly<Record<string, number>>;
  /** Number of withdrawals that succeeded in a block. */
  readonly inclusions: number;
  readonly noops: number;
  /** Ids of submissions that a caller received but the ledger lacks. */
  readonly lost: readonly string[];
  /**
   * Keys of submissions that were paid more than once, whether by one attempt or by several
   * attempts.
   */
  readonly doubles: readonly string[];
  /** Differences between the ledger and the chain. */
  readonly disagreements: readonly string[];
  /** Attempts that ended without a success and without a reason. */
  readonly unreasoned: readonly string[];
  /** Attempts that have not ended and nonces that are not settled. */
  readonly stuck: readonly string[];
  /** Nonces that a transaction outside this ledger consumed, according to the ledger. */
  readonly foreign: readonly string[];
  /** Nonces of a lane that no row covers or that no transaction on chain has consumed. */
  readonly holes: readonly string[];
}

/** Compares the service's ledger with payments on chain. */
export function audit({ ledger, inclusions, paidOut, accepted }: AuditInput): Audit {
  const byHash = new Map(inclusions.map((inclusion) => [inclusion.hash, inclusion]));
  const lanes = new Set(ledger.nonces.map(({ lane }) => lane));
  const included = ledger.transactions.filter(({ hash }) => byHash.has(hash));
  const calls = included.filter(({ kind }) => kind === 'call');
  const succeeded = calls.filter(({ hash }) => byHash.get(hash)?.executionStatus === 'SUCCEEDED');
  const callsOf = groupBy(calls, ({ key, attempt }) => `${key}#${attempt}`);
  const paidOf = groupBy(succeeded, ({ key }) => String(key));
  const known = new Set(ledger.transactions.map(({ hash }) => hash));
  const ids = new Set(ledger.attempts.map(({ id }) => id));

  const disagreements = ledger.attempts.flatMap(({ id, key, attempt, state }) => {
    const found = (callsOf.get(`${key}#${attempt}`) ?? [])
      .map(({ hash }) => byHash.get(hash)?.executionStatus)
      .join(', ');
    const expected = EXPECTED.get(state) ?? '';
    return LIVE.has(state) || found === expected
      ? []
      : [`${id} is ${state}, the chain has: ${found || 'nothing'}`];
  });
  const unknown = inclusions.filter(({ hash, sender }) => lanes.has(sender) && !known.has(hash));
  disagreements.push(...unknown.map(({ hash }) => `${hash} is on chain and not in the ledger`));
  if (paidOut !== succeeded.length)
    disagreements.push(
      `the pool has paid ${paidOut} times, the ledger's transactions ${succeeded.length} times`,
    );

  const ended = ledger.attempts.filter(({ state }) => state === 'refused' || state === 'expired');
  return {
    attempts: ledger.attempts.length,
    byState: tally(ledger.attempts.map(({ state }) => state)),
    byReason: tally(ended.map(({ rejectionCode }) => rejectionCode ?? 'none')),
    inclusions: succeeded.length,
    noops: included.length - calls.length,
    lost: accepted.filter((id) => !ids.has(id)),
    doubles: [...paidOf]
      .filter(([, paid]) => paid.length > 1)
      .map(([key, paid]) => `${key} was paid ${paid.length} times`),
    disagreements,
    unreasoned: ended.filter(({ rejectionCode }) => rejectionCode === null).map(({ id }) => id),
    stuck: [
      ...ledger.attempts
        .filter(({ state }) => LIVE.has(state))
        .map(({ id, state }) => `${id} is ${state}`),
      ...ledger.nonces
        .filter(({ isSettled }) => !isSettled)
        .map(({ lane, nonce }) => `nonce ${nonce} of ${lane} is open`),
    ],
    foreign: ledger.nonces
      .filter(({ isForeign }) => isForeign)
      .map(({ lane, nonce }) => `nonce ${nonce} of ${lane}`),
    holes: [...lanes].flatMap((lane) => holesOf(lane, ledger, inclusions)),
  };
}

/** Returns all findings of an audit; empty if ledger and chain agree. */
export function findings({
  lost,
  doubles,
  disagreements,
  unreasoned,
  stuck,
  foreign,
  holes,
}: Audit): readonly string[] {
  return Object.entries({
    lost,
    doubles,
    disagreements,
    unreasoned,
    stuck,
    foreign,
    holes,
  }).flatMap(([name, found]) => found.map((text) => `${name}: ${text}`));
}

const LIVE: ReadonlySet<string> = new Set(['accepted', 'broadcast']);
/** Execution status that the chain must report for each final state of an attempt. */
const EXPECTED: ReadonlyMap<string, string> = new Map([
  ['succeeded', 'SUCCEEDED'],
  ['reverted', 'REVERTED'],
]);

/** Returns the gaps between a lane's nonce rows, and the nonces without a transaction on chain. */
function holesOf(
  lane: Felt,
  { nonces }: LedgerRows,
  inclusions: readonly Inclusion[],
): readonly string[] {
  const rows = nonces.filter((row) => row.lane === lane).flatMap(rangeOf);
  const onChain = new Set(
    inclusions.filter(({ sender }) => sender === lane).map(({ nonce }) => Number(nonce)),
  );
  const known = new Set(rows);
  const [first = 0, last = -1] = [rows[0], rows.at(-1)];
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return all
    .filter((nonce) => !known.has(nonce) || !onChain.has(nonce))
    .map((nonce) => `nonce ${nonce} of ${lane}`);
}

/** Returns all nonces that a row covers. */
function rangeOf({ nonce, through }: LedgerRows['nonces'][number]): readonly number[] {
  return Array.from({ length: through - nonce + 1 }, (_, index) => nonce + index);
}

function tally(values: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...groupBy(values, (value) => value)]
      .map(([value, found]) => [value, found.length] as const)
      .toSorted(([left], [right]) => left.localeCompare(right)),
  );
}

function groupBy<T extends TransactionRow | string>(
  values: readonly T[],
  keyOf: (value: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value)) ?? [];
    groups.set(keyOf(value), group);
    group.push(value);
  }
  return groups;
}
