import { sentencesOf, splitParagraph } from './split.mjs';

/** Sentences of a Markdown document without its code blocks, as `{ kind, line, text }`. */
export function readMarkdown(source) {
  const found = [];
  let paragraph = null;
  let isCode = false;
  const flush = () => {
    if (paragraph === null) return;
    for (const sentence of splitParagraph(paragraph.text))
      found.push({ kind: paragraph.kind, line: paragraph.line, ...sentence });
    paragraph = null;
  };
  for (const [index, line] of source.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      flush();
      isCode = !isCode;
      continue;
    }
    if (isCode) continue;
    const [, marker = '', text] = /^\s*(#+ |[-*] |\d+\. |> |\| ?)?(.*)$/.exec(line);
    if (text.trim() === '' || marker !== '') flush();
    if (text.trim() === '' || /^[-:| ]+$/.test(line)) continue;
    if (marker.startsWith('|')) {
      for (const cell of text.split(/(?<!\\)\|/))
        for (const sentence of sentencesOf(cell))
          found.push({ kind: 'cell', line: index + 1, text: sentence });
      continue;
    }
    const kind = marker.startsWith('#') ? 'heading' : 'document';
    if (paragraph === null) paragraph = { kind, line: index + 1, text };
    else paragraph.text += ` ${text.trim()}`;
    if (kind === 'heading') flush();
  }
  flush();
  return found;
}

/** Sentences of comments, summaries and descriptions of a YAML file. */
export function readYaml(source) {
  const found = [];
  let comment = null;
  const flush = () => {
    if (comment === null) return;
    for (const text of sentencesOf(comment.text))
      found.push({ kind: 'comment', line: comment.line, text });
    comment = null;
  };
  for (const [index, line] of source.split('\n').entries()) {
    const [, body] = /^\s*#+ ?(.*)$/.exec(line) ?? [];
    if (body !== undefined) {
      if (comment === null) comment = { line: index + 1, text: body };
      else comment.text += ` ${body}`;
      continue;
    }
    flush();
    const [, shown] = /^\s*(?:description|summary|title):\s*['"]?(.+?)['"]?$/.exec(line) ?? [];
    for (const text of sentencesOf(shown ?? ''))
      found.push({ kind: 'message', line: index + 1, text });
  }
  flush();
  return found;
}

/** Sentences of the descriptions in a JSON file. */
export function readJson(source) {
  return [...source.matchAll(/"(?:description|summary|title)":\s*("(?:[^"\\]|\\.)*")/g)].flatMap(
    ({ 1: value, index }) =>
      sentencesOf(JSON.parse(value)).map((text) => ({
        kind: 'message',
        line: source.slice(0, index).split('\n').length,
        text,
      })),
  );
}
