import { openKeeper, runService } from '@sotto/relayer/service';
import { HealthListener } from './health-listener.js';
import { keeperSettings } from './keeper-settings.js';

await runService({
  settings: () => keeperSettings({ env: process.env }),
  open: openKeeper,
  listener: (keeper, { http }) => new HealthListener(keeper, http),
});
