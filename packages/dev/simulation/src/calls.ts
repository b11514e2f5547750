import { LedgerUnavailable } from '@sotto/submission-core';
import { FakeNodeDown } from '@sotto/submission-core/testing';
import type { SendFate } from './chain/network.js';
import type { OsProcess } from './os-process.js';
import type { Random, Streams } from './random.js';
import type { Scheduler } from './scheduler.js';
import { CALL_FAULTS, type CallFault, type Weather } from './weather.js';

export type PortClass = 'ledger' | 'read' | 'send' | 'sign' | 'domain';

/** Delays and fault of one call from a process to the simulated world (ledger, nodes, signer). */
interface CallPlan {
  readonly beforeMs: number;
  readonly afterMs: number;
  readonly fault: CallFault | null;
  readonly fate: SendFate;
}

const AIMED_READS = 2;
const LATE_REJECTIONS_ABOVE = 0.65;

/** Minimum and maximum duration of a call without a fault, in milliseconds. */
const USUAL: Readonly<Record<PortClass, readonly [number, number]>> = {
  ledger: [0.1, 3],
  read: [5, 120],
  send: [20, 300],
  sign: [0.1, 4],
  domain: [2, 60],
};
/** Minimum and maximum duration of a slow call, in milliseconds. */
const SLOW: Readonly<Record<PortClass, readonly [number, number]>> = {
  ledger: [50, 4_000],
  read: [500, 20_000],
  send: [500, 40_000],
  sign: [100, 3_000],
  domain: [500, 10_000],
};
const FAULTS: Readonly<Record<PortClass, readonly CallFault[]>> = {
  ledger: ['ledger slow', 'ledger fails before', 'ledger fails after'],
  read: ['read slow', 'read fails', 'read never answered'],
  send: ['send slow', 'send lost', 'send answer lost', 'send arrives later', 'send refused'],
  sign: ['signer slow'],
  domain: ['admission fails'],
};
const FATES: Partial<Record<CallFault, SendFate>> = {
  'send lost': 'lost',
  'send answer lost': 'answer lost',
  'send arrives later': 'arrives later',
  'send refused': 'refused',
};

/** Observer of the effects of all calls, in the sequence in which they happen. */
export interface CallObserver {
  called(process: OsProcess, name: string, args: readonly unknown[]): void;
  answered(process: OsProcess, name: string, args: readonly unknown[], answer: unknown): void;
  failed(process: OsProcess, name: string, args: readonly unknown[], error: unknown): void;
  faulty(id: string, fault: CallFault, process: OsProcess): void;
  died(process: OsProcess): void;
}

/**
 * Proxy between processes and the simulated world. Each call consists of two events: its effect and
 * its answer. Either event may be late, fail or never happen.
 */
