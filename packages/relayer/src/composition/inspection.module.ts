import { StarknetNode, StarknetContractClasses } from '@sotto/adapter-starknet';
import { Clock, Logger, BackgroundTask } from '@sotto/kernel';
import { profilePools, verifiersOf } from '@sotto/network-profile';
import { ContractClasses, InspectContracts, type InspectionPolicy } from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';

/**
 * Interval between two inspections in ms. A class may be replaced while the service runs. An
 * inspection costs one small request.
 */
const POLL_AGAIN_MS = 60_000;
/** Delay in ms before a node that did not respond at the start is queried again. */
const RETRY_MS = 2_000;

type InspectionModuleSettings = Pick<Settings, 'mode' | 'network' | 'lanes' | 'verification'>;

/** Checks the contracts that withdrawals use, at the start and every minute. */
export const inspectionModule = (settings: InspectionModuleSettings): AppModule =>
  new AppModule(({ bind, provide }) => {
    const policy = inspectionPolicy(settings);
    provide.as(ContractClasses, StarknetContractClasses, [StarknetNode]);
    bind(InspectContracts).toResolvedValue(
      (classes, logger) => {
        if (settings.mode === 'production') warnOfWhatIsNotCompared(policy, settings, logger);
        return new InspectContracts(classes, policy, logger);
      },
      [ContractClasses, Logger],
    );
    bind(BackgroundTask).toResolvedValue(
      (contracts, clock) => {
        let dueMs = Number.NEGATIVE_INFINITY;
        const run = async (): Promise<void> => {
          if (clock.monotonicMs() < dueMs) return;
          await contracts.execute();
          dueMs = clock.monotonicMs() + POLL_AGAIN_MS;
        };
        return { name: 'inspection of contracts', intervalMs: RETRY_MS, run };
      },
      [InspectContracts, Clock],
    );
  });

function inspectionPolicy(settings: InspectionModuleSettings): InspectionPolicy {
  const { network, lanes, verification } = settings;
  return {
    contracts: [
      ...lanes.map(({ address, role }) => ({ role: `account (${role})`, address })),
      ...profilePools(network).map(({ address }) => ({ role: 'pool', address })),
    ],
    verifiers: verifiersOf(network),
    classesOfKey: verification.classHashes,
  };
}

/**
 * Warns in production if the profile omits values that the service would compare with the chain.
 * The service also starts without these values.
 */
function warnOfWhatIsNotCompared(
  { verifiers, classesOfKey }: InspectionPolicy,
  { network }: InspectionModuleSettings,
  logger: Logger,
): void {
  if (profilePools(network).some(({ verifier }) => verifier === undefined))
    logger.warn(
      {},
      'the network profile names no verifier for some pools: nothing compares the verification key with theirs',
    );
  if (verifiers.length > 0 && classesOfKey.length === 0)
    logger.warn(
      {},
      'the verification key’s file has no verifierClassHashes: nothing compares the key with the verifiers’ class',
    );
}
