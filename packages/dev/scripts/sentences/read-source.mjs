import ts from 'typescript';
import { splitParagraph } from './split.mjs';

const TITLE = /^(?:it|it[A-Z]\w*|test)(?:$|\.(?:each|only|skip|failing|todo)\b)/;
const LOG = new Set(['debug', 'error', 'fatal', 'info', 'trace', 'warn']);
/** Files with titles of tests. */
const SUITE = /\.(?:contract|spec)\.tsx?$/;
/** Strings of tests are data, except titles. */
const IN_TESTS = /(?:^|\/)test\/|\.contract\.tsx?$|\/scripts\/planted\//;
/** Properties whose text a person reads. */
const SHOWN = new Set(['description', 'message', 'remedy', 'summary', 'title']);
/** A string of the sources with this many words is a text for people, unless it is SQL. */
const WORDS_OF_TEXT = 4;
const SQL =
  /^\s*(?:alter|begin|copy|create|delete|drop|explain|grant|insert|lock|pragma|select|set|update|vacuum|with)\b/i;

/**
 * Sentences of a TypeScript or JavaScript file: docstrings, comments, titles of tests, log messages
 * and texts of errors, as `{ kind, line, text }`.
 */
export function readSource(file, source) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind);
  const lineOf = (position) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const found = [];
  const comments = new Map();
  const seen = new Set();
  const isTest = SUITE.test(file);
  const add = (name, position, text, of) => {
    for (const sentence of splitParagraph(text))
      found.push({ kind: name, line: lineOf(position), of, ...sentence });
  };
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(source, node.pos) ?? [])
      comments.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(source, node.end) ?? [])
      comments.set(range.pos, range);
    if (ts.isTaggedTemplateExpression(node)) return;
    for (const [name, text] of textsIn(node, tree, isTest)) {
      if (seen.has(text)) continue;
      seen.add(text);
      add(name, text.getStart(tree), textOf(text));
    }
    if (isText(node) && !seen.has(node) && !IN_TESTS.test(file) && isForPeople(textOf(node))) {
      seen.add(node);
      add('message', node.getStart(tree), textOf(node));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  for (const paragraph of paragraphsOf([...comments.values()], source))
    add(paragraph.kind, paragraph.position, paragraph.text, codeAfter(source, paragraph.end));
  return found.toSorted((one, other) => one.line - other.line);
}

function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node);
}

function isForPeople(text) {
  const count = text.split(/\s+/).filter((word) => /^[\p{L}’'“”(),.:;!?-]+$/u.test(word)).length;
  return count >= WORDS_OF_TEXT && !SQL.test(text);
}

/** Texts right below a node that people read, each with its kind. */
function textsIn(node, tree, isTest) {
  const found = [];
  const add = (kind, text) => {
    if (text === undefined) return;
    if (ts.isStringLiteralLike(text) || ts.isTemplateExpression(text)) found.push([kind, text]);
    // The parts of a concatenation.
    if (ts.isBinaryExpression(text)) for (const part of [text.left, text.right]) add(kind, part);
  };
  if (ts.isCallExpression(node)) {
    const callee = node.expression.getText(tree);
    const [name] = callee.split(/[.(]/);
    if (isTest && name === 'describe' && !callee.endsWith('.each')) add('group', node.arguments[0]);
    if (isTest && TITLE.test(callee) && !callee.endsWith('.each')) add('title', node.arguments[0]);
    const method = callee.split('.').at(-1);
    if (!isTest && LOG.has(method) && callee.includes('.')) add('message', node.arguments.at(-1));
    if (!isTest && (method === 'describe' || method === 'say')) add('message', node.arguments[0]);
  }
  if (ts.isNewExpression(node) && /Error$|^(?:Cannot|Quote)/.test(node.expression.getText(tree)))
    for (const [place, text] of (node.arguments ?? []).entries())
      if (place === 0 || isForPeople(literalOf(text))) add('message', text);
  if (ts.isPropertyAssignment(node) && SHOWN.has(node.name.getText(tree)) && !isTest)
    add('message', node.initializer);
  return found;
}

/** Text of a literal or of a concatenation of literals; values become the word `x`. */
function literalOf(node) {
  if (ts.isBinaryExpression(node)) return `${literalOf(node.left)}${literalOf(node.right)}`;
  return isText(node) ? textOf(node) : 'x';
}

/** True if people read the text. The tree must have been made with parents. */
export function isShown(text, tree) {
  const isTest = SUITE.test(tree.fileName);
  let { parent } = text;
  while (ts.isBinaryExpression(parent)) ({ parent } = parent);
  return textsIn(parent, tree, isTest).some(([, shown]) => shown === text);
}

/** Values in a template become the word `x`. */
function textOf(node) {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('');
}

/** Comments as paragraphs: line comments that follow each other are one. */
function paragraphsOf(ranges, source) {
  const paragraphs = [];
  let last;
  for (const { pos, end } of ranges.toSorted((one, other) => one.pos - other.pos)) {
    const text = source.slice(pos, end);
    if (text.startsWith('//')) {
      const body = text.slice(2).trim();
      if (/^(?:#|oxlint|@ts-|prettier|eslint|CAST:|Stryker)/.test(body)) continue;
      const isItem = body === '' || /^[-*] /.test(body);
      if (last?.kind === 'comment' && !isItem && /^\s*$/.test(source.slice(last.end, pos))) {
        last.text += ` ${body}`;
        last.end = end;
        continue;
      }
      last = { kind: 'comment', position: pos, end, text: body.replace(/^[-*] /, '') };
      paragraphs.push(last);
      continue;
    }
    last = undefined;
    const kind = text.startsWith('/**') ? 'docstring' : 'comment';
    for (const part of blockParagraphs(text))
      paragraphs.push({ kind, position: pos, end, text: part });
  }
  return paragraphs;
}

/** First line of code after a comment: the declaration that the comment documents. */
function codeAfter(source, end) {
  return source
    .slice(end)
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .find((line) => line !== '' && !/^(?:\/\/|\/?\*)/.test(line));
}

/** Description and tags of a block comment. A tag's name and parameter are not part of its text. */
function blockParagraphs(text) {
  const lines = text
    .replace(/^\/\*+/, '')
    .replace(/\*+\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  return lines
    .join('\n')
    .split(/\n\s*\n|\n(?=@)|\n(?=[-*] )|^(?=@)/)
    .map((part) =>
      part
        .replace(/^@(?:param|property)\s+\S+\s*/, '')
        .replace(/^@throws\s+\S+\s*/, '')
        .replace(/^@default\s+none\s*$/, '')
        .replace(/^@\w+\s*/, '')
        .replace(/^[-*] /, ''),
    )
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part !== '' && !/^(?:jest-environment|isolated)/.test(part));
}
