import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren, JSX, TargetedSubmitEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { attempt } from './notice.js';

interface ActionFormProps {
  /** What its button says. */
  readonly name: string;
  /** Runs once at a time; what it throws is shown as the problem. */
  readonly action: () => Promise<void>;
  readonly problem: Signal<string | null>;
  /** Before the button. */
  readonly fields?: ComponentChildren;
  /** Behind it. */
  readonly children?: ComponentChildren;
}

/** A button with its fields. When it goes, a reader who was in it is left at the card's heading. */
export function ActionForm({
  name,
  action,
  problem,
  fields = null,
  children = null,
}: ActionFormProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const isRunning = useSignal(false);
  // Others are cleaned up when the form is gone already.
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
