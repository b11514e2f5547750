import { AccountKeys } from '@sotto/adapter-starknet';
import { Clock, Logger } from '@sotto/kernel';
import { notePools } from '@sotto/network-profile';
import {
  ContractClasses,
  EarlyChecks,
  GetPoolStatus,
  GetVerdict,
  HeadWatch,
  InspectContracts,
  NodeDirectory,
  PoolCircuitBreaker,
  ProofVerifier,
  Readiness,
  PoolReader,
  breakersPart,
  contractsPart,
  guardPart,
  clockPart,
  headPart,
  lanesPart,
  ledgerPart,
  nodePart,
  nodesPart,
  partnersPart,
  poolVerifiersPart,
  poolViewsPart,
  priceSourcesPart,
  pricesPart,
  queuePart,
  signerPart,
  signerRejectionsParts,
  storePart,
  storeReadsPart,
  verifierPart,
  workPart,
  type VerdictPart,
} from '@sotto/relayer-core';
import { MarketPrices } from '@sotto/market-core';
import { ChainReader, Ledger, StoreHealth, SubmissionEngine } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble, every } from './container.js';
import { Partners } from './partners.js';

type VerdictModuleSettings = Pick<
  Settings,
  'network' | 'store' | 'node' | 'engine' | SignerSetting
>;
type SignerSetting = 'signer' | 'lanes';

/** Returns a list with the check of the signer; an empty list if this process holds the keys. */
function signerParts(
  { signer, lanes }: Pick<Settings, SignerSetting>,
  keys: AccountKeys,
): readonly VerdictPart[] {
  const [first] = lanes;
  if (signer === null || first === undefined) return [];
  const relaying = lanes.filter(({ role }) => role === 'relay').map(({ address }) => address);
  return [
    signerPart(() => keys.signCheck(first.address)),
    ...signerRejectionsParts(() => keys.rejections(), relaying),
  ];
}

/**
 * Binds the verdict, which decides whether a withdrawal can succeed now. The verdict combines the
 * checks of all components that a withdrawal needs.
 */
export const verdictModule = ({
  network,
  store,
  node,
  engine: limits,
  ...signing
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
        keys: AccountKeys,
        verifier: ProofVerifier,
        contracts: InspectContracts,
        classes: ContractClasses,
        status: GetPoolStatus,
        swaps: PoolReader,
        prices: MarketPrices,
        partners: Partners,
        nodes: NodeDirectory,
        guard: PoolCircuitBreaker,
        checks: every(EarlyChecks),
        clock: Clock,
        logger: Logger,
      },
      ({
        health,
        ledger,
        head,
        engine,
        keys,
        verifier,
        contracts,
        classes,
        status,
        swaps,
        prices,
        partners,
        nodes,
        guard,
        checks,
        clock,
        logger,
      }) =>
        new GetVerdict(
          [
            storePart(health),
            storeReadsPart(ledger),
            nodePart(head, network.chainId),
            clockPart(head),
            headPart(head, node.maxHeadAgeMs),
            contractsPart(classes, pools),
            ledgerPart(engine),
            lanesPart({ engine, ledger, head }, store.kind === 'postgres'),
            pricesPart(prices, pools),
            priceSourcesPart(prices),
            partnersPart(() => partners.all),
            nodesPart(nodes),
            ...signerParts(signing, keys),
            verifierPart(verifier),
            poolVerifiersPart(contracts),
            ...checks.map(guardPart),
            poolViewsPart({ status, swaps }, pools),
            breakersPart(guard),
            queuePart(ledger, limits.maxWaitingPerRole),
            workPart(engine, clock, limits.attentionAfterMs),
          ],
          pools,
          clock,
          logger,
          (beganMs) => guard.noteUpstreamAnswers(beganMs),
        ),
    );
  });

/** Binds the verdict of a process that only runs automatic tasks. */
export const keeperVerdictModule = ({
  network,
  node,
  ...signing
}: Pick<Settings, 'network' | 'node' | SignerSetting>): AppModule =>
  new AppModule(({ bind }) => {
    assemble(
      bind(GetVerdict),
      {
        health: StoreHealth,
        ledger: Ledger,
        head: HeadWatch,
        engine: SubmissionEngine,
        keys: AccountKeys,
        clock: Clock,
        logger: Logger,
      },
      ({ health, ledger, head, engine, keys, clock, logger }) =>
        new GetVerdict(
          [
            storePart(health),
            storeReadsPart(ledger),
            nodePart(head, network.chainId),
            clockPart(head),
            headPart(head, node.maxHeadAgeMs),
            ledgerPart(engine),
            ...signerParts(signing, keys),
          ],
          [],
          clock,
          logger,
        ),
    );
  });

/**
 * Binds the services that use the verdict. Also binds the chain head, which the verdict and the
 * metrics share.
 */
export const healthModule = ({ engine: settings }: Pick<Settings, 'engine'>): AppModule =>
  new AppModule(({ bind, provide }) => {
    assemble(
      bind(HeadWatch),
      { reader: ChainReader, engine: SubmissionEngine, clock: Clock, nodes: NodeDirectory },
      ({ reader, engine, clock, nodes }) =>
        new HeadWatch(reader, engine, clock, {
          isStoreIndependent: !settings.storeHasNoClock,
          nodes,
        }),
    );
    provide(Readiness, [GetVerdict]);
  });
