import { useSignal } from '@preact/signals';
import { browserStorage } from '@sotto/wallet';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ActionForm } from './action-form.js';
import { Problem } from './notice.js';
import { areRight, askedOf, wordsOf, type Asked } from './seed-words.js';
import { STORAGE_NAME, seedIn } from './surroundings.js';

const CONFIRMED_KEY = 'development-page/seed-confirmed';
/** Number of words that the user must repeat. */
const WORDS_ASKED = 3;

interface Seed {
  readonly words: readonly string[];
  readonly asked: readonly Asked[];
}

/** Section with the words of the seed, some of which the user must repeat. */
export function SeedSection(): JSX.Element | null {
  const seed = useSignal<Seed | null>(null);
  const isConfirmed = useSignal(false);
  useEffect(() => {
    const storage = browserStorage(STORAGE_NAME);
    // An error of the storage is reported by the wallet, which reads the same seed.
    Promise.all([seedIn(storage), storage.read(CONFIRMED_KEY)]).then(
      ([bytes, confirmed]) => {
        const words = wordsOf(bytes);
        isConfirmed.value = confirmed !== undefined;
        seed.value = { words, asked: askedOf(words, WORDS_ASKED) };
        return undefined;
      },
      () => undefined,
    );
  }, []);
  if (seed.value === null) return null;
  const { words, asked } = seed.value;
  const confirm = async (): Promise<void> => {
    await browserStorage(STORAGE_NAME).replace(CONFIRMED_KEY, undefined, 'true');
    isConfirmed.value = true;
  };
  return (
    <section aria-labelledby="seed">
      <h2 id="seed">Seed words</h2>
      <p>
        {isConfirmed.value
          ? 'You have confirmed that you keep these words.'
          : 'Write these words down before you deposit. They alone find your notes again if this browser loses its data, and anyone who has them can spend your notes.'}
      </p>
      <details>
        <summary>Show the {words.length} words</summary>
        <p class="quiet small">
          The words encode the 32 bytes of the seed: they are BIP 39’s words for this entropy. Pass
          these bytes to <code>createWallet</code> to find the notes again.
        </p>
        <ol class="words">
          {words.map((word, index) => (
            <li key={index}>{word}</li>
          ))}
        </ol>
      </details>
      {isConfirmed.value ? null : <Confirmation asked={asked} onConfirmed={confirm} />}
    </section>
  );
}

function Confirmation({
  asked,
  onConfirmed,
}: {
  readonly asked: readonly Asked[];
  readonly onConfirmed: () => Promise<void>;
}): JSX.Element {
  const typed = useSignal<readonly string[]>(asked.map(() => ''));
  const problem = useSignal<string | null>(null);
  const check = async (): Promise<void> => {
    if (!areRight(asked, typed.value)) throw new Error('these are other words than above');
    await onConfirmed();
  };
  const fields = asked.map(({ number }, index) => (
    <label key={number}>
      Word {number}
      <input
        value={typed.value[index] ?? ''}
        required
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        onInput={({ currentTarget: { value } }) => (typed.value = typed.value.with(index, value))}
      />
    </label>
  ));
  return (
    <>
      <ActionForm name="Confirm the words" action={check} problem={problem} fields={fields} />
      {problem.value === null ? null : <Problem text={problem.value} />}
    </>
  );
}
