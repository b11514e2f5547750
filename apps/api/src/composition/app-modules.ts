import type { Settings } from '../../../../packages/relayer/src/environment/settings.js';
import { adoptionModule } from '../../../../packages/relayer/src/composition/adoption.module.js';
import { auditModule } from '../../../../packages/relayer/src/composition/audit.module.js';
import { bridgeModule } from '../../../../packages/relayer/src/composition/bridge.module.js';
import type { AppModule } from '../../../../packages/relayer/src/composition/container.js';
import { curatorModule } from '../../../../packages/relayer/src/composition/curator.module.js';
import { depositModule } from '../../../../packages/relayer/src/composition/deposit.module.js';
import { gasModule } from '../../../../packages/relayer/src/composition/gas.module.js';
import { guardsModule } from '../../../../packages/relayer/src/composition/guards.module.js';
import { httpModule, httpPolicy } from './http.module.js';
import { keeperModule } from '../../../../packages/relayer/src/composition/keeper.module.js';
import { inspectionModule } from '../../../../packages/relayer/src/composition/inspection.module.js';
import { observabilityModule } from '../../../../packages/relayer/src/composition/observability.module.js';
import { pricesModule } from '../../../../packages/relayer/src/composition/prices.module.js';
import { readinessModule } from '../../../../packages/relayer/src/composition/readiness.module.js';
import { relayerModule } from '../../../../packages/relayer/src/composition/relayer.module.js';
import { serviceModule } from './service.module.js';
import { stakingModule } from '../../../../packages/relayer/src/composition/staking.module.js';
import { starknetModule } from '../../../../packages/relayer/src/composition/starknet.module.js';
import { storeModule } from '../../../../packages/relayer/src/composition/store.module.js';
import { submissionModule } from '../../../../packages/relayer/src/composition/submission.module.js';
import { swapModule } from '../../../../packages/relayer/src/composition/swap.module.js';
import { sweepModule } from '../../../../packages/relayer/src/composition/sweep.module.js';
import { systemModule } from '../../../../packages/relayer/src/composition/system.module.js';

/** The whole service. */
export function appModules(settings: Settings): readonly AppModule[] {
  return [
    systemModule(settings),
    observabilityModule(settings),
    starknetModule(settings),
    storeModule(settings),
    submissionModule(settings),
    adoptionModule(settings),
    auditModule(settings),
    pricesModule(settings),
    gasModule(settings),
    guardsModule(settings),
    relayerModule(settings),
    depositModule(settings),
    swapModule(settings),
    stakingModule(settings),
    curatorModule(settings),
    keeperModule(settings),
    bridgeModule(settings),
    sweepModule(settings),
    inspectionModule(settings),
    readinessModule(settings),
    httpModule(httpPolicy(settings)),
    serviceModule(settings),
  ];
}
