import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import iconUrl from './icon.svg';
import { Service, type Failure } from './service.js';
import { Session } from './session.js';
import { SignIn } from './sign-in.js';
import { Views } from './views.js';

/** The operator's page. Displays a sign-in form, and after the sign-in the views. */
export function Console({ baseUrl }: { readonly baseUrl: string }): JSX.Element {
  const session = useSignal<Session | null>(null);
  const refused = useSignal<Failure | null>(null);
  const end = (failure: Failure | null): void => {
    session.value?.end();
    session.value = null;
    refused.value = failure;
  };
  const signIn = async (token: string): Promise<void> => {
    const service = new Service(baseUrl, token);
    const status = await service.status();
    if ('failure' in status) {
      refused.value = status.failure;
      return;
    }
    refused.value = null;
    const known = { ...status, receivedAtMs: Date.now() };
    const begun = new Session(service, known, end, document);
    session.value = begun;
    begun.start();
  };
  return session.value === null ? (
    <SignIn icon={iconUrl} refused={refused.value} onSignIn={signIn} />
  ) : (
    <Views icon={iconUrl} session={session.value} onSignOut={() => end(null)} />
  );
}
