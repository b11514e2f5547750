import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren, JSX, TargetedSubmitEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { attempt } from './notice.js';

interface ActionFormProps {
  /** Label of the button. */
  readonly name: string;
  /**
   * Called when the form is submitted, unless a call is still running. A thrown error is displayed
   * as the problem.
   */
  readonly action: () => Promise<void>;
  readonly problem: Signal<string | null>;
  /** Content in front of the button. */
  readonly fields?: ComponentChildren;
  /** Content after the button. */
  readonly children?: ComponentChildren;
}

/**
 * A form with a button. If the form is removed while it contains the focus, the focus moves to the
 * card's heading.
 */
export function ActionForm({
  name,
  action,
  problem,
  fields = null,
  children = null,
}: ActionFormProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const isRunning = useSignal(false);
  // The cleanup of a layout effect runs while the form still exists; the cleanup of other effects
  // runs later.
  useLayoutEffect(() => {
    const mounted = form.current;
    return () => {
      if (mounted?.contains(document.activeElement) === true)
        mounted.closest('.card')?.querySelector('h3')?.focus();
    };
  }, []);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isRunning.value) return;
    isRunning.value = true;
    void attempt(problem, action).then(() => (isRunning.value = false));
  };
  return (
    <form ref={form} onSubmit={submit}>
      {fields}
      <button type="submit" aria-disabled={isRunning}>
        {name}
      </button>
      {children}
    </form>
  );
}
