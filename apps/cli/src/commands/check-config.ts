import { loadConfig, unknownSettings } from '@sotto/relayer';
import { InvalidConfiguration, describeUnknownName } from '@sotto/settings';
import type { Command } from 'commander';
import {
  fromFile,
  ownTokenNotes,
  serviceEnvironment,
  takesSettings,
  type SettingsOptions,
} from '../environment.js';
import { EXIT, show, type Ends, type Terminal } from '../terminal.js';

interface Options extends SettingsOptions {
  readonly json?: true;
}

interface ConfigReport {
  readonly problems: readonly string[];
  /** Names of variables that name a file of secrets which every user of the machine can read. */
  readonly exposedSecrets: readonly string[];
  /** Warnings about settings that weaken a protection. */
  readonly weak: readonly string[];
  /** Warnings about unknown names of settings. */
  readonly unknown: readonly string[];
  /** Warnings about former names and former settings that still work, and about ignored names. */
  readonly stale: readonly string[];
}

/**
 * Adds the command that validates the settings in the same manner as the service's start, without
 * contacting node or store.
 */
export function addCheckConfig(program: Command, terminal: Terminal, ends: Ends): void {
  takesSettings(
    program
      .command('check-config')
      .summary('every problem of the service’s settings, at once')
      .description(
        'Reads the service’s variables and the files that they name, as its start does, and prints every problem at once: of single variables, of files, and of contradictions between them. Warns of unknown names, with the nearest known name. Contacts neither node nor store; `sotto doctor` does.',
      ),
  )
    .option('--json', 'the problems as one JSON value')
    .action((options: Options) => {
      const report = reportOn(options, terminal);
      show(terminal, options.json === true, report, describe);
      ends(report.problems.length > 0 ? EXIT.fault : EXIT.fine);
    });
}

function reportOn(options: Options, terminal: Terminal): ConfigReport {
  const env = serviceEnvironment(options, terminal.env);
  const unknown = unknownSettings(env, fromFile(options, terminal)).map(describeUnknownName);
  const notes = ownTokenNotes(options, terminal.env);
  try {
    const { exposedSecrets, weak, stale } = loadConfig({ env });
    return { problems: [], exposedSecrets, weak, unknown, stale: [...stale, ...notes] };
  } catch (error) {
    if (error instanceof InvalidConfiguration)
      return { problems: error.problems, exposedSecrets: [], weak: [], unknown, stale: notes };
    throw error;
  }
}

function describe({ problems, exposedSecrets, weak, unknown, stale }: ConfigReport): string {
  const warnings = [
    ...unknown,
    ...stale,
    ...exposedSecrets.map((name) => `${name} names a file that any user of this machine may read`),
    ...weak,
  ].map((sentence) => `warning: ${sentence}`);
  if (problems.length === 0) return [...warnings, 'the settings are fine'].join('\n');
  return [
    ...warnings,
    `the settings have ${problems.length} problems:`,
    ...problems.map((text) => `  ${text}`),
  ].join('\n');
}
