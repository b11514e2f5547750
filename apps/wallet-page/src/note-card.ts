import { signal } from '@preact/signals';
import type { GuardCode, GuardRefusal, Note, ShieldedPool } from '@sotto/wallet/advanced';
import type { NoteState } from './note-state.js';
import { withEvent, type NoteEvent, type Step, type Undertaking } from './timeline.js';

export interface Token {
  readonly symbol: string;
  /** Contract address in 0x hex. */
  readonly address: string;
  readonly decimals: number;
}

/** A pool in which the wallet can deposit. */
export interface PoolInUse {
  readonly key: string;
  readonly view: ShieldedPool;
  readonly token: Token;
  /** True if notes of this pool can be swapped privately. */
  readonly swaps: boolean;
  /** Amount of each deposit, in the ERC-20 token's smallest unit. */
  readonly amount: bigint;
}

/** State of a note after an event of this type. Events of other types do not change the state. */
const STATE_AFTER: Partial<Record<NoteEvent['type'], NoteState>> = {
  deposited: 'waiting',
  active: 'active',
  settled: 'withdrawn',
};

/** A note as the page displays it. */
export class NoteCard {
  readonly steps = signal<readonly Step[]>([]);
  readonly state = signal<NoteState>('depositing');
  /** Balance of the recipient after the payment, in the ERC-20 token's smallest unit. */
  readonly paid = signal<{ readonly amount: bigint; readonly token: Token } | null>(null);
  /** Message for the user about an error that is not in the timeline. */
  readonly problem = signal<string | null>(null);
  /** Refusals by the guard of the last withdrawal or swap. */
  readonly refusals = signal<readonly GuardRefusal[]>([]);
  /** Refusals that the user overrides at the next withdrawal or swap. */
  readonly overrides = signal<readonly GuardCode[]>([]);
  /** True while an operation of this tab passes its events to {@link take}. */
  readonly isFollowed = signal(false);
  /** Aborts the wait of the running deposit for the deployment of its batch. */
  stopWaiting: AbortController | undefined;
  #turn = 0;

  constructor(
    readonly pool: PoolInUse,
    readonly note: Note,
  ) {}

  /**
   * Starts to follow a new operation on the note.
   * @returns a function that returns true until the card follows another operation
   */
  nextTurn(): () => boolean {
    this.isFollowed.value = true;
    this.#turn += 1;
    const turn = this.#turn;
    return () => turn === this.#turn;
  }

  take(event: NoteEvent, of: Undertaking): void {
    if (event.type === 'failed') this.refusals.value = event.error.refusals ?? [];
    this.steps.value = withEvent(this.steps.value, event, of, new Date());
    this.state.value = STATE_AFTER[event.type] ?? this.state.value;
  }
}
