import type { Filter, Submission } from './service.js';

/** Maximum number of rows on the page. A longer list is replaced by its first page. */
export const MOST_ROWS = 400;

export interface SubmissionList {
  readonly rows: readonly Submission[];
  /** Cursor of the next page. Null if this is the last page. */
  readonly next: string | null;
}

/** Returns true if the filter includes this row. */
const matches = (row: Submission, filter: Filter): boolean =>
  (filter.state === undefined || row.state === filter.state) &&
  (filter.kind === undefined || row.kind === filter.kind) &&
  (filter.pool === undefined || row.pool === filter.pool) &&
  (filter.lane === undefined || row.lane === filter.lane) &&
  (filter.since === undefined || row.acceptedAt >= Number(filter.since)) &&
  (filter.until === undefined || row.acceptedAt < Number(filter.until));

/**
 * Applies a changed row to the list. If the list contains the row, the old version is replaced at
 * its position. A new row is inserted by its time. A row that no longer matches the filter is
 * removed.
 */
export function withChange(
  { rows, next }: SubmissionList,
  row: Submission,
  filter: Filter,
): SubmissionList {
  if (!matches(row, filter)) return { rows: rows.filter(({ id }) => id !== row.id), next };
  if (rows.some(({ id }) => id === row.id))
    return { rows: rows.map((old) => (old.id === row.id ? row : old)), next };
  const place = rows.findIndex(({ acceptedAt }) => acceptedAt <= row.acceptedAt);
  // The row belongs to a page that the list has not loaded yet.
  if (place === -1 && next !== null) return { rows, next };
  return { rows: rows.toSpliced(place === -1 ? rows.length : place, 0, row), next };
}

/** Appends the next page. Rows that the list already contains are not added again. */
export function withPage(list: SubmissionList, page: SubmissionList): SubmissionList {
  const shown = new Set(list.rows.map(({ id }) => id));
  return { rows: [...list.rows, ...page.rows.filter(({ id }) => !shown.has(id))], next: page.next };
}

export interface LaneMoney {
  readonly earnedFri: bigint;
  readonly paidFri: bigint;
}

/** Returns the earned and paid amounts of these submissions, summed for each lane. */
export function moneyByLane(rows: readonly Submission[]): ReadonlyMap<string, LaneMoney> {
  const money = new Map<string, LaneMoney>();
  for (const { lane, feeEarned, gasPaidFri, endedAt } of rows) {
    if (lane === null || endedAt === null) continue;
    const { earnedFri, paidFri } = money.get(lane) ?? NO_MONEY;
    money.set(lane, {
      earnedFri: earnedFri + BigInt(feeEarned?.fri ?? 0),
      paidFri: paidFri + BigInt(gasPaidFri ?? 0),
    });
  }
  return money;
}

export const NO_MONEY: LaneMoney = { earnedFri: 0n, paidFri: 0n };
