import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = join(ROOT, 'docs/how-to');

/** A place of a file, and what stands there afterwards. */
interface Hunk {
  readonly before: string;
  readonly after: string;
}

type Edit =
  | { readonly file: string; readonly hunks: readonly Hunk[] }
  | { readonly file: string; readonly content: string };

/** A command, and what it prints; null where the page shows nothing. */
interface Command {
  readonly command: string;
  readonly printed: string | null;
}

/**
 * A page of docs/how-to. Its blocks say what to do: `diff` changes the file of its `+++` line where
 * its lines stand, `@@` between two places; `ts` with a path in its first line is a new file; `sh`
 * is run, and a block without a language below it is what that prints.
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

/** Performs the page's edits on a copy. @throws where a place is not there, or there twice */
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

/** What differs from run to run is `…` in the page. */
export function patternOf(shown: string): RegExp {
  const parts = shown
    .split('…')
    .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}$`);
}
