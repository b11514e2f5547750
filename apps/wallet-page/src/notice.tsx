import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { messageOf } from './words.js';

/** What has gone wrong. @param children what can be done about it */
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

/** Runs an action; what it throws is shown. Resolves, never rejects, when it has ended. */
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
