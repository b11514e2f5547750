import type { StarknetNodeHealthCheck } from '@sotto/adapter-starknet';
import { Clock } from '@sotto/kernel';
import { ProofVerifier, type InspectContracts } from '@sotto/relayer-core';
import { Ledger, type SubmissionEngine } from '@sotto/submission-core';
import type { Settings } from '../config/settings.js';
import { lanesCheck, ledgerCheck, nodeCheck, poolVerifiersCheck, storeCheck, verifierCheck } from '../readiness/checks.js';
import { Readiness } from '../readiness/readiness.js';
import { EngineToken, InspectContractsToken, NodeHealthCheckToken, ReadinessToken } from './bindings.js';
import { AppModule } from './container.js';

/** What must work before withdrawals can be taken. */
export const readinessModule = ({ network, store }: Pick<Settings, 'network' | 'store'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(ReadinessToken).toResolvedValue(
      (
        ledger: Ledger,
        probe: Pick<StarknetNodeHealthCheck, 'probe'>,
        engine: SubmissionEngine,
        verifier: ProofVerifier,
        contracts: InspectContracts,
        clock: Clock,
      ) =>
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
      [Ledger, NodeHealthCheckToken, EngineToken, ProofVerifier, InspectContractsToken, Clock],
    );
  });
