import { Connections, InFlight, Route } from '@sotto/http-server';
import { Clock, Logger } from '@sotto/kernel';
import type { Settings } from '@sotto/relayer';
import { AppModule, assemble, every } from '@sotto/relayer/composition';
import { Listener } from '@sotto/relayer/service';
import { Metrics } from '@sotto/telemetry';
import { CuratorTokens, OperatorTokens } from '../http/credentials.js';
import { HttpListener } from '../http/http-listener.js';

/** What opens the routes that are not for everyone, and the listener of all routes. */
export const listenerModule = ({
  curator,
  operator,
  http,
}: Pick<Settings, 'curator' | 'operator' | 'http'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(CuratorTokens).toConstantValue(new CuratorTokens(curator.tokens));
    bind(OperatorTokens).toConstantValue(new OperatorTokens(operator.tokens));
    assemble(
      bind(Listener),
      {
        routes: every(Route),
        clock: Clock,
        logger: Logger,
        metrics: Metrics,
        inFlight: InFlight,
        curatorTokens: CuratorTokens,
        operatorTokens: OperatorTokens,
        connections: Connections,
      },
      (parts) => new HttpListener(parts, http),
    );
  });
