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

/** The machine with one guard disabled. */
export interface Mutant {
  readonly name: string;
  /** Decision function; created for each run. */
  readonly decide?: (decide: Decide) => Decide;
  /** Wrapper of the engine's ports; created for each process. */
  readonly ports?: (ports: MutantPorts) => MutantPorts;
  readonly settings?: (settings: SubmissionSettings) => SubmissionSettings;
  /** Kind of all runs in the search for it. @default drawn */
  readonly kind?: RunKind;
  /** Other guard that compensates for it. Such a mutant is not expected to be found. */
  readonly coveredBy?: string;
}

/**
 * Returns a control: the mutant's wrapper with the original rule. A violation by the control proves
 * nothing about the rule. Null if the mutant has no wrapper.
 */
export function controlOf({ name, decide, ports, settings }: Mutant): Mutant | null {
  if (decide === undefined || (ports === undefined && settings === undefined)) return null;
  return {
    name: `control of "${name}"`,
    ...(ports === undefined ? {} : { ports }),
    ...(settings === undefined ? {} : { settings }),
  };
}

/** Replaces the decision for one type of command; all others are unchanged. */
export function instead<Type extends SubmissionCommand['type']>(
  type: Type,
  change: (event: Event<Type>, view: MachineState, decide: Decide) => ReturnType<Decide>,
): (decide: Decide) => Decide {
  return (decide) => (event, view) =>
    // CAST: the type determines the command.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    event.type === type ? change(event as Event<Type>, view, decide) : decide(event, view);
}

export function everywhere(
  change: (view: MachineState, event: SubmissionCommand) => MachineState,
): (decide: Decide) => Decide {
  return (decide) => (event, view) => decide(event, change(view, event));
}

/** Overrides some members of a port. */
export function over<Port extends object>(port: Port, changed: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
