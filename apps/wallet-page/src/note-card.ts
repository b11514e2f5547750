import { signal } from '@preact/signals';
import type { Note, ShieldedPool } from '@sotto/wallet';
import type { NoteState } from './note-state.js';
import { withEvent, type NoteEvent, type Step, type Undertaking } from './timeline.js';

export interface Token {
  readonly symbol: string;
  /** 0x hex. */
  readonly address: string;
  readonly decimals: number;
}

/** Pool that the wallet may use. */
export interface PoolInUse {
  readonly key: string;
  readonly view: ShieldedPool;
  readonly token: Token;
  /** True if private swaps start from it. */
  readonly swaps: boolean;
  /** Amount of each deposit, in the token's smallest unit. */
  readonly amount: bigint;
}

/** State of a note after an event; other events do not change it. */
const STATE_AFTER: Partial<Record<NoteEvent['type'], NoteState>> = {
  deposited: 'waiting',
  active: 'active',
  settled: 'withdrawn',
};

/** Note as shown on the page. */
export class NoteCard {
  readonly steps = signal<readonly Step[]>([]);
  readonly state = signal<NoteState>('depositing');
  /** Balance of the recipient afterwards, in the token's smallest unit. */
  readonly paid = signal<{ readonly amount: bigint; readonly token: Token } | null>(null);
  /** Message for the user about an error outside of the timeline. */
  readonly problem = signal<string | null>(null);
  /** True while work in this tab passes its events to {@link take}. */
  readonly isFollowed = signal(false);
  /** Stops following the deposit. */
  stopWaiting: AbortController | undefined;
  #turn = 0;

  constructor(
    readonly pool: PoolInUse,
    readonly note: Note,
  ) {}

  /**
   * Starts to follow new work.
   * @returns a function that is true until other work is followed
   */
  nextTurn(): () => boolean {
    this.isFollowed.value = true;
    this.#turn += 1;
    const turn = this.#turn;
    return () => turn === this.#turn;
  }

  take(event: NoteEvent, of: Undertaking): void {
    this.steps.value = withEvent(this.steps.value, event, of, new Date());
    this.state.value = STATE_AFTER[event.type] ?? this.state.value;
  }
}
