import { useSignal, type Signal } from '@preact/signals';
import type { JSX, TargetedSubmitEvent } from 'preact';
import { useEffect } from 'preact/hooks';
import iconUrl from './icon.svg';
import type { Step } from './timeline.js';
import { Wallet, type NoteCard, type PoolInUse } from './wallet.js';
import { STATES, amountOf, inTokens, isAddress, lastWords, messageOf } from './words.js';

export function App(): JSX.Element {
  const wallet = useSignal<Wallet | null>(null);
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    Wallet.open(location.origin).then(
      (opened) => (wallet.value = opened),
      (error: unknown) => (problem.value = messageOf(error)),
    );
  }, []);
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
          {problem.value === null ? null : <Problem text={problem.value} />}
          {wallet.value === null ? null : <DepositForm wallet={wallet.value} />}
        </section>
        <section aria-labelledby="notes">
          <h2 id="notes">Notes</h2>
          {wallet.value === null ? (
            <p class="quiet">{problem.value === null ? 'Reading the pools …' : 'No wallet.'}</p>
          ) : (
            <Notes wallet={wallet.value} />
          )}
        </section>
      </main>
    </>
  );
}

function Problem({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="notice" role="alert">
      <p>That did not work: {text}</p>
    </div>
  );
}

/** Runs an action; what it throws is shown. */
function attempt(problem: Signal<string | null>, action: () => Promise<void>): void {
  problem.value = null;
  action().catch((error: unknown) => (problem.value = messageOf(error)));
}

function DepositForm({ wallet }: { readonly wallet: Wallet }): JSX.Element {
  const { pools } = wallet;
  const chosen = useSignal(pools[0]?.key ?? '');
  const problem = useSignal<string | null>(null);
  const pool = pools.find(({ key }) => key === chosen.value);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (pool !== undefined) attempt(problem, () => wallet.deposit(pool));
  };
  return (
    <>
      <form onSubmit={submit}>
        <label>
          Pool
          <select
            value={chosen}
            onInput={({ currentTarget }) => (chosen.value = currentTarget.value)}
          >
            {pools.map(({ key, amount, token }) => (
              <option key={key} value={key}>
                {key}: {inTokens(amount, token)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Make a note and deposit it</button>
      </form>
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

function Card({ card, wallet }: { readonly card: NoteCard; readonly wallet: Wallet }): JSX.Element {
  const { pool, steps, state, paid, problem } = card;
  const { text, tone } = STATES[state.value];
  return (
    <li class="card">
      <h3>
        {inTokens(pool.amount, pool.token)} in {pool.key}
        <span class={`badge ${tone}`}>{text}</span>
      </h3>
      <p class="hidden" role="status">
        {lastWords(steps.value)}
      </p>
      {steps.value.length === 0 ? null : <Timeline steps={steps.value} />}
      {paid.value === null ? null : (
        <p class="outcome">
          The recipient now holds <strong>{inTokens(paid.value.amount, paid.value.token)}</strong>,
          and has sent no transaction.
        </p>
      )}
      {state.value === 'waiting' ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            attempt(problem, () => wallet.fillBatch(card));
          }}
        >
          <button type="submit">Deploy what waits now</button>
          <span class="quiet small">
            Fewer than a full batch hide one another less; only development allows it to anyone.
          </span>
        </form>
      ) : null}
      {state.value === 'active' ? (
        <>
          <WithdrawForm card={card} wallet={wallet} />
          {wallet.outputsOf(pool).length === 0 ? null : <SwapForm card={card} wallet={wallet} />}
        </>
      ) : null}
      {problem.value === null ? null : <Problem text={problem.value} />}
    </li>
  );
}

interface ActionProps {
  readonly card: NoteCard;
  readonly wallet: Wallet;
}

function SwapForm({ card, wallet }: ActionProps): JSX.Element | null {
  const outputs = wallet.outputsOf(card.pool);
  const chosen = useSignal(outputs.find(({ symbol }) => symbol === 'USDC') ?? outputs[0]);
  const least = useSignal('');
  const output = chosen.value;
  useEffect(() => {
    least.value = '';
    if (output === undefined) return;
    // Without a price the user names the least.
    wallet.leastOutput(card.pool, output).then(
      (amount) =>
        (least.value = amount === null ? '' : inTokens(amount, { ...output, symbol: '' }).trim()),
      () => undefined,
    );
  }, [output]);
  if (output === undefined) return null;
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    attempt(card.problem, async () => {
      const minAmountOut = amountOf(least.value, output);
      if (minAmountOut === null || minAmountOut === 0n)
        throw new Error(`the least is no amount of ${output.symbol}`);
      await wallet.swap(card, { output, minAmountOut, recipient: wallet.recipient });
    });
  };
  return (
    <form onSubmit={submit}>
      <label>
        Swap into
        <select
          value={output.symbol}
          onInput={({ currentTarget: { value } }) =>
            (chosen.value = outputs.find(({ symbol }) => symbol === value))
          }
        >
          {outputs.map(({ symbol }) => (
            <option key={symbol}>{symbol}</option>
          ))}
        </select>
      </label>
      <label>
        At least
        <input
          value={least}
          inputmode="decimal"
          autocomplete="off"
          onInput={({ currentTarget }) => (least.value = currentTarget.value)}
        />
      </label>
      <button type="submit">Swap privately</button>
    </form>
  );
}

function WithdrawForm({ card, wallet }: ActionProps): JSX.Element {
  const recipient = useSignal(wallet.recipient);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    attempt(card.problem, async () => {
      if (!isAddress(recipient.value)) throw new Error('the recipient is no Starknet address');
      await wallet.withdraw(card, recipient.value);
    });
  };
  return (
    <form onSubmit={submit}>
      <label class="long">
        Recipient
        <input
          value={recipient}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => (recipient.value = currentTarget.value)}
        />
      </label>
      <button type="submit">Withdraw</button>
      <Fee wallet={wallet} pool={card.pool} />
    </form>
  );
}

function Fee({
  wallet,
  pool,
}: {
  readonly wallet: Wallet;
  readonly pool: PoolInUse;
}): JSX.Element | null {
  const fee = useSignal<bigint | null>(null);
  useEffect(() => {
    // Without it the withdrawal says what is wrong.
    wallet.feeNow(pool).then(
      (now) => (fee.value = now),
      () => undefined,
    );
  }, [pool]);
  return fee.value === null ? null : (
    <span class="quiet small">Fee now: {inTokens(fee.value, pool.token)}</span>
  );
}

function Timeline({ steps }: { readonly steps: readonly Step[] }): JSX.Element {
  return (
    <ol class="timeline">
      {steps.map(({ key, text, tone, at, transactionHash, progress }, index) => (
        <li
          key={key}
          class={tone}
          {...(index === steps.length - 1 ? { 'aria-current': 'step' } : {})}
        >
          <time class="when number" dateTime={at.toISOString()}>
            {at.toLocaleTimeString()}
          </time>
          {text}
          {progress === undefined ? null : <progress aria-label="Proof" max={1} value={progress} />}
          {transactionHash === undefined ? null : <code>{transactionHash}</code>}
        </li>
      ))}
    </ol>
  );
}
