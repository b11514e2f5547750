import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Fees } from './fees.js';
import { Operator } from './operator.js';
import { Waiting } from './parts.js';
import { PoolTable } from './pools.js';
import type { Reading } from './service.js';
import { Status } from './status.js';
import { Top } from './top.js';

interface PageProps {
  readonly reading: ReadonlySignal<Reading | null>;
  readonly news: ReadonlySignal<string>;
  readonly isReading: ReadonlySignal<boolean>;
  readonly onRefresh: () => void;
  /** Path of the development wallet's page. The path is empty in production. */
  readonly wallet: string;
  /** Name that the operator has published. The name is empty if there is none. */
  readonly operator: string;
}

export function Page({
  reading,
  news,
  isReading,
  onRefresh,
  wallet,
  operator,
}: PageProps): JSX.Element {
  const now = reading.value;
  return (
    <>
      <Top>
        {wallet === '' ? null : (
          <li>
            <a href={wallet}>Try a wallet</a>
          </li>
        )}
        <li>
          <a href="/docs">Interface</a>
        </li>
      </Top>
      <main id="content">
        <Introduction />
        <section aria-labelledby="service">
          <h2 id="service">This service</h2>
          {now === null ? <Waiting /> : <Status reading={now} />}
          <div class="read">
            <button type="button" class="plain" onClick={onRefresh} aria-disabled={isReading}>
              Read again
            </button>
            <p class="quiet small">
              {now === null
                ? 'Reading for the first time.'
                : `Read at ${now.at.toLocaleTimeString()}, and again every 15 seconds.`}
            </p>
          </div>
          <p class="hidden" role="status">
            {news}
          </p>
        </section>
        <section aria-labelledby="pools">
          <h2 id="pools">Pools</h2>
          {now === null ? (
            <Waiting />
          ) : (
            <PoolTable pools={now.pools} crowds={now.crowds} fees={now.fees} />
          )}
        </section>
        <section aria-labelledby="fees">
          <h2 id="fees">Fees</h2>
          {now === null ? <Waiting /> : <Fees fees={now.fees} />}
        </section>
        <Operator name={operator} />
      </main>
      <footer class="quiet small">
        <p>
          This page sends requests to this service alone. It sets no cookie and stores nothing about
          you. Sotto is free software under the MIT licence.
        </p>
      </footer>
    </>
  );
}

function Introduction(): JSX.Element {
  return (
    <section class="lead" aria-labelledby="title">
      <h1 id="title">Withdraw without being seen to</h1>
      <p>
        A shielded pool on Starknet holds batches of deposits of the same size. A proof shows that
        one deposit of a batch is yours, but not which one. Sotto puts that proof on chain from a
        separate account, so that the wallet which gets the money never appears as a sender.
      </p>
      <ol class="steps">
        <li>
          <h2>Deposit</h2>
          <p>Your wallet makes a secret note and pays the pool’s fixed amount for it.</p>
        </li>
        <li>
          <h2>Wait in a crowd</h2>
          <p>
            Deposits become active in batches. The larger your batch, the better you are hidden.
          </p>
        </li>
        <li>
          <h2>Withdraw by proof</h2>
          <p>
            Your wallet proves the note at home and names who is paid. The fee comes out of the
            payment.
          </p>
        </li>
      </ol>
    </section>
  );
}
