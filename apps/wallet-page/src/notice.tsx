import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { messageOf } from './words.js';

/** Displays an error message. @param children elements that describe remedies */
export function Problem({
  text,
  children = null,
}: {
  readonly text: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="notice" role="alert">
      <p>That did not work: {text}</p>
      {children}
    </div>
  );
}

/** Runs an action and stores the message of a thrown error in `problem`. Never rejects. */
export async function attempt(
  problem: Signal<string | null>,
  action: () => Promise<void>,
): Promise<void> {
  problem.value = null;
  try {
    await action();
  } catch (error) {
    problem.value = messageOf(error);
  }
}
