import type { Felt } from '@sotto/kernel';
import type { ChainChange, ChainEvents } from '@sotto/submission-core';
import type { Block, Inclusion } from './chain/chain.js';
import type { ChainWatcher } from './chain/network.js';
import type { OsProcess } from './os-process.js';
import type { Random, Streams } from './random.js';
import type { Scheduler } from './scheduler.js';
import type { Situations } from './situations.js';
import type { Story } from './story.js';

/** Probabilities of push faults per message, for all nodes of one run. */
export interface PushPlan {
  readonly lost: number;
  readonly late: number;
  readonly again: number;
  /** Number of bursts of false messages per minute. */
  readonly falseBurstsPerMinute: number;
}

/** Draws the push faults of a run. @returns null if no node pushes */
export function drawPushes(streams: Streams): PushPlan | null {
  const random = streams.of('push plan');
  if (random.chance(0.5)) return null;
  const orNone = (most: number): number => (random.chance(0.4) ? 0 : random.next() * most);
  return {
    lost: orNone(0.8),
    late: orNone(0.5),
    again: orNone(0.5),
    falseBurstsPerMinute: orNone(40),
  };
}

const SOON_MS = [5, 250] as const;
const LATE_MS = [1_000, 30_000] as const;
const MOST_AT_ONCE = 20;
const KINDS = ['transaction', 'head', 'rollback', 'gap'] as const satisfies readonly ChainChange[];

interface Subscription {
  readonly process: OsProcess;
  readonly lanes: ReadonlySet<Felt>;
  readonly changed: (change: ChainChange) => void;
}

/**
 * Pushes the nodes' messages to subscribed processes: true, late, repeated, lost or false messages.
 * Also forwards all chain events to a second watcher.
 */
export class Pushes implements ChainWatcher {
  /** True if every true message is pushed once and soon, and no false message is pushed. */
  isFair = false;
  readonly #random: Random;
  readonly #subscriptions = new Set<Subscription>();

  constructor(
    private readonly plan: PushPlan | null,
    private readonly watcher: ChainWatcher,
    private readonly deps: {
      readonly scheduler: Scheduler;
      readonly streams: Streams;
      readonly situations: Situations;
      readonly story: Story;
    },
  ) {
    this.#random = deps.streams.of('pushes');
  }

  /** Returns the port with which one process subscribes. */
  of(process: OsProcess): ChainEvents {
    return {
      subscribe: (lanes, changed) => {
        const subscription = { process, lanes: new Set(lanes), changed };
        this.#subscriptions.add(subscription);
        if (this.plan !== null) this.#say(subscription, 'gap');
        return () => void this.#subscriptions.delete(subscription);
      },
      status: () => [],
    };
  }

  /** Starts to push bursts of false messages. */
  start(): void {
    const { falseBurstsPerMinute } = this.plan ?? { falseBurstsPerMinute: 0 };
    if (falseBurstsPerMinute === 0) return;
    const random = this.deps.streams.of('false pushes');
    const next = (): void =>
      this.deps.scheduler.after(
        (-Math.log(1 - random.next()) * 60_000) / falseBurstsPerMinute,
        () => {
          if (this.isFair) return;
          this.#lie(random);
          next();
        },
      );
    next();
  }

  closed(block: Block): void {
    this.watcher.closed(block);
    this.#changed('head');
    this.#included(block.inclusions);
  }

  preConfirmed(inclusions: readonly Inclusion[]): void {
    this.watcher.preConfirmed(inclusions);
    this.#included(inclusions);
  }

  rolledBack(undone: readonly Inclusion[]): void {
    this.watcher.rolledBack(undone);
    this.#changed('rollback');
  }

  l1Undone(undone: readonly Inclusion[]): void {
    this.watcher.l1Undone(undone);
  }

  vanished(inclusions: readonly Inclusion[]): void {
    this.watcher.vanished(inclusions);
  }

  happened(text: () => string): void {
    this.watcher.happened(text);
  }

  #included(inclusions: readonly Inclusion[]): void {
    for (const { tx } of inclusions)
      this.#changed('transaction', ({ lanes }) => lanes.has(tx.account));
  }

  /**
   * Pushes a change to every matching subscription. A fault may lose, delay or repeat a message.
   */
  #changed(change: ChainChange, of: (to: Subscription) => boolean = () => true): void {
    if (this.plan === null) return;
    for (const subscription of this.#subscriptions)
      if (of(subscription)) this.#push(subscription, change);
  }

  #push(to: Subscription, change: ChainChange): void {
    const { situations } = this.deps;
    const { lost, late, again } = this.isFair || this.plan === null ? WELL : this.plan;
    if (this.#random.chance(lost)) return situations.saw('a pushed message was lost');
    const isLate = this.#random.chance(late);
    const times = this.#random.chance(again) ? 2 + this.#random.below(3) : 1;
    situations.saw(change === 'rollback' ? 'a rollback was pushed' : 'a pushed message was true');
    if (isLate) situations.saw('a pushed message came late');
    if (times > 1) situations.saw('a pushed message came again');
    const [soonest, latest] = isLate ? LATE_MS : SOON_MS;
    for (let time = 0; time < times; time += 1)
      this.deps.scheduler.after(this.#random.between(soonest, latest), () => this.#say(to, change));
  }

  #lie(random: Random): void {
    const subscriptions = [...this.#subscriptions].filter(({ process }) => !process.isDead);
    if (subscriptions.length === 0) return;
    const to = random.pick(subscriptions);
    const change = random.pick(KINDS);
    const times = random.chance(0.5) ? 1 : 1 + random.below(MOST_AT_ONCE);
    this.deps.situations.saw('a pushed message was false');
    this.deps.story.report(
      () => `${to.process.name} is pushed ${change} ${times} times for nothing`,
    );
    for (let time = 0; time < times; time += 1)
      this.deps.scheduler.after(random.between(0, 100), () => this.#say(to, change));
  }

  #say(to: Subscription, change: ChainChange): void {
    to.process.enter(() => {
      // A subscription that has ended receives no messages.
      if (this.#subscriptions.has(to)) to.changed(change);
    });
  }
}

const WELL = { lost: 0, late: 0, again: 0 } as const;
