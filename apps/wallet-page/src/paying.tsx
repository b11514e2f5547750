import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { NoteCard } from './note-card.js';
import type { FeeTerms, Wallet } from './wallet.js';
import { addressOf, inTokens, overrideText } from './words.js';

export interface ActionProps {
  readonly card: NoteCard;
  readonly wallet: Wallet;
}

export interface PayingProps extends ActionProps {
  /** Text that the user typed as recipient. All forms of a card share it. */
  readonly recipient: Signal<string>;
}

/** Returns the typed recipient. @throws Error if the text is not an address */
export function recipientIn({ value }: Signal<string>): string {
  const address = addressOf(value);
  if (address === null) throw new Error('the recipient is no Starknet address');
  return address;
}

/** Returns a signal with the estimated fee, which is null until the fee is known. */
export function useFee(
  wallet: Wallet,
  { pool }: NoteCard,
  operation: 'withdraw' | 'private_swap',
): Signal<FeeTerms | null> {
  const fee = useSignal<FeeTerms | null>(null);
  useEffect(() => {
    // An error of this read is ignored, because the user's action will report the same error.
    wallet.feeOf(pool, operation).then(
      (terms) => (fee.value = terms),
      () => undefined,
    );
  }, [pool]);
  return fee;
}

/** Choices that override the guard's refusals of the last attempt, each separately. */
export function Overrides({
  card: { refusals, overrides },
}: Pick<ActionProps, 'card'>): JSX.Element {
  return (
    <>
      {refusals.value.map((refusal) => (
        <label key={refusal.code} class="choice">
          <input
            type="checkbox"
            checked={overrides.value.includes(refusal.code)}
            onInput={({ currentTarget: { checked } }) => {
              const others = overrides.value.filter((code) => code !== refusal.code);
              overrides.value = checked ? [...others, refusal.code] : others;
            }}
          />{' '}
          {overrideText(refusal)}
        </label>
      ))}
    </>
  );
}

export function Fee({
  terms,
  card: { pool },
}: {
  readonly terms: FeeTerms | null;
  readonly card: NoteCard;
}): JSX.Element | null {
  return terms === null ? null : (
    <span class="quiet small">
      Fee now: {inTokens(terms.now, pool.token)}, and {inTokens(terms.most, pool.token)} at most if
      the fee rises before the request.
    </span>
  );
}
