/** Part of a dry run's report that distinguishes it from a transaction. */
interface DryRun {
  readonly admissible: boolean;
}

/** Reply to a withdrawal, deposit, batch or private swap, or a submission. */
interface Transacted {
  readonly transaction_hash: string | null;
  readonly execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN' | null;
  readonly revert_reason: string | null;
  readonly code?: string | null;
}

/** Outcome of a reply. Only an outcome of a transaction has a hash. */
export type Outcome<Answer> = Answer extends DryRun
  ? { readonly outcome: 'dry-run'; readonly report: Answer }
  : | { readonly outcome: 'succeeded'; readonly transactionHash: string; readonly answer: Answer }
    | {
        readonly outcome: 'reverted';
        readonly transactionHash: string;
        /** Revert reason of the contract. */
        readonly reason: string | null;
        readonly answer: Answer;
      }
    | {
        /** Refused or expired: nothing of it is or can be on chain; `code` is the reason. */
        readonly outcome: 'rejected';
        readonly code: string | null;
        readonly answer: Answer;
      }
    | {
        /** Outcome not known yet; this is not a failure. */
        readonly outcome: 'unknown';
        /** Null while no transaction is signed. */
        readonly transactionHash: string | null;
        readonly answer: Answer;
      };

/** Hash of a transaction; 0x0 means that it is not signed yet. */
const HASH = /^0x(?!0*$)[0-9a-f]{1,64}$/i;

/** Returns the outcome of a POST's reply or of a submission: `switch (outcomeOf(data).outcome)`. */
export function outcomeOf<Answer extends DryRun | Transacted>(answer: Answer): Outcome<Answer> {
  // CAST: the conditional type is resolved where the answer's type is known, not here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return judged(answer) as Outcome<Answer>;
}

function judged(answer: DryRun | Transacted): Outcome<DryRun> | Outcome<Transacted> {
  if (isDryRun(answer)) return { outcome: 'dry-run', report: answer };
  // A proxy or a newer service may send a body of another shape: its outcome is unknown.
  const shown: Partial<Transacted> = Object(answer);
  const { execution_status: status, transaction_hash: hash = null, code = null } = shown;
  const transactionHash = HASH.test(String(hash)) ? hash : null;
  if (status === null) return { outcome: 'rejected', code, answer };
  if (transactionHash === null || (status !== 'SUCCEEDED' && status !== 'REVERTED'))
    return { outcome: 'unknown', transactionHash, answer };
  return status === 'SUCCEEDED'
    ? { outcome: 'succeeded', transactionHash, answer }
    : { outcome: 'reverted', transactionHash, reason: answer.revert_reason, answer };
}

function isDryRun(answer: DryRun | Transacted): answer is DryRun {
  return 'admissible' in Object(answer);
}
