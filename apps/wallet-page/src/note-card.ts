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

/** A pool that the wallet may use. */
export interface PoolInUse {
  readonly key: string;
  readonly view: ShieldedPool;
  readonly token: Token;
  /** Whether private swaps start from it. */
  readonly swaps: boolean;
  /** What each deposit is worth, in the token's smallest unit. */
  readonly amount: bigint;
}

/** What events say of the note as they come; others leave it as it is. */
const STATE_AFTER: Partial<Record<NoteEvent['type'], NoteState>> = {
  deposited: 'waiting',
  active: 'active',
  settled: 'withdrawn',
};

/** A note as the page shows it. */
export class NoteCard {
  readonly steps = signal<readonly Step[]>([]);
  readonly state = signal<NoteState>('depositing');
  /** What the recipient holds afterwards, in the token's smallest unit. */
  readonly paid = signal<{ readonly amount: bigint; readonly token: Token } | null>(null);
  /** What went wrong outside of the timeline, for people. */
  readonly problem = signal<string | null>(null);
  /** Whether something is under way in this tab, of which {@link take} is to hear. */
  readonly isFollowed = signal(false);
  /** Ends what follows the deposit. */
  stopWaiting: AbortController | undefined;
  #turn = 0;

  constructor(
    readonly pool: PoolInUse,
    readonly note: Note,
  ) {}

  /**
   * Begins to follow something.
   * @returns whether it is still what was followed last
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
