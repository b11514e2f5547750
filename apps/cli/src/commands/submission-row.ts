/** States of a submission, in the order of its lifecycle. */
export const STATES = [
  'accepted',
  'broadcast',
  'succeeded',
  'reverted',
  'refused',
  'expired',
] as const;
type State = (typeof STATES)[number];

/** Fields of a submission that the commands print. */
export interface Submission {
  readonly id: string;
  readonly kind: string;
  readonly pool: string | null;
  readonly state: State;
  readonly lane: string | null;
  readonly nonce: string | null;
  readonly transactionHashes: readonly string[];
  readonly acceptedAt: number;
  readonly code: string | null;
  readonly revertReason: string | null;
}

export const HEADINGS = [
  'ACCEPTED',
  'ID',
  'KIND',
  'POOL',
  'STATE',
  'ACCOUNT',
  'NONCE',
  'WHY',
  'TRANSACTION',
] as const;

/** Returns the cells of a submission's row, in the order of {@link HEADINGS}. */
export function cellsOf(submission: Submission): readonly string[] {
  const { id, kind, pool, state, lane, nonce, acceptedAt, code, revertReason } = submission;
  return [
    new Date(acceptedAt * 1_000).toISOString().slice(0, 19),
    id,
    kind,
    pool ?? '-',
    state,
    lane ?? '-',
    nonce ?? '-',
    code ?? revertReason ?? '-',
    submission.transactionHashes.at(-1) ?? '-',
  ];
}
