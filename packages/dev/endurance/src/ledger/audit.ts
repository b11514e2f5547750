import type { Felt } from '@sotto/kernel';
import type { Inclusion } from '../stack/chain.js';
import type { LedgerRows, TransactionRow } from './read-ledger.js';

/** What both sides say about a run, once it has settled. */
export interface AuditInput {
  readonly ledger: LedgerRows;
  /** What the accounts of the service have paid for. */
  readonly inclusions: readonly Inclusion[];
  /** How many withdrawals the pool itself has paid out. */
  readonly paidOut: number;
  /** Names of submissions that callers received. */
  readonly accepted: readonly string[];
}

/** Ledger and chain side by side. All lists are empty after a run that held what it promised. */
export interface Audit {
  readonly attempts: number;
  readonly byState: Readonly<Record<string, number>>;
  /** Refused and expired attempts, by their reason. */
  readonly byReason: Readonly<Record<string, number>>;
  /** Withdrawals that stand in blocks and have succeeded. */
  readonly inclusions: number;
  readonly noops: number;
  /** Returned to a caller, and not in the ledger. */
  readonly lost: readonly string[];
  /** Included more than once, or together with another attempt of the same withdrawal. */
  readonly doubles: readonly string[];
  /** The ledger says one thing and the chain another. */
  readonly disagreements: readonly string[];
  /** Ended without a success and without a reason. */
  readonly unreasoned: readonly string[];
  /** Neither ended nor settled. */
  readonly stuck: readonly string[];
  /** Nonces that the ledger says something else has consumed. */
  readonly foreign: readonly string[];
  /** Nonces of a lane that are missing. */
  readonly holes: readonly string[];
}

/** Compares what the service has written with what the chain has paid. */
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
    byReason: tally(ended.map(({ refusalCode }) => refusalCode ?? 'none')),
    inclusions: succeeded.length,
    noops: included.length - calls.length,
    lost: accepted.filter((id) => !ids.has(id)),
    doubles: [...paidOf]
      .filter(([, paid]) => paid.length > 1)
      .map(([key, paid]) => `${key} was paid ${paid.length} times`),
    disagreements,
    unreasoned: ended.filter(({ refusalCode }) => refusalCode === null).map(({ id }) => id),
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

/** What a run did not hold; nothing when all is well. */
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
/** What the chain must have of an attempt that ended so. */
const EXPECTED: ReadonlyMap<string, string> = new Map([
  ['succeeded', 'SUCCEEDED'],
  ['reverted', 'REVERTED'],
]);

/** A lane's rows have no gaps, and the chain has a transaction under each of them. */
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

/** Every nonce that a row stands for. */
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
