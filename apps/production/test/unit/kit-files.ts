import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

export const kitFile = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const Rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'none']) }),
  annotations: z.strictObject({
    summary: z.string(),
    description: z.string(),
    runbook_url: z.string(),
  }),
});
const RuleFile = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), interval: z.string(), rules: z.array(Rule) })),
});

export function alertRules(): readonly z.infer<typeof Rule>[] {
  return RuleFile.parse(parse(kitFile('prometheus/alerts.yml'))).groups.flatMap(
    ({ rules }) => rules,
  );
}

const Board = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) }),
  ),
});

/** Returns every query of the board, with the title of its panel. */
export function boardQueries(): readonly { readonly title: string; readonly expr: string }[] {
  return Board.parse(JSON.parse(kitFile('grafana/sotto.json'))).panels.flatMap(
    ({ title, targets }) => targets.map(({ expr }) => ({ title, expr })),
  );
}

/** Returns the settings in the `Environment=` lines of a unit or of its drop-in file. */
export function unitSettings(path: string): Readonly<Record<string, string>> {
  const lines = [...kitFile(path).matchAll(/^Environment=(.*)$/gm)];
  return settingsIn(lines.flatMap(([, line = '']) => line.split(' ')));
}

/** Returns the settings in an example of an environment file, including commented settings. */
export function exampleSettings(path: string): Readonly<Record<string, string>> {
  const lines = [...kitFile(path).matchAll(/^(?:# )?([A-Z_]+=.*)$/gm)];
  return settingsIn(lines.map(([, pair = '']) => pair));
}

const settingsIn = (pairs: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    }),
  );
