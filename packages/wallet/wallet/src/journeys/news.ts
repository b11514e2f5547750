import type { JourneyError } from './journey-error.js';

/**
 * Returns an emitter that drops an event if it equals the previous event. Errors are compared by
 * code, also those in the events of an inner journey: a cause is foreign and may have any value.
 */
export function newsOnly<Event extends { readonly type: string; readonly error?: JourneyError }>(
  emit: (event: Event) => void,
): (event: Event) => void {
  let last = '';
  return (event) => {
    const text = JSON.stringify(event, (name, value: unknown) =>
      name === 'error' ? { code: Object(value).code } : value,
    );
    if (text !== last) emit(event);
    last = text;
  };
}
