import type { JourneyError } from './journey-error.js';

/**
 * Returns an emitter that drops an event if it equals the previous event. Errors are compared by
 * code.
 */
export function newsOnly<Event extends { readonly type: string; readonly error?: JourneyError }>(
  emit: (event: Event) => void,
): (event: Event) => void {
  let last = '';
  return (event) => {
    const { error, ...rest } = event;
    const text = JSON.stringify({ ...rest, code: error?.code });
    if (text !== last) emit(event);
    last = text;
  };
}
