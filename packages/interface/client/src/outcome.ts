import { progressOf, type Progress } from './progress.js';

/**
 * Field that only a dry run's report has; it distinguishes the report from a transaction's reply.
 */
interface DryRun {
  readonly admissible: boolean;
}

/**
 * Fields from which the outcome is derived, of a submission or of the reply to a withdrawal,
 * deposit, batch or private swap.
 */
interface Transacted {
  readonly transaction_hash: string | null;
  readonly execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN' | null;
  readonly revert_reason: string | null;
  readonly code?: string | null;
}

interface Certain<Answer> {
  /** How certain the outcome is. */
  readonly progress: Progress;
  readonly answer: Answer;
}

/** Outcome of a request as its reply shows it. Only the outcome of a transaction has a hash. */
export type Outcome<Answer> = Answer extends DryRun
  ? { readonly outcome: 'dry-run'; readonly report: Answer }
  : Certain<Answer> &
      (
        | { readonly outcome: 'succeeded'; readonly transactionHash: string }
        | {
            readonly outcome: 'reverted';
            readonly transactionHash: string;
            /** Revert reason that the contract returned. */
            readonly reason: string | null;
          }
        | {
            /**
             * The submission was refused or expired: no transaction of it is or can be on chain.
             * `code` is the reason.
             */
            readonly outcome: 'rejected';
            readonly code: string | null;
          }
        | {
            /** The outcome is not known yet; this is not a failure. */
            readonly outcome: 'unknown';
            /** Transaction hash; null while no transaction is signed. */
            readonly transactionHash: string | null;
          }
      );

/**
 * Pattern of a transaction's hash. 0x0 does not match: it means that no transaction is signed yet.
 */
const HASH = /^0x(?!0*$)[0-9a-f]{1,64}$/i;

/**
 * Returns the outcome that a POST's reply or a submission shows: `switch
 * (outcomeOf(data).outcome)`.
 */
export function outcomeOf<Answer extends DryRun | Transacted>(answer: Answer): Outcome<Answer> {
  // CAST: the conditional type is resolved where the answer's type is known, not here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return judged(answer) as Outcome<Answer>;
}

function judged(answer: DryRun | Transacted): Outcome<DryRun> | Outcome<Transacted> {
  if (isDryRun(answer)) return { outcome: 'dry-run', report: answer };
  // A proxy or a newer service may send a body with other fields. Then the outcome is unknown.
  const shown: Partial<Transacted> = Object(answer);
  const { execution_status: status, transaction_hash: hash = null, code = null } = shown;
  const transactionHash = HASH.test(String(hash)) ? hash : null;
  const certain = { progress: progressOf(answer), answer };
  if (status === null) return { outcome: 'rejected', code, ...certain };
  if (transactionHash === null || (status !== 'SUCCEEDED' && status !== 'REVERTED'))
    return { outcome: 'unknown', transactionHash, ...certain, progress: 'received' };
  return status === 'SUCCEEDED'
    ? { outcome: 'succeeded', transactionHash, ...certain }
    : { outcome: 'reverted', transactionHash, reason: answer.revert_reason, ...certain };
}

function isDryRun(answer: DryRun | Transacted): answer is DryRun {
  return 'admissible' in Object(answer);
}
