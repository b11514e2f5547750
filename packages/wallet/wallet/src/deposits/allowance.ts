import { WalletError } from '../errors.js';
import { within } from '../journeys/sleep.js';
import type { NodeReader } from '../node/node-reader.js';
import { u256Of } from '../pools/pool-state.js';

/** Allowance that a deposit needs: of an account, for a pool, in an ERC-20 token. */
export interface AllowanceName {
  /** Address of the ERC-20 token as 0x hex. */
  readonly token: string;
  /** Address of the account as 0x hex. */
  readonly owner: string;
  /** Address of the pool as 0x hex. */
  readonly spender: string;
}

/** State of an account in one block that is ACCEPTED_ON_L2. */
export interface AccountState {
  /** Allowance in the ERC-20 token's smallest unit. */
  readonly allowance: bigint;
  /** Nonce of the account; undefined if it was not requested. */
  readonly nonce: bigint | undefined;
}

/** Timeout in ms of one read, because a caller's own node reader may have no timeout. */
const READ_TIMEOUT_MS = 30_000;

/**
 * Reads allowance and nonce in the state of one block. Two reads of the latest block could be
 * answered by two nodes with different latest blocks.
 * @throws the errors of {@link NodeReader}, NODE_UNREACHABLE for any other failure of the reader,
 *   and the signal's reason when the signal aborts
 */
export async function readAccount(
  node: NodeReader,
  { token, owner, spender }: AllowanceName,
  { withNonce, signal }: { readonly withNonce: boolean; readonly signal: AbortSignal },
): Promise<AccountState> {
  return answered(signal, async (inTime) => {
    const head = await node.block('latest', inTime);
    if (head === undefined)
      throw new WalletError('NODE_MALFORMED_ANSWER', 'the node shows a chain without blocks');
    const { hash: blockHash } = head;
    const view = {
      contract: token,
      entrypoint: 'allowance',
      calldata: [BigInt(owner), BigInt(spender)],
      blockHash,
    };
    const [felts, nonce] = await Promise.all([
      node.call(view, inTime),
      withNonce ? node.nonce?.({ account: owner, at: { blockHash } }, inTime) : undefined,
    ]);
    if (felts.length !== 2)
      throw new WalletError(
        'NODE_MALFORMED_ANSWER',
        'the node answers an allowance that is no u256',
      );
    return { allowance: u256Of(felts), nonce };
  });
}

/**
 * Reads the account's nonce with all transactions that the node knows to be executed, even if they
 * are in no accepted block yet.
 * @returns undefined if the reader can't read it
 * @throws the signal's reason when the signal aborts
 */
export async function readNextNonce(
  node: NodeReader,
  account: string,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  if (node.nonce === undefined) return undefined;
  try {
    return await answered(signal, async (inTime) =>
      node.nonce?.({ account, at: 'pre_confirmed' }, inTime),
    );
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

async function answered<T>(
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await within(READ_TIMEOUT_MS, signal, read);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof WalletError) throw cause;
    throw new WalletError('NODE_UNREACHABLE', 'the node does not answer', { cause });
  }
}
