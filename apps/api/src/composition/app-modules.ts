import type { Settings } from '@sotto/relayer';
import { relayerModules, type AppModule } from '@sotto/relayer/composition';
import { credentialsModule } from './credentials.module.js';
import { httpModule, httpPolicy } from './http.module.js';
import { serviceModule } from '../../../../packages/relayer/src/service/service.module.js';

/** The whole service. */
export function appModules(settings: Settings): readonly AppModule[] {
  return [
    ...relayerModules(settings),
    credentialsModule(settings),
    httpModule(httpPolicy(settings)),
    serviceModule(settings),
  ];
}
