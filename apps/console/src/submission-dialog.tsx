import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { cancelOf, retryOf } from './actions.js';
import { ActionButton, Age, Chip, Unread } from './parts.js';
import type { SubmissionDetail } from './service.js';
import type { Session } from './session.js';
import { permitted, plain, short, stateSaid, strk, timeOf } from './words.js';

/** Dialog with the current state of the submission that the operator opened. */
export function SubmissionDialog({ session }: { readonly session: Session }): JSX.Element | null {
  const { value: id } = session.submissions.openId;
  return id === null ? null : <OpenDialog key={id} session={session} id={id} />;
}

function OpenDialog({
  session,
  id,
}: {
  readonly session: Session;
  readonly id: string;
}): JSX.Element {
  const { submissions } = session;
  const dialog = useRef<HTMLDialogElement>(null);
  const detail = submissions.detail.value;
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="drawer"
      aria-labelledby="submission-title"
      onClose={() => void submissions.open(null)}
    >
      <div class="heading">
        <h2 id="submission-title">Submission</h2>
        <button type="button" class="plain small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <p>
        <code>{id}</code>
      </p>
      <Unread what="It" failure={submissions.detailFailure.value} />
      {detail === null ? (
        submissions.detailFailure.value === null && <p class="quiet">Reading …</p>
      ) : (
        <Detail session={session} detail={detail} />
      )}
    </dialog>
  );
}

function Detail({
  session,
  detail,
}: {
  readonly session: Session;
  readonly detail: SubmissionDetail;
}): JSX.Element {
  const { submission, timeline, transactions, undone, block } = detail;
  const { retry, cancel } = permitted(detail);
  return (
    <>
      <p>
        <Chip said={stateSaid(submission)} /> {plain(submission.kind)}
        {submission.pool === null ? '' : ` in ${submission.pool}`}
        {submission.attempt > 1 ? `, attempt ${submission.attempt}` : ''}
      </p>
      {retry || cancel ? (
        <p class="buttons">
          {retry ? <ActionButton session={session} action={retryOf(submission.id)} /> : null}
          {cancel ? <ActionButton session={session} action={cancelOf(submission.id)} /> : null}
        </p>
      ) : null}
      <h3>Timeline</h3>
      <ol class="timeline">
        {timeline.map(({ at, what, note, transactionHash }) => (
          <li key={`${at} ${what} ${transactionHash}`} class={what}>
            <strong>{what === 'ended' && note !== null ? note : what}</strong>{' '}
            <span class="quiet">
              {timeOf(at)}, <Age session={session} at={at} /> ago
            </span>
            {what === 'sent' && note !== null && note !== '0' ? ` at price step ${note}` : ''}
            {transactionHash === null ? null : <code class="block">{short(transactionHash)}</code>}
          </li>
        ))}
        {submission.endedAt === null ? (
          <li class="next">
            <span class="quiet">
              in flight; no new transaction is sent after {timeOf(detail.deadline)}
            </span>
          </li>
        ) : null}
      </ol>
      {undone === null ? null : (
        <p class="notice">
          A reorg undid an outcome: {undone.execution.toLowerCase()} at {timeOf(undone.at)}.
        </p>
      )}
      <dl class="facts">
        <dt>Account</dt>
        <dd>
          <code>{submission.lane ?? 'none yet'}</code>
        </dd>
        <dt>Nonce</dt>
        <dd>{submission.nonce ?? 'none yet'}</dd>
        <dt>Block</dt>
        <dd>{block === null ? 'none yet' : block.number}</dd>
        <dt>Gas</dt>
        <dd>{submission.gasPaidFri === null ? '–' : `${strk(submission.gasPaidFri)} STRK`}</dd>
        <dt>Fee</dt>
        <dd>{submission.feeEarned === null ? '–' : `${strk(submission.feeEarned.fri)} STRK`}</dd>
        <dt>Its caller is answered</dt>
        <dd>
          {[submission.answer.execution, submission.answer.finality]
            .filter((part) => part !== null)
            .map(plain)
            .join(', ') ||
            (submission.code ?? 'nothing yet')}
        </dd>
        {submission.code === null ? null : (
          <>
            <dt>Code</dt>
            <dd>
              <code>{submission.code}</code>
            </dd>
          </>
        )}
        {submission.revertReason === null ? null : (
          <>
            <dt>Reverted because</dt>
            <dd>{submission.revertReason}</dd>
          </>
        )}
      </dl>
      <h3>Transactions</h3>
      {transactions.length === 0 ? <p class="quiet">Nothing was signed.</p> : null}
      <ul class="transactions">
        {transactions.map(({ hash, kind, nonce, priceStep, sends, gone, refusal, seen }) => (
          <li key={hash}>
            <code>{hash}</code>
            <span class="quiet small">
              {kind === 'noop' ? 'no-op' : 'call'}, nonce {nonce}, price step {priceStep},{' '}
              {sends > 1 ? 'sent more than once' : sends === 1 ? 'sent once' : 'not sent'}
              {gone === null ? '' : `, ${gone}`}
              {refusal === null ? '' : ` (${refusal})`}
              {seen === null ? '' : `, seen as ${seen.toLowerCase()}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
