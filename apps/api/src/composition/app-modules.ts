import type { Settings } from '@sotto/relayer';
import { relayerModules, type AppModule } from '@sotto/relayer/composition';
import { serviceModule } from '@sotto/relayer/service';
import { httpModule, httpPolicy } from './http.module.js';
import { listenerModule } from './listener.module.js';

/** The whole service. */
export function appModules(settings: Settings): readonly AppModule[] {
  return [
    ...relayerModules(settings),
    httpModule(httpPolicy(settings)),
    listenerModule(settings),
    serviceModule(settings),
  ];
}
