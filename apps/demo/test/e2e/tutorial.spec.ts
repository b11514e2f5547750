import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoProcess } from '../support/demo-process.js';

const page = readFileSync(new URL('../../../../docs/tutorial.md', import.meta.url), 'utf8');

/**
 * Commands of the page in order, each with its expected output, which is empty if the page prints
 * none.
 */
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

  it('the output of the demonstration’s start command matches the tutorial', () => {
    expect(steps[0]?.command).toBe(START);
    expect(demo.stdout.trim()).toMatch(new RegExp(`^${patternOf(steps[0]?.printed ?? '')}\n`));
  });

  it('the commands of the tutorial, run in sequence, print the output on the page', async () => {
    const typed = steps.filter(({ command }) => command !== START);
    expect(typed.length).toBeGreaterThan(5);
    // All commands run in one shell, because later commands use variables of earlier commands.
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

/**
 * Returns a pattern of the output. In it, `…` matches any text, and other text matches only itself.
 */
function patternOf(shown: string): string {
  return shown
    .split('…')
    .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('[^]*');
}
