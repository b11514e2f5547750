import { Revert, type CallContext } from '../engine/contract.js';
import { Arguments } from './calldata.js';
import { mapEntry, slotAt } from './privacy-pool-storage.js';

/** Deposit that an invoked contract makes into an open note. */
export interface OpenNoteDeposit {
  readonly note: bigint;
  readonly token: bigint;
  readonly amount: bigint;
}

/** Deposits that an invoked contract returned, and the addresses behind them if it named any. */
export interface InvokeResult {
  readonly deposits: readonly OpenNoteDeposit[];
  readonly addresses: readonly bigint[] | undefined;
}

const AMOUNT_BITS = 128n;
const AMOUNT_MASK = (1n << AMOUNT_BITS) - 1n;
/** Salt of open notes, which is stored above the amount. */
const OPEN_NOTE_SALT = 1n;
/** Stored value of an open note without a deposit. */
export const OPEN_NOTE_VALUE = OPEN_NOTE_SALT << AMOUNT_BITS;

/** Reads the felts that an invoked contract returned. @throws Revert for another format */
export function readDeposits(result: readonly bigint[]): InvokeResult {
  const args = new Arguments(result);
  const deposits = reading('INVALID_INVOKE_RETURN_DATA', () =>
    args.array(() => ({ note: args.felt(), token: args.address(), amount: args.u128() })),
  );
  if (args.position === result.length) return { deposits, addresses: undefined };
  const addresses = reading('INVALID_ASSOCIATED_ADDRESSES', () => args.array(() => args.address()));
  reading('INVALID_INVOKE_RETURN_DATA', () => {
    args.end();
  });
  return { deposits, addresses };
}

/**
 * Stores each deposit in its open note, and returns it so that the pool can collect the tokens.
 * @throws Revert if a note is unknown, not open, already filled, or of another token
 */
export function* depositIntoOpenNotes(
  context: CallContext,
  deposits: readonly OpenNoteDeposit[],
): Generator<OpenNoteDeposit> {
  for (const deposit of deposits) {
    const { note, token, amount } = deposit;
    if (token === 0n) throw new Revert('ZERO_TOKEN');
    if (amount === 0n) throw new Revert('ZERO_AMOUNT');
    const entry = mapEntry('notes', note);
    const packed = context.get(slotAt(entry));
    if (packed === 0n) throw new Revert('NOTE_NOT_FOUND');
    if (packed >> AMOUNT_BITS !== OPEN_NOTE_SALT) throw new Revert('NOTE_NOT_OPEN');
    if ((packed & AMOUNT_MASK) !== 0n) throw new Revert('NOTE_ALREADY_DEPOSITED');
    if (context.get(slotAt(entry, 1)) !== token) throw new Revert('TOKEN_MISMATCH');
    context.set(slotAt(entry), OPEN_NOTE_VALUE + amount);
    yield deposit;
  }
}

function reading<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Revert ? new Revert(text) : error;
  }
}
