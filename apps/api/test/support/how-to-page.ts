import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = join(ROOT, 'docs/how-to');

/** Lines of a file and the lines that replace them. */
interface Hunk {
  readonly before: string;
  readonly after: string;
}

type Edit =
  | { readonly file: string; readonly hunks: readonly Hunk[] }
  | { readonly file: string; readonly content: string };

/** A command and its expected output, which is null if the page prints no output. */
interface Command {
  readonly command: string;
  readonly printed: string | null;
}

/**
 * A page of docs/how-to. The code blocks of the page are instructions:
 *
 * - `diff` changes the file of its `+++` line at the quoted lines, with `@@` between two hunks.
 * - `ts` with a path in its first line creates a new file.
 * - `sh` is a command. A block without a language below the command is its output.
 */
export interface HowTo {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly commands: readonly Command[];
}

export function howToPages(): readonly HowTo[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readPage(name, readFileSync(join(FOLDER, name), 'utf8')));
}

function readPage(name: string, markdown: string): HowTo {
  const blocks = [...markdown.matchAll(/^( *)```(\w*)\n([^]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', text = '']) => ({
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
  return {
    name,
    edits: blocks.flatMap(({ language, text }) => {
      if (language === 'diff') return [readDiff(text)];
      const file = /^\/\/ (\S+\/\S+)\n/.exec(text)?.[1];
      return language === 'ts' && file !== undefined ? [{ file, content: text }] : [];
    }),
    commands: blocks.flatMap(({ language, text }, index) => {
      if (language !== 'sh') return [];
      const below = blocks[index + 1];
      return [{ command: text.trim(), printed: below?.language === '' ? below.text.trim() : null }];
    }),
  };
}

function readDiff(text: string): Edit {
  const [first = '', ...lines] = text.trimEnd().split('\n');
  const file = /^\+\+\+ (\S+)$/.exec(first)?.[1];
  if (file === undefined) throw new Error(`a diff names no file: ${first}`);
  const hunks = lines
    .join('\n')
    .split(/^@@\n/m)
    .map((hunk) => {
      const side = (left: string): string =>
        hunk
          .trimEnd()
          .split('\n')
          .filter((line) => !line.startsWith(left))
          .map((line) => line.slice(1))
          .join('\n');
      return { before: side('+'), after: side('-') };
    });
  return { file, hunks };
}

/**
 * Applies the page's edits to a copy of the workspace. @throws Error if the copy does not contain
 * the quoted lines, or contains them twice
 */
export function perform({ name, edits }: HowTo, root: string): void {
  for (const edit of edits) {
    const path = join(root, edit.file);
    if ('content' in edit) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, edit.content, { flag: 'wx' });
      continue;
    }
    const text = edit.hunks.reduce(
      (source, { before, after }) => {
        const places = source.split(before).length - 1;
        if (places !== 1)
          throw new Error(`${name}: ${places} places in ${edit.file} for\n${before}`);
        return source.replace(before, () => after);
      },
      readFileSync(path, 'utf8'),
    );
    writeFileSync(path, text);
  }
}

/**
 * Returns a pattern for the printed output, in which `…` replaces values that vary between runs.
 */
export function patternOf(shown: string): RegExp {
  const parts = shown
    .split('…')
    .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}$`);
}
