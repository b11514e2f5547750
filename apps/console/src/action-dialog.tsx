import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { actionFailureSaid, type Action } from './actions.js';
import type { Session } from './session.js';

/** Maximum number of characters of a reason that the routes accept. */
const LONGEST_REASON = 200;

/** Dialog that requests the reason of an action and displays its result. */
export function ActionDialog({ session }: { readonly session: Session }): JSX.Element | null {
  const action = session.action.value;
  return action === null ? null : (
    <OpenDialog key={action.title} session={session} action={action} />
  );
}

function OpenDialog({
  session,
  action,
}: {
  readonly session: Session;
  readonly action: Action;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isUnderWay = useSignal(false);
  const done = useSignal<string | null>(null);
  const failed = useSignal<string | null>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const run = async (form: HTMLFormElement): Promise<void> => {
    const reason = new FormData(form).get('reason');
    if (isUnderWay.value || typeof reason !== 'string' || reason.trim() === '') return;
    isUnderWay.value = true;
    failed.value = null;
    const outcome = await action.run(session.service, reason.trim());
    isUnderWay.value = false;
    if ('failure' in outcome) failed.value = actionFailureSaid(outcome.failure);
    else done.value = outcome.value;
    session.afterAction();
  };
  return (
    <dialog
      ref={dialog}
      class="action"
      aria-labelledby="action-title"
      onCancel={(event) => {
        // The dialog must stay open until a running action has its result.
        if (isUnderWay.value) event.preventDefault();
      }}
      onClose={() => (session.action.value = null)}
    >
      <h2 id="action-title">{action.title}</h2>
      <p>{action.explains}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        {done.value === null ? (
          <>
            <label for="reason">Reason</label>
            <input
              id="reason"
              name="reason"
              required
              pattern=".*\S.*"
              maxLength={LONGEST_REASON}
              autocomplete="off"
              autofocus
              aria-describedby="reason-for"
            />
            <p id="reason-for" class="quiet small">
              {action.reasonIsFor}
            </p>
          </>
        ) : null}
        <p role="alert" class={done.value === null ? 'bad' : 'good'}>
          {done.value ?? failed.value ?? ''}
        </p>
        <div class="buttons">
          {done.value === null ? (
            <button type="submit" aria-disabled={isUnderWay.value}>
              {isUnderWay.value ? 'Under way …' : action.verb}
            </button>
          ) : null}
          <button
            type="button"
            class="plain"
            disabled={isUnderWay.value}
            onClick={() => dialog.current?.close()}
          >
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}
