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

/** Variant of the machine in which one guard is disabled. */
export interface Mutant {
  readonly name: string;
  /** Changed decision function, created for each run. */
  readonly decide?: (decide: Decide) => Decide;
  /** Wrapper of the engine's ports, created for each process. */
  readonly ports?: (ports: MutantPorts) => MutantPorts;
  readonly settings?: (settings: SubmissionSettings) => SubmissionSettings;
  /** Kind of all runs in the search for this mutant. @default each run draws its kind */
  readonly kind?: RunKind;
  /**
   * Name of a second guard that compensates for the disabled one. If it is set, the search need not
   * find the mutant.
   */
  readonly coveredBy?: string;
}

/**
 * Returns the control of a mutant: the mutant's wrapper with the original rule. If the control also
 * breaks a rule, the search proves nothing. Returns null if the mutant has no wrapper.
 */
export function controlOf({ name, decide, ports, settings }: Mutant): Mutant | null {
  if (decide === undefined || (ports === undefined && settings === undefined)) return null;
  return {
    name: `control of "${name}"`,
    ...(ports === undefined ? {} : { ports }),
    ...(settings === undefined ? {} : { settings }),
  };
}

/** Replaces the decision for one type of command. Decisions for all other types do not change. */
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

/** Replaces some members of a port. */
export function over<Port extends object>(port: Port, changed: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
