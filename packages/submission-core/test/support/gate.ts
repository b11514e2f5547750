export interface Gate {
  /** Resolves when the gate is opened. */
  readonly opened: Promise<void>;
  readonly open: () => void;
}

/** Something to wait for until a test opens it. */
export function gate(): Gate {
  let resolveOpened: (() => void) | null = null;
  const opened = new Promise<void>((resolve) => {
    resolveOpened = resolve;
  });
  return { opened, open: () => resolveOpened?.() };
}
