import { Clock, Logger } from '@sotto/kernel';
import { notePools } from '@sotto/network-profile';
import {
  ContractClasses,
  GetPoolStatus,
  GetVerdict,
  HeadWatch,
  InspectContracts,
  MarketPrices,
  NodeDirectory,
  PoolCircuitBreaker,
  ProofVerifier,
  Readiness,
  SwapLeaves,
  breakersPart,
  contractsPart,
  headPart,
  lanesPart,
  ledgerPart,
  nodePart,
  nodesPart,
  poolVerifiersPart,
  poolViewsPart,
  priceSourcesPart,
  pricesPart,
  queuePart,
  storePart,
  storeReadsPart,
  verifierPart,
  workPart,
} from '@sotto/relayer-core';
import { ChainReader, Ledger, StoreHealth, SubmissionEngine } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';

type VerdictModuleSettings = Pick<Settings, 'network' | 'store' | 'node' | 'engine'>;

/** Whether a withdrawal can succeed now, of all that one needs. */
export const verdictModule = ({
  network,
  store,
  node,
  engine: limits,
}: VerdictModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
    const pools = notePools(network);
    assemble(
      bind(GetVerdict),
      {
        health: StoreHealth,
        ledger: Ledger,
        head: HeadWatch,
        engine: SubmissionEngine,
        verifier: ProofVerifier,
        contracts: InspectContracts,
        classes: ContractClasses,
        status: GetPoolStatus,
        swaps: SwapLeaves,
        prices: MarketPrices,
        nodes: NodeDirectory,
        guard: PoolCircuitBreaker,
        clock: Clock,
        logger: Logger,
      },
      ({
        health,
        ledger,
        head,
        engine,
        verifier,
        contracts,
        classes,
        status,
        swaps,
        prices,
        nodes,
        guard,
        clock,
        logger,
      }) =>
        new GetVerdict(
          [
            storePart(health),
            storeReadsPart(ledger),
            nodePart(head, network.chainId),
            headPart(head, node.maxHeadAgeMs),
            contractsPart(classes, pools),
            ledgerPart(engine),
            lanesPart({ engine, ledger, head }, store.kind === 'postgres'),
            pricesPart(prices, pools),
            priceSourcesPart(prices),
            nodesPart(nodes),
            verifierPart(verifier),
            poolVerifiersPart(contracts),
            poolViewsPart({ status, swaps }, pools),
            breakersPart(guard),
            queuePart(ledger, limits.maxWaitingPerRole),
            workPart(engine, clock, limits.attentionAfterMs),
          ],
          pools,
          clock,
          logger,
        ),
    );
  });

/** What a process says of itself that only works by itself. */
export const keeperVerdictModule = ({
  network,
  node,
}: Pick<Settings, 'network' | 'node'>): AppModule =>
  new AppModule(({ bind }) => {
    assemble(
      bind(GetVerdict),
      {
        health: StoreHealth,
        ledger: Ledger,
        head: HeadWatch,
        engine: SubmissionEngine,
        clock: Clock,
        logger: Logger,
      },
      ({ health, ledger, head, engine, clock, logger }) =>
        new GetVerdict(
          [
            storePart(health),
            storeReadsPart(ledger),
            nodePart(head, network.chainId),
            headPart(head, node.maxHeadAgeMs),
            ledgerPart(engine),
          ],
          [],
          clock,
          logger,
        ),
    );
  });

/** What is made of the verdict, and the head that it shares with the metrics. */
export const healthModule = new AppModule(({ bind }) => {
  assemble(
    bind(HeadWatch),
    { reader: ChainReader, engine: SubmissionEngine, clock: Clock },
    ({ reader, engine, clock }) => new HeadWatch(reader, engine, clock),
  );
  bind(Readiness).toResolvedValue((verdict) => new Readiness(verdict), [GetVerdict]);
});
