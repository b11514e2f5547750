import { Clock, Logger, unguessableId } from '@sotto/kernel';
import {
  AccountCheck,
  AccountHistory,
  Broadcaster,
  CallReader,
  ChainEvents,
  ChainReader,
  InstanceBus,
  Ledger,
  NonceHistory,
  RepeatedSubmissions,
  Revalidator,
  SubmissionEngine,
  SubmissionNotifier,
  SubmissionService,
  Submissions,
  TransactionSigner,
  type ResourceLimits,
} from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { Failpoints } from './bindings.js';
import { AppModule, assemble } from './container.js';

/**
 * Resource limits of a transaction without calls, for the account's validation, nonce and fee
 * transfer. The bounds are several times the present cost.
 */
export const NOOP_LIMITS: ResourceLimits = {
  l2Gas: 5_000_000n,
  l1Gas: 256n,
  l1DataGas: 1_024n,
  priceMultiplier: 3n,
};

/** Interval in ms between two searches for private data of ended attempts. */
const REDACTION_INTERVAL_MS = 60_000;

/** STRK that one transaction may transfer in addition to its gas, in fri. */
const mostOf = (recipientGas: bigint, poolFee = 0n): bigint =>
  recipientGas > poolFee ? recipientGas : poolFee;

type SubmissionModuleSettings = Pick<
  Settings,
  'engine' | 'retiring' | 'network' | 'lanes' | 'relay'
>;

/** Binds the submission machine, which puts one call on chain exactly once. */
export const submissionModule = ({
  engine,
  retiring,
  network,
  lanes: accounts,
  relay,
}: SubmissionModuleSettings): AppModule =>
  new AppModule(({ bind, provide }) => {
    const {
      crashAt: _at,
      crashAfter: _after,
      maxWaitingPerRole,
      leftToOthers,
      ...settings
    } = engine;
    const usualLimits = network.limits.withdrawalBounds;
    const lanes = accounts.map(({ address, role }) => ({
      address,
      role,
      isRetiring: retiring.includes(address),
      isLeftToOthers: leftToOthers.includes(role),
    }));
    const { chainId } = network;
    provide(SubmissionNotifier, [InstanceBus]);
    assemble(
      bind(SubmissionEngine),
      {
        ledger: Ledger,
        reader: ChainReader,
        history: NonceHistory,
        accountHistory: AccountHistory,
        accountCheck: AccountCheck,
        calls: CallReader,
        signer: TransactionSigner,
        broadcaster: Broadcaster,
        events: ChainEvents,
        revalidator: Revalidator,
        changes: SubmissionNotifier,
        clock: Clock,
        logger: Logger,
        failpoints: Failpoints,
      },
      ({ failpoints, ...ports }) =>
        new SubmissionEngine(
          { ...ports, failpoint: failpoints.reach },
          {
            ...settings,
            chainId,
            lanes,
            usualLimits,
            transferFri: mostOf(relay.recipientGasMaxFri, network.privacyPool?.maxPoolFeeFri),
            noopLimits: NOOP_LIMITS,
            redactionIntervalMs: REDACTION_INTERVAL_MS,
          },
        ),
    );
    provide(RepeatedSubmissions, [Ledger]);
    assemble(
      bind(Submissions),
      {
        ledger: Ledger,
        changes: SubmissionNotifier,
        machine: SubmissionEngine,
        clock: Clock,
        failpoints: Failpoints,
      },
      ({ ledger, changes, machine, clock, failpoints: { reach } }) =>
        new SubmissionService(
          ledger,
          changes,
          (work) => machine.wake(work),
          clock,
          {
            answerAt: engine.answerAt,
            deadlineMs: engine.deadlineMs,
            maxWaitingPerRole,
            newId: unguessableId,
            isLedgerBehind: () => machine.isLedgerBehind,
          },
          reach,
        ),
    );
  });
