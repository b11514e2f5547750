import type { JSX } from 'preact';

/** Section about the person or company that runs the service, and the data that it receives. */
export function Operator({ name }: { readonly name: string }): JSX.Element {
  return (
    <section aria-labelledby="operator">
      <h2 id="operator">Who runs this service</h2>
      <p>
        {name === '' ? (
          'The operator has published no name. You know the service only by its accounts below.'
        ) : (
          <>
            <strong>{name}</strong> runs this service. The operator states this name itself.
          </>
        )}
      </p>
      <div class="sides">
        <div>
          <h3>The operator can see</h3>
          <ul>
            <li>the network address from which your requests come, and their times;</li>
            <li>the recipient, the batch and the fee that your proof states;</li>
            <li>that a deposit came through this service, if you deposit through it.</li>
          </ul>
        </div>
        <div>
          <h3>The operator cannot see or do</h3>
          <ul>
            <li>which deposit of the batch is yours, as the proof does not show it;</li>
            <li>your seed and your notes, which stay in your wallet;</li>
            <li>change the recipient or the fee: the proof is invalid then;</li>
            <li>spend a note or hold the money: it goes from the pool to the recipient.</li>
          </ul>
        </div>
      </div>
      <p class="quiet">
        The operator can refuse a request. You can then use another relayer. If you want to hide
        your network address too, send requests through Tor or a VPN.
      </p>
    </section>
  );
}
