import { runService } from '@sotto/relayer/service';
import { keeperModules } from './keeper-modules.js';
import { keeperSettings } from './keeper-settings.js';

await runService({ settings: () => keeperSettings({ env: process.env }), modules: keeperModules });
