import { loadConfig } from '@sotto/relayer';
import { InvalidConfiguration } from '@sotto/settings';
import type { Command } from 'commander';
import { serviceEnvironment, takesSettings, type SettingsOptions } from '../environment.js';
import { EXIT, show, type Environment, type Ends, type Terminal } from '../terminal.js';

interface Options extends SettingsOptions {
  readonly json?: true;
}

interface ConfigReport {
  readonly problems: readonly string[];
  /** Variables that name a file of secrets which any user of the machine may read. */
  readonly exposedSecrets: readonly string[];
  /** Sentences on settings that weaken a guard. */
  readonly weak: readonly string[];
}

/** Reads the settings as the service's start does, and asks neither node nor store. */
export function addCheckConfig(program: Command, terminal: Terminal, ends: Ends): void {
  takesSettings(
    program
      .command('check-config')
      .summary('every problem of the service’s settings, at once')
      .description(
        'Reads the service’s variables and the files that they name, as its start does, and prints every problem at once: of single variables, of files, and of what does not fit together. Asks neither node nor store; `sotto doctor` does.',
      ),
  )
    .option('--json', 'the problems as one JSON value')
    .action((options: Options) => {
      const report = reportOn(serviceEnvironment(options, terminal.env));
      show(terminal, options.json === true, report, describe);
      ends(report.problems.length > 0 ? EXIT.fault : EXIT.fine);
    });
}

function reportOn(env: Environment): ConfigReport {
  try {
    const { exposedSecrets, weak } = loadConfig({ env });
    return { problems: [], exposedSecrets, weak };
  } catch (error) {
    if (error instanceof InvalidConfiguration)
      return { problems: error.problems, exposedSecrets: [], weak: [] };
    throw error;
  }
}

function describe({ problems, exposedSecrets, weak }: ConfigReport): string {
  const warnings = [
    ...exposedSecrets.map((name) => `${name} names a file that any user of this machine may read`),
    ...weak,
  ].map((sentence) => `warning: ${sentence}`);
  if (problems.length === 0) return [...warnings, 'the settings are fine'].join('\n');
  return [
    `the settings have ${problems.length} problems:`,
    ...problems.map((text) => `  ${text}`),
  ].join('\n');
}
