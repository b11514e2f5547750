import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from './action-form.js';
import { STATES } from './note-state.js';
import { Problem } from './notice.js';
import {
  Fee,
  Overrides,
  recipientIn,
  useFee,
  type ActionProps,
  type PayingProps,
} from './paying.js';
import { SwapForm } from './swap-form.js';
import type { Step } from './timeline.js';
import { crowdText, inTokens, lastWords } from './words.js';

/** Card of a note with its state, its timeline and its actions. */
export function Card({ card, wallet }: ActionProps): JSX.Element {
  const { pool, steps, state, paid, problem } = card;
  const { text, tone } = STATES[state.value];
  return (
    <li class="card">
      <h3 tabIndex={-1}>
        {inTokens(pool.amount, pool.token)} in {pool.key}
        <span class={`badge ${tone}`}>{text}</span>
      </h3>
      <p class="hidden" role="status">
        {lastWords(steps.value)}
      </p>
      {steps.value.length === 0 ? null : <Timeline steps={steps.value} />}
      {paid.value === null ? null : (
        <p class="outcome">
          The recipient now holds <strong>{inTokens(paid.value.amount, paid.value.token)}</strong>.
          The transaction came from the relayer’s account.
        </p>
      )}
      {problem.value === null ? null : <Problem text={problem.value} />}
      <Actions card={card} wallet={wallet} />
    </li>
  );
}

/** Forms of the actions that the state of the note allows. */
function Actions({ card, wallet }: ActionProps): JSX.Element | null {
  const { problem } = card;
  const recipient = useSignal(wallet.recipient);
  const state = card.state.value;
  if (state === 'waiting')
    return (
      <ActionForm
        name="Deploy waiting deposits now"
        action={() => wallet.fillBatch(card)}
        problem={problem}
      >
        <span class="quiet small">
          Fewer than a full batch hide one another less; only development allows it to anyone.
        </span>
      </ActionForm>
    );
  if (state === 'active')
    return (
      <>
        <WithdrawForm card={card} wallet={wallet} recipient={recipient} />
        <SwapForm card={card} wallet={wallet} recipient={recipient} />
      </>
    );
  if (state === 'failed')
    return (
      <ActionForm
        name="Deposit it again"
        action={() => wallet.followDeposit(card)}
        problem={problem}
      />
    );
  if (card.isFollowed.value || state === 'withdrawn' || state === 'spent') return null;
  return <ActionForm name="Go on" action={() => wallet.goOn(card)} problem={problem} />;
}

function WithdrawForm({ card, wallet, recipient }: PayingProps): JSX.Element {
  const fee = useFee(wallet, card, 'withdraw');
  const crowd = card.pool.view.placeOf(card.note.commitment)?.batch?.size;
  return (
    <ActionForm
      name="Withdraw"
      problem={card.problem}
      action={() => wallet.withdraw(card, recipientIn(recipient), fee.value?.most ?? null)}
      fields={
        <>
          <label class="long">
            Recipient
            <input
              value={recipient}
              spellcheck={false}
              autocomplete="off"
              onInput={({ currentTarget }) => (recipient.value = currentTarget.value)}
            />
          </label>
          <Overrides card={card} />
        </>
      }
    >
      {crowd === undefined ? null : <span class="quiet small">{crowdText(crowd)}</span>}
      <Fee terms={fee.value} card={card} />
    </ActionForm>
  );
}

function Timeline({ steps }: { readonly steps: readonly Step[] }): JSX.Element {
  return (
    <ol class="timeline">
      {steps.map(({ text, tone, at, transactionHash, progress }, index) => (
        <li
          key={index}
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
