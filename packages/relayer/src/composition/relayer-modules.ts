import type { Logger } from '@sotto/kernel';
import type { QuoteStore } from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { adoptionModule } from './adoption.module.js';
import { auditModule } from './audit.module.js';
import { bridgeModule } from './bridge.module.js';
import type { AppModule } from './container.js';
import { curatorModule } from './curator.module.js';
import { depositModule } from './deposit.module.js';
import { gasModule } from './gas.module.js';
import { guardModule } from './guard.module.js';
import { guardsModule } from './guards.module.js';
import { inspectionModule } from './inspection.module.js';
import { keeperModule } from './keeper.module.js';
import { observabilityModule } from './observability.module.js';
import { operatorsModule } from './operators.module.js';
import { privateActionModule } from './private-action.module.js';
import { pricesModule } from './prices.module.js';
import { relayerModule } from './relayer.module.js';
import { stakingModule } from './staking.module.js';
import { starknetModule } from './starknet.module.js';
import { storeModule } from './store.module.js';
import { submissionModule } from './submission.module.js';
import { keeperSwapModule, swapModule } from './swap.module.js';
import { archiveModule } from './archive.module.js';
import { sweepModule } from './sweep.module.js';
import { systemModule } from './system.module.js';
import { taskWatchModule } from './task-watch.module.js';
import { useCasesModule } from './use-cases.module.js';
import { webhooksModule } from './webhooks.module.js';
import { healthModule, keeperVerdictModule, verdictModule } from './verdict.module.js';
import { workModule } from './work.module.js';

/** Objects that the embedding program supplies to replace the relayer's default objects. */
export interface OwnParts {
  readonly logger?: Logger | undefined;
  readonly quotes?: QuoteStore | undefined;
  /** True if metrics include memory and event loop of the process. @default true */
  readonly ofProcess?: boolean;
}

/** Modules of every process: node, store, submission machine and tasks of the keeper. */
function sharedModules(
  settings: Settings,
  { logger, quotes, ofProcess = true }: OwnParts,
): readonly AppModule[] {
  return [
    systemModule(settings, logger),
    observabilityModule(settings, ofProcess),
    starknetModule(settings),
    storeModule(settings, quotes),
    submissionModule(settings),
    adoptionModule(settings),
    auditModule(settings),
    pricesModule(settings),
    guardsModule(settings),
    relayerModule(settings),
    depositModule(settings),
    curatorModule(settings),
    keeperModule(settings),
    healthModule(settings),
    workModule(settings),
  ];
}

/**
 * Returns the modules of a keeper: the tasks and the submission machine that sends their calls,
 * without use cases for callers.
 */
export function keeperModules(settings: Settings): readonly AppModule[] {
  return [...sharedModules(settings, {}), keeperSwapModule, keeperVerdictModule(settings)];
}

/** Returns all modules of the relayer, without an HTTP interface. */
export function relayerModules(settings: Settings, own: OwnParts = {}): readonly AppModule[] {
  return [
    ...sharedModules(settings, own),
    operatorsModule(settings),
    gasModule(settings),
    privateActionModule(settings),
    swapModule(settings),
    stakingModule(settings),
    bridgeModule(settings),
    archiveModule(settings),
    sweepModule(settings),
    taskWatchModule,
    inspectionModule(settings),
    guardModule(settings),
    verdictModule(settings),
    webhooksModule(settings),
    useCasesModule,
  ];
}
