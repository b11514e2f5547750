import { DomainError, type Felt, type Logger } from '@sotto/kernel';
import {
  SubmissionNotifier,
  SubmissionEngine,
  SubmissionService,
  type AccountCheck,
  type AccountHistory,
  type Broadcaster,
  type CallReader,
  type ChainHead,
  type ChainEvents,
  type ChainReader,
  type Hint,
  type InstanceBus,
  type Ledger,
  type NonceHistory,
  type Revalidator,
  type SubmissionSettings,
} from '@sotto/submission-core';
import { FakeSigner } from '@sotto/submission-core/testing';
import type { Calls } from './calls.js';
import type { Judge } from './judge.js';
import { over, type Mutant } from './mutants/mutant.js';
import type { OsProcess } from './os-process.js';
import type { Story } from './story.js';

const reached = (): void => undefined;

/** Ports through which a process of the service reaches the simulated world. */
export interface WorldPorts {
  readonly node: ChainReader & NonceHistory & AccountHistory & AccountCheck;
  readonly broadcaster: Broadcaster;
  /**
   * Creates the domain check for a ledger. The ledger's calls are part of the same step as the
   * check.
   */
  readonly readmissionOver: (ledger: Ledger) => Revalidator;
  readonly calls: CallReader;
  readonly eventsOf: (process: OsProcess) => ChainEvents;
  readonly reportOthers: (from: OsProcess, hint: Hint) => void;
  /** Called when a process has received the head of a node. */
  readonly headReceived: (process: OsProcess, head: ChainHead) => void;
  /** Called when a process has received the head of a node in a poll of a lane. */
  readonly polled: (process: OsProcess, head: ChainHead) => void;
  readonly newId: () => string;
}

/** The service in one simulated operating system process. */
export class ServiceProcess {
  readonly engine: SubmissionEngine;
  readonly service: SubmissionService;
  #hear: ((hint: Hint) => void) | null = null;

  constructor(
    readonly os: OsProcess,
    readonly slot: string,
    ledger: Ledger,
    world: WorldPorts,
    through: Calls,
    readonly settings: SubmissionSettings,
    watchers: { readonly judge: Judge; readonly story: Story },
    mutant: Mutant | null,
  ) {
    const hints: InstanceBus = {
      report: (hint) => world.reportOthers(os, hint),
      hear: (listener) => {
        this.#hear = listener;
      },
    };
    const changes = new SubmissionNotifier(hints);
    const sender = through.through(os, 'broadcaster', 'send', world.broadcaster);
    const reader = through.through<ChainReader>(os, 'reader', 'read', world.node);
    const received = (head: ChainHead): void => world.headReceived(os, head);
    const own = {
      ledger: through.through(os, 'ledger', 'ledger', ledger),
      reader: over(reader, {
        head: async (accounts: readonly Felt[]) => {
          const head = await reader.head(accounts);
          received(head);
          world.polled(os, head);
          return head;
        },
        heads: async (accounts: readonly Felt[]) => {
          const heads = await reader.heads(accounts);
          for (const head of heads) received(head);
          watchers.judge.lostLedger.compared(os.name);
          return heads;
        },
      }),
      accountHistory: through.through<AccountHistory>(os, 'accountHistory', 'read', world.node),
      events: world.eventsOf(os),
      broadcaster: {
        // This method is not wrapped like the other calls, because the choice of a node needs no
        // I/O.
        nodeFor: (last: string | null) => world.broadcaster.nodeFor(last),
        send: (bytes: Uint8Array, node: string) => sender.send(bytes, node),
      },
    };
    const ports = mutant?.ports?.(own) ?? own;
    const { clock } = os;
    const logger = loggerOf(os, watchers);
    const signer = new FakeSigner(settings.lanes.map(({ address }) => address));
    this.engine = new SubmissionEngine(
      {
        ...ports,
        history: through.through(os, 'history', 'read', world.node),
        accountCheck: through.through(os, 'accountCheck', 'read', world.node),
        calls: world.calls,
        signer: through.through(os, 'signer', 'sign', signer),
        revalidator: through.through(
          os,
          'readmission',
          'domain',
          world.readmissionOver(through.within(os, 'ledger', ledger)),
        ),
        changes,
        clock,
        logger,
        failpoint: reached,
      },
      settings,
    );
    const { answerAt, deadlineMs } = settings;
    this.service = new SubmissionService(
      own.ledger,
      changes,
      (work) => this.engine.wake(work),
      clock,
      { answerAt, deadlineMs, maxWaitingPerRole: 200, newId: world.newId },
      reached,
    );
  }

  hear(hint: Hint): void {
    this.os.enter(() => this.#hear?.(hint));
  }
}

/** Creates a logger that reports every logged error as a violation, except domain errors. */
function loggerOf(
  { name }: OsProcess,
  { judge, story }: { readonly judge: Judge; readonly story: Story },
): Logger {
  return {
    debug() {},
    info() {},
    warn: ({ code }, message) =>
      story.report(() => `${name} warns: ${message} ${typeof code === 'string' ? code : ''}`),
    error: ({ error }, message) => {
      story.report(
        () => `${name} reports: ${message} ${error instanceof Error ? error.message : ''}`,
      );
      if (error instanceof Error && !(error instanceof DomainError))
        judge.broken(
          'every error is a domain error',
          `${message}: ${error.stack ?? error.message}`,
        );
    },
  };
}