export class Calls {
  isFair = false;
  /** Number of the next reads that are likely to be slow. The key is the name of the process. */
  readonly #aimedAt = new Map<string, number>();
  /** Names of processes whose next rejected send gets its answer late. */
  readonly #refusesLate = new Set<string>();
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly streams: Streams,
    private readonly weather: Weather,
    /** Ids of calls that have no fault in this run, even if a fault was drawn for them. */
    private readonly spared: ReadonlySet<string>,
    private readonly observer: CallObserver,
    private readonly options: {
      readonly rejectionsLie: boolean;
      readonly rejectionsAreLate: boolean;
    },
  ) {}

  /** Wraps a port for one process, so that its calls are delayed and can fail. */
  through<Port extends object>(
    process: OsProcess,
    portName: string,
    portClass: PortClass,
    port: Port,
  ): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || typeof name !== 'string') return member;
        return (...args: unknown[]) =>
          this.#call(process, `${portName}.${name}`, portClass, args, (...all) =>
            Reflect.apply(member, target, all),
          );
      },
    });
  }

  /**
   * Wraps a port that is used inside a call through another port. Calls of the wrapped port are
   * part of the same step, but are still observed.
   */
  within<Port extends object>(process: OsProcess, portName: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, member) => {
        const method: unknown = Reflect.get(target, member);
        if (typeof method !== 'function' || typeof member !== 'string') return method;
        return async (...args: unknown[]): Promise<unknown> => {
          const name = `${portName}.${member}`;
          this.observer.called(process, name, args);
          const answer: unknown = await Reflect.apply(method, target, args);
          this.observer.answered(process, name, args, answer);
          return answer;
        };
      },
    });
  }

  /**
   * Makes the next reads of this process likely to be slow, if this run has slow reads. If this run
   * has late rejections, the rejection of a replacement that was just stored is also delayed, so
   * that the replaced transaction may land before the rejection arrives.
   */
  aim({ name }: OsProcess, isReplacement: boolean): void {
    if (isReplacement && this.options.rejectionsAreLate) this.#refusesLate.add(name);
    if (this.weather['read slow'] > 0) this.#aimedAt.set(name, AIMED_READS);
  }

  #call(
    process: OsProcess,
    name: string,
    portClass: PortClass,
    args: unknown[],
    act: (...args: unknown[]) => unknown,
  ): Promise<unknown> {
    const stream = this.streams.of(`calls/${process.name}/${name}`);
    const count = (this.#counts.get(`${process.name}/${name}`) ?? 0) + 1;
    this.#counts.set(`${process.name}/${name}`, count);
    const id = `${process.name}/${name}#${count}`;
    const plan = this.#plan(id, portClass, stream, process);
    this.observer.called(process, name, args);
    return new Promise((resolve, reject) => {
      this.scheduler.after(plan.beforeMs, async () => {
        const dies = this.#countDown(process);
        if (process.isDead && !(portClass === 'send' && stream.chance(0.5))) return;
        if (dies === 'before') return this.#die(process);
        const answer = await this.#effect(process, name, portClass, plan, args, act, stream);
        if (dies === 'after') return this.#die(process);
        if (plan.fault === 'read never answered') return;
        const enter = (): void =>
          process.enter(() => ('value' in answer ? resolve(answer.value) : reject(answer.error)));
        if (plan.afterMs === 0) enter();
        else this.scheduler.after(plan.afterMs, enter);
      });
    });
  }

  async #effect(
    process: OsProcess,
    name: string,
    portClass: PortClass,
    { fault, fate }: CallPlan,
    args: unknown[],
    act: (...args: unknown[]) => unknown,
    stream: Random,
  ): Promise<{ readonly value: unknown } | { readonly error: unknown }> {
    if (fault === 'ledger fails before')
      return { error: new LedgerUnavailable({ message: 'the store is unavailable' }) };
    if (fault === 'read fails' || fault === 'admission fails')
      return { error: new FakeNodeDown('the node is unavailable') };
    try {
      const value = await (portClass === 'send' ? act(...args, fate, stream) : act(...args));
      this.observer.answered(process, name, args, value);
      return fault === 'ledger fails after'
        ? { error: new LedgerUnavailable({ message: 'the answer of the store was lost' }) }
        : { value };
    } catch (error) {
      this.observer.failed(process, name, args, error);
      return { error };
    }
  }

  #plan(id: string, portClass: PortClass, stream: Random, process: OsProcess): CallPlan {
    // Every call draws the same number of random values. So if a fault of one call is removed, the
    // other calls do not change.
    const dice = stream.next();
    const split = stream.next();
    const length = stream.next();
    const refusesLate = portClass === 'send' && this.#refusesLate.delete(process.name);
    const isAimed = portClass === 'read' && this.#isAimed(process, dice);
    const drawn = refusesLate
      ? 'send refused'
      : isAimed
        ? 'read slow'
        : this.#faultBy(dice, portClass);
    const fault = this.isFair || this.spared.has(id) ? null : drawn;
    if (fault !== null) this.observer.faulty(id, fault, process);
    // A late rejection arrives after other writes have changed the rows.
    const isSlow =
      fault !== null &&
      (fault.endsWith('slow') ||
        (fault === 'send refused' &&
          (refusesLate ||
            (this.options.rejectionsAreLate ? split < 0.5 : length > LATE_REJECTIONS_ABOVE))));
    const [shortest, longest] = (isSlow ? SLOW : USUAL)[portClass];
    const ms = shortest + length * (longest - shortest);
    const fate = (fault === null ? undefined : FATES[fault]) ?? 'answered';
    const lies = fate === 'refused' && this.options.rejectionsLie && split < 0.5;
    // Share of a slow call's delay that passes before the call's effect: all of it, none of it, or
    // a part.
    const share = isSlow
      ? split < 0.35
        ? 1
        : split < 0.7
          ? 0
          : split
      : portClass === 'ledger' || portClass === 'sign'
        ? 1
        : split;
    return {
      beforeMs: ms * share,
      afterMs: ms * (1 - share),
      fault,
      fate: lies ? 'refused and kept' : fate,
    };
  }

  #isAimed({ name }: OsProcess, dice: number): boolean {
    const left = this.#aimedAt.get(name) ?? 0;
    if (left === 0) return false;
    this.#aimedAt.set(name, left - 1);
    return dice < 0.8;
  }

  #faultBy(dice: number, portClass: PortClass): CallFault | null {
    let left = dice;
    for (const fault of FAULTS[portClass]) {
      left -= CALL_FAULTS[fault] * this.weather[fault];
      if (left < 0) return fault;
    }
    return null;
  }

  #countDown(process: OsProcess): 'before' | 'after' | null {
    const { callsLeft } = process;
    if (callsLeft === null || process.isDead) return null;
    callsLeft.count -= 1;
    if (callsLeft.count > 0) return null;
    return callsLeft.takesEffect ? 'after' : 'before';
  }

  #die(process: OsProcess): void {
    if (process.isDead) return;
    process.kill();
    this.observer.died(process);
  }
}
