import { loadConfig } from '@sotto/relayer';
import { runService } from '@sotto/relayer/service';
import { appModules } from './composition/app-modules.js';

await runService({ settings: () => loadConfig({ env: process.env }), modules: appModules });
