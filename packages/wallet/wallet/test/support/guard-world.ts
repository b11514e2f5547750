import {
  createNote,
  Withdrawal,
  type Note,
  type WithdrawalEvent,
  type WithdrawalOptions,
} from '../../src/advanced.js';
import { FakeChain, FakePool, FakeProver, FakeRelayer } from '../../src/testing/index.js';
import { MemoryStorage } from './memory-storage.js';
import { readAll } from './read-all.js';
import { passTime } from './virtual-time.js';

export const RECIPIENT = '0x7cafe00000000000000000000000000000000000000000000000000000cafe';
export const DEPOSITOR = '0x7de9051700000000000000000000000000000000000000000000000000de905';
/** Time in ms that a fake deposit needs until it is ACCEPTED_ON_L2. */
const ACCEPTED_MS = 8_000;

/** Fake environment of a wallet whose withdrawals the guard checks. */
export class GuardWorld {
  readonly chain = new FakeChain();
  readonly storage = new MemoryStorage();
  readonly relayer = new FakeRelayer(this.chain);
  readonly prover = new FakeProver();

  /** Seeds a batch of old deposits, and returns the first of its notes. */
  seed(size = 3): Note {
    const notes = Array.from({ length: size }, () => createNote());
    this.chain.seed(notes.map(({ commitment }) => commitment));
    const [note] = notes;
    if (note === undefined) throw new Error('a batch has at least one note');
    return note;
  }

  /** Deposits a batch now, and returns the first of its notes and the time of its block. */
  async deposit(size = 3): Promise<{ readonly note: Note; readonly atMs: number }> {
    const notes = Array.from({ length: size }, () => createNote());
    for (const { commitment } of notes) this.chain.deposit(commitment);
    const atMs = Date.now() + ACCEPTED_MS;
    await passTime(new Promise((resolve) => setTimeout(resolve, ACCEPTED_MS)));
    this.chain.deployBatch();
    const [note] = notes;
    if (note === undefined) throw new Error('a batch has at least one note');
    return { note, atMs };
  }

  means() {
    return {
      pool: new FakePool(this.chain),
      prover: this.prover,
      relayers: [this.relayer.relayer],
      locks: null,
    };
  }

  begin(note: Note, changes: Partial<WithdrawalOptions> = {}): Withdrawal {
    const terms = { recipient: RECIPIENT, maxFee: 100n, storage: this.storage };
    return Withdrawal.begin({ note, ...this.means(), ...terms, ...changes });
  }

  /** Runs a withdrawal to its end, and returns the last event. */
  async end(note: Note, changes: Partial<WithdrawalOptions> = {}): Promise<WithdrawalEvent> {
    return lastOf(this.begin(note, changes));
  }

  /** Stores the record of a deposit of this note by this wallet. */
  async recordDeposit(note: Note, depositor = DEPOSITOR, begunAtMs = 0): Promise<void> {
    const entry = {
      state: 'active',
      chainId: this.chain.chainId,
      pool: this.chain.pool,
      commitment: `0x${note.commitment.toString(16)}`,
      depositor,
      begunAtMs,
    };
    const text = JSON.stringify({ format: 1, revision: 0, lease: null, entry });
    await this.storage.replace(`sotto/deposit/${note.commitment}`, undefined, text);
  }

  get paid(): number {
    return this.chain.paymentsTo(BigInt(RECIPIENT));
  }
}

export async function lastOf(withdrawal: Withdrawal): Promise<WithdrawalEvent> {
  const events = await passTime(readAll(withdrawal.events()), 100_000_000);
  const last = events.at(-1);
  if (last === undefined) throw new Error('the withdrawal has reported nothing');
  return last;
}

/** Returns the guard's codes of a failed withdrawal; the type of any other event. */
export function codesIn(event: WithdrawalEvent): readonly string[] {
  if (event.type !== 'failed') return [event.type];
  return event.error.refusals?.map(({ code }) => code) ?? [event.error.code];
}
