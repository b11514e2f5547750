import { Clock, Logger } from '@sotto/kernel';
import { RetriedSubmissions, SwapTries, SwapVerdicts } from '@sotto/relayer-core';
import {
  AccountCheck,
  AccountHistory,
  Broadcaster,
  CallReader,
  ChainReader,
  SubmissionNotifier,
  InstanceBus,
  Ledger,
  NonceHistory,
  Revalidator,
  SubmissionEngine,
  SubmissionService,
  Submissions,
  TransactionSigner,
  type FailpointHook,
  type ResourceLimits,
} from '@sotto/submission-core';
import type { Settings } from '../config/settings.js';
import { ChangesToken, FailpointHookToken, EngineToken, MachineToken, SwapTriesToken } from './bindings.js';
import { AppModule } from './container.js';
import { lanesOf } from './lanes.js';
import { unguessableId } from './unguessable-id.js';

/** Validation, nonce and fee transfer of an account, and nothing else: several times what they cost today. */
const NOOP_LIMITS: ResourceLimits = { l2Gas: 5_000_000n, l1Gas: 256n, l1DataGas: 1_024n, priceMultiplier: 3n };

/** How often private data of ended attempts is looked for. */
const WIPE_INTERVAL_MS = 60_000;

type SubmissionModuleSettings = Pick<Settings, 'engine' | 'retiring' | 'network' | 'relay' | 'swap' | 'curator'>;

/** The machine that puts one call on chain exactly once. */
export const submissionModule = ({ engine, retiring, network, relay, swap, curator }: SubmissionModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
    const { crashAt: _at, crashAfter: _after, maxWaitingPerRole, ...settings } = engine;
    const usualLimits = network.limits.withdrawalBounds;
    const lanes = lanesOf({ relay, swap, curator }).map(({ address, role }) => ({ address, role, isRetiring: retiring.includes(address) }));
    const { chainId } = network;
    bind(ChangesToken)
      .toResolvedValue((others: InstanceBus) => new SubmissionNotifier(others), [InstanceBus])
      .inSingletonScope();
    bind(EngineToken).toResolvedValue(
      (
        ledger: Ledger,
        reader: ChainReader,
        history: NonceHistory,
        accountHistory: AccountHistory,
        accountCheck: AccountCheck,
        calls: CallReader,
        signer: TransactionSigner,
        broadcaster: Broadcaster,
        readmission: Revalidator,
        changes: SubmissionNotifier,
        clock: Clock,
        logger: Logger,
        reached: FailpointHook,
      ) =>
        new SubmissionEngine(
          {
            ledger,
            reader,
            history,
            accountHistory,
            accountCheck,
            calls,
            signer,
            broadcaster,
            revalidator: readmission,
            changes,
            clock,
            logger,
            failpoint: reached,
          },
          { ...settings, chainId, lanes, usualLimits, noopLimits: NOOP_LIMITS, wipeIntervalMs: WIPE_INTERVAL_MS },
        ),
      [
        ...([Ledger, ChainReader, NonceHistory, AccountHistory, AccountCheck, CallReader] as const),
        ...([TransactionSigner, Broadcaster, Revalidator, ChangesToken, Clock, Logger, FailpointHookToken] as const),
      ],
    );
    bind(SwapTriesToken).toResolvedValue(
      (ledger: Ledger, submissions: Submissions, verdicts: SwapVerdicts, clock: Clock) =>
        new SwapTries({ ledger, submissions, verdicts, clock }),
      [Ledger, MachineToken, SwapVerdicts, Clock],
    );
    bind(Submissions).toResolvedValue(
      (machine: Submissions, tries: SwapTries, clock: Clock) => new RetriedSubmissions(machine, tries, clock),
      [MachineToken, SwapTriesToken, Clock],
    );
    bind(MachineToken).toResolvedValue(
      (ledger: Ledger, changes: SubmissionNotifier, machine: SubmissionEngine, clock: Clock, reached: FailpointHook) =>
        new SubmissionService(
          ledger,
          changes,
          () => machine.wake(),
          clock,
          {
            answerAt: engine.answerAt,
            deadlineMs: engine.deadlineMs,
            maxWaitingPerRole,
            newId: unguessableId,
            isLedgerBehind: () => machine.isLedgerBehind,
          },
          reached,
        ),
      [Ledger, ChangesToken, EngineToken, Clock, FailpointHookToken],
    );
  });
