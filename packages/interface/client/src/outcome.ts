/** The report of a dry run, as far as it differs from a transaction. */
interface DryRun {
  readonly admissible: boolean;
}

/** A withdrawal's, deposit's, batch's or private swap's answer, or a submission. */
interface Transacted {
  readonly transaction_hash: string | null;
  readonly execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN' | null;
  readonly revert_reason: string | null;
  readonly code?: string | null;
}

/** What an answer comes to; only an outcome of a transaction has a hash. */
export type Outcome<Answer> = Answer extends DryRun
  ? { readonly outcome: 'dry-run'; readonly report: Answer }
  : | { readonly outcome: 'succeeded'; readonly transactionHash: string; readonly answer: Answer }
    | {
        readonly outcome: 'reverted';
        readonly transactionHash: string;
        /** The contract's. */
        readonly reason: string | null;
        readonly answer: Answer;
      }
    | {
        /** Refused or expired: nothing of it is or can be on chain, and `code` says why. */
        readonly outcome: 'rejected';
        readonly code: string | null;
        readonly answer: Answer;
      }
    | {
        /** Not known yet: not a failure. */
        readonly outcome: 'unknown';
        /** Null while no transaction is signed. */
        readonly transactionHash: string | null;
        readonly answer: Answer;
      };

/** Of a transaction; 0x0 stands for one that is not signed yet. */
const HASH = /^0x(?!0*$)[0-9a-f]{1,64}$/i;

/** What the answer of a POST, or a submission, comes to: `switch (outcomeOf(data).outcome)`. */
export function outcomeOf<Answer extends DryRun | Transacted>(answer: Answer): Outcome<Answer> {
  // CAST: the conditional type is resolved where the answer's type is known, not here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return judged(answer) as Outcome<Answer>;
}

function judged(answer: DryRun | Transacted): Outcome<DryRun> | Outcome<Transacted> {
  if (isDryRun(answer)) return { outcome: 'dry-run', report: answer };
  // What a proxy or a newer service answers need not be what its type says: then nothing is known.
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
