export interface Gate {
  /** Promise that resolves when the gate is opened. */
  readonly opened: Promise<void>;
  readonly open: () => void;
}

/** Creates a gate that blocks its waiters until a test opens it. */
export function gate(): Gate {
  let resolveOpened: (() => void) | null = null;
  const opened = new Promise<void>((resolve) => {
    resolveOpened = resolve;
  });
  return { opened, open: () => resolveOpened?.() };
}

/** Reports whether work has ended, without waiting for its end. */
export function watched(work: Promise<unknown>): {
  readonly ended: Promise<void>;
  readonly isOver: () => boolean;
} {
  let over = false;
  const wait = async (): Promise<void> => {
    await work;
    over = true;
  };
  return { ended: wait(), isOver: () => over };
}
