#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startFaultProxy } from './proxy.js';

/**
 * Settings of the proxy process. Each option is also a variable, for example FAULT_PROXY_PORT=5051
 * for `--port 5051`. The command line has priority.
 */

const Settings = z.object({
  target: z.url({ protocol: /^https?$/, error: "expected the node's http or https URL" }),
  host: z.string().default('127.0.0.1'),
  port: z.coerce.number().int().min(0).max(65_535).default(0),
});

const names = Object.keys(Settings.shape);
const { values } = parseArgs({
  options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
});
const settings = Settings.safeParse(
  Object.fromEntries(
    names.map((name) => [name, values[name] ?? process.env[`FAULT_PROXY_${name.toUpperCase()}`]]),
  ),
);

if (settings.success) {
  const proxy = await startFaultProxy(settings.data);
  process.stdout.write(`${JSON.stringify({ url: proxy.url, controlUrl: proxy.controlUrl })}\n`);
  const stop = (): void => void proxy.stop();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
} else {
  process.stderr.write(`${z.prettifyError(settings.error)}\n`);
  process.exitCode = 2;
}
