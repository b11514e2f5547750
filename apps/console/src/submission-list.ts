import type { Filter, Submission } from './service.js';

/** Rows that are kept on the page; beyond them the list begins again with its first page. */
export const MOST_ROWS = 400;

export interface SubmissionList {
  readonly rows: readonly Submission[];
  /** Names the page that follows; null on the last one. */
  readonly next: string | null;
}

/** Whether the service would list this row. */
const matches = (row: Submission, filter: Filter): boolean =>
  (filter.state === undefined || row.state === filter.state) &&
  (filter.kind === undefined || row.kind === filter.kind) &&
  (filter.pool === undefined || row.pool === filter.pool) &&
  (filter.lane === undefined || row.lane === filter.lane) &&
  (filter.since === undefined || row.acceptedAt >= Number(filter.since)) &&
  (filter.until === undefined || row.acceptedAt < Number(filter.until));

/** The list with a row as it is now: in its place, new on top, or gone where it matches no more. */
export function withChange(
  { rows, next }: SubmissionList,
  row: Submission,
  filter: Filter,
): SubmissionList {
  if (!matches(row, filter)) return { rows: rows.filter(({ id }) => id !== row.id), next };
  if (rows.some(({ id }) => id === row.id))
    return { rows: rows.map((old) => (old.id === row.id ? row : old)), next };
  const place = rows.findIndex(({ acceptedAt }) => acceptedAt <= row.acceptedAt);
  // It belongs to a page that is not shown yet.
  if (place === -1 && next !== null) return { rows, next };
  return { rows: rows.toSpliced(place === -1 ? rows.length : place, 0, row), next };
}

/** The list with the page that follows it: a row that has moved onto it meanwhile stands once. */
export function withPage(list: SubmissionList, page: SubmissionList): SubmissionList {
  const shown = new Set(list.rows.map(({ id }) => id));
  return { rows: [...list.rows, ...page.rows.filter(({ id }) => !shown.has(id))], next: page.next };
}

export interface LaneMoney {
  readonly earnedFri: bigint;
  readonly paidFri: bigint;
}

/** What these submissions have brought and cost, by the account that sent them. */
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
