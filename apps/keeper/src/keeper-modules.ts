import { Connections, InFlight } from '@sotto/http-server';
import { Clock, Logger } from '@sotto/kernel';
import type { Settings } from '@sotto/relayer';
import { AppModule, assemble, sharedModules } from '@sotto/relayer/composition';
import { Listener, serviceModule } from '@sotto/relayer/service';
import { Readiness, ledgerCheck, nodeCheck, storeCheck } from '@sotto/relayer-core';
import { Ledger, NodeHealthCheck, SubmissionEngine } from '@sotto/submission-core';
import { Metrics } from '@sotto/telemetry';
import { HealthListener } from './health-listener.js';

/** The tasks, the machine that sends for them, and nothing that callers ask for. */
export function keeperModules(settings: Settings): readonly AppModule[] {
  return [...sharedModules(settings), healthModule(settings), serviceModule(settings)];
}

/** What the process says of itself. */
const healthModule = ({ network, http }: Pick<Settings, 'network' | 'http'>): AppModule =>
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
    assemble(
      bind(Listener),
      {
        readiness: Readiness,
        clock: Clock,
        logger: Logger,
        metrics: Metrics,
        inFlight: InFlight,
        connections: Connections,
      },
      (parts) => new HealthListener(parts, http),
    );
  });
