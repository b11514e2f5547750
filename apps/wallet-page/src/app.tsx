import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ActionForm } from './action-form.js';
import { Card } from './card.js';
import { DepositFee } from './deposit-fee.js';
import iconUrl from './icon.svg';
import { Problem } from './notice.js';
import { SeedSection } from './seed-section.js';
import { Wallet } from './wallet.js';
import { inTokens, messageOf } from './words.js';

export function App(): JSX.Element {
  const wallet = useSignal<Wallet | null>(null);
  const problem = useSignal<string | null>(null);
  const open = (): void => {
    problem.value = null;
    Wallet.open(location.origin).then(
      (opened) => (wallet.value = opened),
      (error: unknown) => (problem.value = messageOf(error)),
    );
  };
  useEffect(open, []);
  return (
    <>
      <header class="top">
        <a class="name" href="/">
          <img src={iconUrl} alt="" />
          Sotto
        </a>
        <nav aria-label="Pages">
          <ul>
            <li>
              <a href="/">This service</a>
            </li>
            <li>
              <a href="/docs">Interface</a>
            </li>
          </ul>
        </nav>
      </header>
      <main>
        <section class="lead" aria-labelledby="title">
          <h1 id="title">A wallet for development</h1>
          <p>
            Notes follow from a seed that this browser keeps. A test account pays deposits, and
            proofs are made here, in a worker. Keys and money of this chain are public:{' '}
            <strong>never use them for value.</strong>
          </p>
          {problem.value === null ? null : (
            <Problem text={problem.value}>
              <button type="button" onClick={open}>
                Try again
              </button>
            </Problem>
          )}
          {wallet.value === null ? null : <DepositForm wallet={wallet.value} />}
        </section>
        {wallet.value === null ? null : <SeedSection />}
        <section aria-labelledby="notes">
          <h2 id="notes">Notes</h2>
          {wallet.value === null ? (
            <p class="quiet">
              {problem.value === null
                ? 'Reading the pools …'
                : 'They can’t be read now. The seed stays in this browser, and finds them again.'}
            </p>
          ) : (
            <Notes wallet={wallet.value} />
          )}
        </section>
      </main>
    </>
  );
}

function DepositForm({ wallet }: { readonly wallet: Wallet }): JSX.Element {
  const { pools } = wallet;
  const chosen = useSignal(pools[0]?.key ?? '');
  const problem = useSignal<string | null>(null);
  const deposit = async (): Promise<void> => {
    const pool = pools.find(({ key }) => key === chosen.value);
    if (pool === undefined) throw new Error('the service has no pools');
    await wallet.deposit(pool);
  };
  const shown = pools.find(({ key }) => key === chosen.value);
  const fields = (
    <label>
      Pool
      <select value={chosen} onInput={({ currentTarget }) => (chosen.value = currentTarget.value)}>
        {pools.map(({ key, amount, token }) => (
          <option key={key} value={key}>
            {key}: {inTokens(amount, token)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <ActionForm
        name="Make a note and deposit it"
        action={deposit}
        problem={problem}
        fields={fields}
      />
      {shown === undefined ? null : <DepositFee wallet={wallet} pool={shown} />}
      {problem.value === null ? null : <Problem text={problem.value} />}
    </>
  );
}

function Notes({ wallet }: { readonly wallet: Wallet }): JSX.Element {
  const cards = wallet.cards.value;
  if (cards.length === 0) return <p class="quiet">None yet: make one above.</p>;
  return (
    <ul class="cards">
      {cards.map((card) => (
        <Card key={String(card.note.commitment)} card={card} wallet={wallet} />
      ))}
    </ul>
  );
}
