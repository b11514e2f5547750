import type { Settings } from '../environment/settings.js';
import { adoptionModule } from './adoption.module.js';
import { auditModule } from './audit.module.js';
import { bridgeModule } from './bridge.module.js';
import type { AppModule } from './container.js';
import { curatorModule } from './curator.module.js';
import { depositModule } from './deposit.module.js';
import { gasModule } from './gas.module.js';
import { guardsModule } from './guards.module.js';
import { inspectionModule } from './inspection.module.js';
import { keeperModule } from './keeper.module.js';
import { observabilityModule } from './observability.module.js';
import { pricesModule } from './prices.module.js';
import { readinessModule } from './readiness.module.js';
import { relayerModule } from './relayer.module.js';
import { stakingModule } from './staking.module.js';
import { starknetModule } from './starknet.module.js';
import { storeModule } from './store.module.js';
import { submissionModule } from './submission.module.js';
import { swapModule } from './swap.module.js';
import { sweepModule } from './sweep.module.js';
import { systemModule } from './system.module.js';
import { taskWatchModule } from './task-watch.module.js';

/** What every process is made of: node, store, submission machine, and the tasks of the keeper. */
export function sharedModules(settings: Settings): readonly AppModule[] {
  return [
    systemModule(settings),
    observabilityModule(settings),
    starknetModule(settings),
    storeModule(settings),
    submissionModule(settings),
    adoptionModule(settings),
    auditModule(settings),
    pricesModule(settings),
    guardsModule(settings),
    relayerModule(settings),
    depositModule(settings),
    curatorModule(settings),
    keeperModule(settings),
  ];
}

/** All that the relayer does, without what callers reach it by. */
export function relayerModules(settings: Settings): readonly AppModule[] {
  return [
    ...sharedModules(settings),
    gasModule(settings),
    swapModule(settings),
    stakingModule(settings),
    bridgeModule(settings),
    sweepModule(settings),
    taskWatchModule,
    inspectionModule(settings),
    readinessModule(settings),
  ];
}
