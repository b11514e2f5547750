import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoProcess } from '../support/demo-process.js';

const page = readFileSync(new URL('../../../../docs/tutorial.md', import.meta.url), 'utf8');

/** Commands in order, each with the output on the page; empty if the page shows none. */
const steps = [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].flatMap(
  ([, language, text = ''], index, blocks) => {
    if (language !== 'sh') return [];
    const [, answerLanguage, printed = ''] = blocks[index + 1] ?? [];
    return [{ command: text.trim(), printed: answerLanguage === '' ? printed.trim() : '' }];
  },
);
const START = 'npm start';

describe('docs/tutorial.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-tutorial-'));
  let demo: DemoProcess;
  let baseUrl = '';
  beforeAll(async () => {
    demo = await DemoProcess.start([]);
    symlinkSync(demo.stateFolder, join(folder, '.sotto'));
    [, baseUrl = ''] = await demo.prints(/stays up at (\S+) [^]*openapi\.json\n/);
  });
  afterAll(async () => {
    await demo.remove();
    rmSync(folder, { recursive: true });
  });

  it('starts with the command of the demonstration, and shows its result', () => {
    expect(steps[0]?.command).toBe(START);
    expect(demo.stdout.trim()).toMatch(new RegExp(`^${patternOf(steps[0]?.printed ?? '')}\n`));
  });

  it('has commands whose output matches the page, in sequence', async () => {
    const typed = steps.filter(({ command }) => command !== START);
    expect(typed.length).toBeGreaterThan(5);
    // One shell, like a reader's terminal: later commands use the variables of earlier ones.
    const script = typed.map(({ command }) => `${command}\nprintf '\\n${END}\\n'`).join('\n');
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euc', script.replace('http://127.0.0.1:3000', baseUrl)],
      { cwd: folder },
    );
    const outputs = stdout.split(`${END}\n`).map((text) => text.replaceAll('}{', '}\n{').trim());
    for (const [index, { command, printed }] of typed.entries())
      expect({ command, output: outputs[index] }).toEqual({
        command,
        output: expect.stringMatching(new RegExp(`^${patternOf(printed)}$`)),
      });
  });
});

const END = '--- end of a command';

/** Pattern of an output: `…` matches anything, all other text matches itself. */
function patternOf(shown: string): string {
  return shown
    .split('…')
    .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('[^]*');
}
