import { loadConfig } from '@sotto/relayer';
import { openRelayer, runService } from '@sotto/relayer/service';
import { httpListener } from './http/http-listener.js';

await runService({
  settings: () => loadConfig({ env: process.env }),
  open: openRelayer,
  listener: httpListener,
});
