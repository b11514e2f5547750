export interface Gate {
  /** Resolves when the gate is opened. */
  readonly opened: Promise<void>;
  readonly open: () => void;
}

/** Blocks its waiters until a test opens it. */
export function gate(): Gate {
  let resolveOpened: (() => void) | null = null;
  const opened = new Promise<void>((resolve) => {
    resolveOpened = resolve;
  });
  return { opened, open: () => resolveOpened?.() };
}

/** Observes whether work has ended, without waiting for it. */
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
