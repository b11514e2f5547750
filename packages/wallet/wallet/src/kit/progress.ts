/** Minimum time in ms between two progress events. */
const PROGRESS_MS = 100;

/**
 * Returns an emitter that delays progress events, so that at most ten of them are emitted per
 * second. The latest one replaces a delayed one. Another event drops a delayed one.
 */
export function withFewProgressEvents<Event>(
  emit: (event: Event) => void,
  isProgress: (event: Event) => boolean,
): (event: Event) => void {
  let lastMs = -Infinity;
  let delayed: { timer: ReturnType<typeof setTimeout>; event: Event } | undefined;
  const drop = (): void => {
    clearTimeout(delayed?.timer);
    delayed = undefined;
  };
  const emitNow = (event: Event): void => {
    drop();
    lastMs = performance.now();
    emit(event);
  };
  return (event) => {
    if (!isProgress(event)) {
      drop();
      emit(event);
      return;
    }
    const waitMs = lastMs + PROGRESS_MS - performance.now();
    if (waitMs <= 0) return emitNow(event);
    if (delayed !== undefined) {
      delayed.event = event;
      return;
    }
    const timer = setTimeout(() => delayed && emitNow(delayed.event), waitMs);
    delayed = { timer, event };
  };
}
