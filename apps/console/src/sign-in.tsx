import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Failure } from './service.js';
import { failureSaid } from './words.js';

interface SignInProps {
  readonly icon: string;
  /** Reason why the service rejected an API token, at the sign-in or later. */
  readonly refused: Failure | null;
  readonly onSignIn: (token: string) => Promise<void>;
}

/** Sign-in form. The API token stays in memory and is never written to a storage, URL or cookie. */
export function SignIn({ icon, refused, onSignIn }: SignInProps): JSX.Element {
  const isQuerying = useSignal(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    if (isQuerying.value) return;
    const token = new FormData(form).get('token');
    if (typeof token !== 'string' || token.trim() === '') return;
    isQuerying.value = true;
    await onSignIn(token.trim());
    isQuerying.value = false;
  };
  return (
    <main class="sign-in">
      <img src={icon} alt="" width="40" height="40" />
      <h1>Sotto console</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label for="token">Operator’s token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
          autofocus
          aria-describedby="token-note"
        />
        <button type="submit" aria-disabled={isQuerying.value}>
          {isQuerying.value ? 'Signing in …' : 'Sign in'}
        </button>
        <p class="bad" role="alert">
          {refused === null ? '' : `${failureSaid(refused)}.`}
        </p>
      </form>
      <p id="token-note" class="quiet small">
        One of <code>OPERATOR_API_TOKENS</code>. It stays in the memory of this page and is gone
        when the page is closed or loaded again.
      </p>
    </main>
  );
}
