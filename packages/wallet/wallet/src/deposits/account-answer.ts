import { unlessAborted } from '../journeys/sleep.js';

/**
 * Timeout in ms of one request to the account, which includes the time in which its owner decides.
 */
export const ACCOUNT_TIMEOUT_MS = 300_000;

/** Code of USER_REFUSED_OP in the wallet API of Starknet. */
const USER_REFUSED_OP = 113;

/** Outcome of a request to the account, which is foreign code. */
export type AccountAnswer<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** The owner declined, as the wallet API reports it. */
  | { readonly kind: 'refused'; readonly cause: unknown }
  /** The request failed. It may have been carried out. */
  | { readonly kind: 'failed'; readonly cause: unknown }
  /** The account did not answer in time. It may carry the request out later. */
  | { readonly kind: 'silent' };

/**
 * Sends a request to the account and returns its outcome. An answer after the timeout is dropped.
 * @param request sends the request and parses the answer
 * @throws the signal's reason when the signal aborts
 */
export async function askAccount<T>(
  signal: AbortSignal,
  request: () => Promise<T>,
): Promise<AccountAnswer<T>> {
  const answer = outcomeOf(request);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<AccountAnswer<T>>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'silent' }), ACCOUNT_TIMEOUT_MS);
  });
  try {
    return await unlessAborted(signal, Promise.race([answer, silence]));
  } finally {
    clearTimeout(timer);
  }
}

async function outcomeOf<T>(request: () => Promise<T>): Promise<AccountAnswer<T>> {
  try {
    return { kind: 'answered', value: await request() };
  } catch (cause) {
    return { kind: isRefusal(cause) ? 'refused' : 'failed', cause };
  }
}

/**
 * Returns true only for a refusal by the owner that the wallet API specifies. Texts such as `User
 * abort` are no evidence, because wallets also use them for failures after the owner agreed.
 */
function isRefusal(error: unknown): boolean {
  const { code, cause }: { code?: unknown; cause?: unknown } = Object(error);
  const { code: innerCode }: { code?: unknown } = Object(cause);
  return code === USER_REFUSED_OP || innerCode === USER_REFUSED_OP;
}
