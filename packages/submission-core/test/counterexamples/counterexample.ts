import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import { decide, type Decision, type Ledger, type SubmissionEvent, type SubmissionSettings, type View } from '../../src/index.js';
import { FakeChain, InMemoryLedger } from '../../src/testing/index.js';
import { brokenIn, heal, unsettled } from '../support/judge.js';
import { LANE, World } from '../unit/world.js';

export type Machine = (event: SubmissionEvent, view: View) => Decision;

/** What is put in the place of a rule of the design: everything else is the real machine. */
interface Naive {
  readonly decide?: Machine;
  /** False: the database's constraints are switched off with the rule, or they would hold the property alone. @default true */
  readonly constraints?: boolean;
  /** What the machine sees of the node, and the node of it. */
  readonly chain?: new () => FakeChain;
  readonly ledger?: (ledger: Ledger) => Ledger;
  readonly settings?: Partial<SubmissionSettings>;
  /** Whoever answers callers tells them what the node has answered, before its write is known. @default false */
  readonly tellsFromHand?: boolean;
}

/** The stage that a trace is played on. */
interface Stage {
  readonly world: World;
  /** The first ledger's machine, to write events by hand as any worker of any instance could. */
  readonly ledger: Ledger;
  readonly tellsFromHand: boolean;
  /** Another process on the same ledger and chain. */
  readonly another: (change?: Partial<SubmissionSettings>) => Promise<World>;
  /** Judges the world as it stands now. */
  readonly look: () => Promise<void>;
  /** A caller has heard that this attempt was refused. */
  readonly tell: (attempt: string) => void;
}

export interface Counterexample {
  /** Letter and text of `model/counterexamples.md`. */
  readonly name: string;
  /** What the design has for it. @default the real machine as it is */
  readonly rule?: Naive;
  readonly without: Naive;
  readonly breaks: 'S1' | 'S2' | 'S3' | 'S4' | 'S5' | 'L';
  /** False: the engine stands still, and the trace writes events by hand. @default true */
  readonly engine?: boolean;
  readonly lanes?: SubmissionSettings['lanes'];
  readonly play: (stage: Stage) => Promise<void>;
}

/** The same trace twice: with the rule no property breaks and everything settles; without it the model's property is lost. */
export function counterexample(example: Counterexample): void {
  const { name, rule = {}, without, breaks } = example;
  describe(`counterexample ${name}`, () => {
    it('loses nothing with the rule', async () => {
      expect(await broken(example, rule)).toEqual([]);
    });
    it(`breaks ${breaks} without it`, async () => {
      expect((await broken(example, without)).map((text) => text.slice(0, breaks.length))).toContain(breaks);
    });
  });
}

async function broken(
  { play, engine = true, lanes = [{ address: LANE, role: 'relay' }] }: Counterexample,
  naive: Naive,
): Promise<string[]> {
  const clock = new ManualClock();
  const real = new InMemoryLedger({ clock, decide: naive.decide ?? decide, constraints: naive.constraints ?? true });
  const ledger = naive.ledger?.(real) ?? real;
  const world = new World({ lanes, ...naive.settings }, { clock, chain: new (naive.chain ?? FakeChain)(), ledger });
  const worlds = [world];
  const addresses = lanes.map(({ address }) => address);
  const bad = new Set<string>();
  let told = '';
  const look = async (): Promise<void> => {
    for (const text of await brokenIn(world, { lanes: addresses, told })) bad.add(text);
  };
  const another = async (change: Partial<SubmissionSettings> = {}): Promise<World> => {
    const next = world.restarted({ lanes, ...naive.settings, ...change });
    worlds.push(next);
    await next.engine.start();
    return next;
  };
  const tell = (attempt: string): void => void (told = attempt);
  if (engine) await world.engine.start();
  try {
    await play({ world, ledger, tellsFromHand: naive.tellsFromHand ?? false, another, look, tell });
    await look();
    if (!engine) await another({ instance: 'healer' });
    await heal(worlds.at(-1) ?? world);
    await look();
    for (const text of await unsettled(world, addresses)) bad.add(`L: ${text}`);
    return [...bad];
  } finally {
    await Promise.all(worlds.map((each) => each.engine.stop()));
  }
}

/** The machine with one event judged otherwise. */
export function insteadOf<Type extends SubmissionEvent['type']>(
  type: Type,
  judge: (event: Extract<SubmissionEvent, { type: Type }>, view: View) => Decision,
): Machine {
  const is = (event: SubmissionEvent): event is Extract<SubmissionEvent, { type: Type }> => event.type === type;
  return (event, view) => (is(event) ? judge(event, view) : decide(event, view));
}

/** The machine without what one event's guard looks at: it sees another view of the rows. */
export function blindTo<Type extends SubmissionEvent['type']>(
  type: Type,
  seen: (view: View, event: Extract<SubmissionEvent, { type: Type }>) => View,
): Machine {
  return insteadOf(type, (event, view) => decide(event, seen(view, event)));
}

export const standBack = (): Decision => ({ written: false, because: 'no_hole' });
