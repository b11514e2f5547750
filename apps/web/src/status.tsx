import type { JSX } from 'preact';
import { Fact, Unread } from './parts.js';
import type { Reading, SignedStatus } from './service.js';
import { Signature } from './signature.js';
import { chainName, duration, inclusionWords, serviceState } from './words.js';

/** Section with the state of the service, from its signed status. */
export function Status({ reading }: { readonly reading: Reading }): JSX.Element {
  const { tone, text } = serviceState(reading);
  const { status } = reading;
  return (
    <>
      <p class={`state ${tone}`}>{text}</p>
      {'failure' in status ? (
        <Unread what="Its signed status" failure={status.failure} />
      ) : (
        <>
          <StatusFacts signed={status.value} />
          <Signature signed={status.value} />
        </>
      )}
    </>
  );
}

function StatusFacts({ signed: { status, signer } }: { readonly signed: SignedStatus }) {
  const { success, inclusion, chainId, relayer } = status;
  return (
    <dl class="facts">
      <Fact name="Chain">{chainName(chainId)}</Fact>
      <Fact name={`Succeeded within ${duration(success.windowSeconds)}`}>
        {success.percent === null
          ? 'too few withdrawals to report'
          : `at least ${success.percent} of 100`}
      </Fact>
      <Fact name="On chain after">
        {inclusionWords(inclusion) ?? 'too few withdrawals to report'}
      </Fact>
      <Fact isWide name="Relayer that a proof names">
        <code>{relayer}</code>
      </Fact>
      <Fact isWide name="This status is signed by">
        <code>{signer}</code>
      </Fact>
    </dl>
  );
}
