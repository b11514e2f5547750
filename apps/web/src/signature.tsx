import { useSignal } from '@preact/signals';
import { verifyServiceStatus } from '@sotto/wallet/advanced';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { SignedStatus } from './service.js';
import { signatureWords, type State } from './words.js';

/** Checks the signature of each status in this browser, with the key that the user enters. */
export function Signature({ signed }: { readonly signed: SignedStatus }): JSX.Element {
  const key = useSignal('');
  const state = useSignal<State | null>(null);
  const signerPublicKey = key.value.trim();
  useEffect(() => {
    if (signerPublicKey === '') {
      state.value = null;
      return undefined;
    }
    let isCurrent = true;
    verifyServiceStatus(signed, { signerPublicKey }).then(
      () => isCurrent && (state.value = signatureWords(null)),
      (error: unknown) => isCurrent && (state.value = signatureWords(error)),
    );
    return () => (isCurrent = false);
  }, [signed, signerPublicKey]);
  return (
    <div class="signature">
      <label>
        Public key of the signer
        <input
          value={key}
          spellcheck={false}
          autocomplete="off"
          aria-describedby="signature-about"
          onInput={({ currentTarget }) => (key.value = currentTarget.value)}
        />
      </label>
      <p id="signature-about" class="quiet small">
        Read the key with <code>get_public_key</code> of the signer’s account, on a node or explorer
        that you trust. A key from this service would prove nothing. The check runs in this browser.
      </p>
      <p class={state.value?.tone} role="status">
        {state.value?.text ?? 'The signature is not checked yet: it needs the key.'}
      </p>
    </div>
  );
}
