import { Clock } from '@sotto/kernel';
import {
  InspectContracts,
  ProofVerifier,
  lanesCheck,
  ledgerCheck,
  nodeCheck,
  poolVerifiersCheck,
  storeCheck,
  verifierCheck,
  Readiness,
} from '@sotto/relayer-core';
import { Ledger, SubmissionEngine, NodeHealthCheck } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';

/** What must work before withdrawals can be taken. */
export const readinessModule = ({
  network,
  store,
}: Pick<Settings, 'network' | 'store'>): AppModule =>
  new AppModule(({ bind }) => {
    assemble(
      bind(Readiness),
      {
        ledger: Ledger,
        probe: NodeHealthCheck,
        engine: SubmissionEngine,
        verifier: ProofVerifier,
        contracts: InspectContracts,
        clock: Clock,
      },
      ({ ledger, probe, engine, verifier, contracts, clock }) =>
        new Readiness(
          [
            storeCheck(ledger),
            nodeCheck(probe, network.chainId),
            ledgerCheck(engine),
            lanesCheck(engine, store.kind === 'postgres'),
            verifierCheck(verifier),
            poolVerifiersCheck(contracts),
          ],
          clock,
        ),
    );
  });

/** What a process says of itself that only works by itself. */
export const keeperReadinessModule = ({ network }: Pick<Settings, 'network'>): AppModule =>
  new AppModule(({ bind }) => {
    assemble(
      bind(Readiness),
      { ledger: Ledger, probe: NodeHealthCheck, engine: SubmissionEngine, clock: Clock },
      ({ ledger, probe, engine, clock }) =>
        new Readiness(
          [storeCheck(ledger), nodeCheck(probe, network.chainId), ledgerCheck(engine)],
          clock,
        ),
    );
  });
