import type {
  AccountHistory,
  Broadcaster,
  ChainEvents,
  ChainReader,
  decide as machine,
  Ledger,
  SubmissionCommand,
  SubmissionSettings,
  MachineState,
} from '@sotto/submission-core';
import type { RunKind } from '../run-plan.js';

export type Decide = typeof machine;
type Event<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

export interface MutantPorts {
  readonly reader: ChainReader;
  readonly ledger: Ledger;
  readonly accountHistory: AccountHistory;
  readonly broadcaster: Broadcaster;
  readonly events: ChainEvents;
}

/** The machine with one guard off. */
export interface Mutant {
  readonly name: string;
  /** Created for each run. */
  readonly decide?: (decide: Decide) => Decide;
  /** Between the engine and its ports; created for each process. */
  readonly ports?: (ports: MutantPorts) => MutantPorts;
  readonly settings?: (settings: SubmissionSettings) => SubmissionSettings;
  /** The kind of all runs in which it is looked for. @default whatever is drawn */
  readonly kind?: RunKind;
  /** Which other guard makes up for it: it is not expected to be found. */
  readonly coveredBy?: string;
}

/**
 * What stands around a mutant's rule, with the rule as it is: whatever breaks with this alone says
 * nothing about the rule. Null: nothing does.
 */
export function controlOf({ name, decide, ports, settings }: Mutant): Mutant | null {
  if (decide === undefined || (ports === undefined && settings === undefined)) return null;
  return {
    name: `control of "${name}"`,
    ...(ports === undefined ? {} : { ports }),
    ...(settings === undefined ? {} : { settings }),
  };
}

/** The mutant's own view or event for one type of event; all others are decided as ever. */
export function instead<Type extends SubmissionCommand['type']>(
  type: Type,
  change: (event: Event<Type>, view: MachineState, decide: Decide) => ReturnType<Decide>,
): (decide: Decide) => Decide {
  return (decide) => (event, view) =>
    // CAST: the type says which event it is.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    event.type === type ? change(event as Event<Type>, view, decide) : decide(event, view);
}

export function everywhere(
  change: (view: MachineState, event: SubmissionCommand) => MachineState,
): (decide: Decide) => Decide {
  return (decide) => (event, view) => decide(event, change(view, event));
}

/** The port with some of its members in the place of its own. */
export function over<Port extends object>(port: Port, changed: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
