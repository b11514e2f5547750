// Checks that a change rewrites only sentences. Comments, test titles, log messages and error texts
// may differ. In tests, any text may differ.
//
// Usage: node same-code.mjs [BASE]. BASE is main by default.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, say } from './run.mjs';
import { isShown } from './sentences/read-source.mjs';

const DIRECTIVE =
  /(?:oxlint-(?:disable|enable)|@ts-|prettier-ignore|Stryker (?:disable|restore))[^\n*]*|@isolated/g;

const [base = 'main'] = process.argv.slice(2);
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });

/**
 * Returns the tokens of a file without its comments. Texts that people read become the token
 * `text`.
 */
function tokensOf(file, source) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind);
  const isTest = /(?:^|\/)test\//.test(file);
  const tokens = [];
  const visit = (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    // In a test, a string without a space is data, such as an error code or an amount.
    const isProse = isTest && /\s/.test(node.getText(tree));
    if (isText && (isProse || isShown(node, tree))) {
      tokens.push('text');
      // Values inside a template text are code.
      if (ts.isTemplateExpression(node))
        for (const { expression } of node.templateSpans) visit(expression);
      return;
    }
    if (isTest && node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      tokens.push('text');
      return;
    }
    const children = node
      .getChildren(tree)
      .filter(({ kind: k }) => k < ts.SyntaxKind.FirstJSDocNode || k > ts.SyntaxKind.LastJSDocNode);
    if (children.length === 0) {
      const text = node.getText(tree);
      if (text !== '') tokens.push(text);
    }
    for (const child of children) visit(child);
  };
  visit(tree);
  // Directives in comments are treated as code, because they disable rules of tools.
  tokens.push(...(source.match(DIRECTIVE) ?? []).toSorted());
  // The formatter may add or remove a comma before a closing bracket.
  return tokens.filter(
    (token, index) => !(token === ',' && /^[)\]}]$/.test(tokens[index + 1] ?? '')),
  );
}

const since = git('merge-base', base, 'HEAD').trim();
const changed = git('diff', '--name-only', '--diff-filter=M', since)
  .split('\n')
  .filter((file) => /\.(?:m?tsx?|mjs)$/.test(file) && existsSync(join(root, file)));
let different = 0;
for (const file of changed) {
  const before = tokensOf(file, git('show', `${since}:${file}`));
  const after = tokensOf(file, readFileSync(join(root, file), 'utf8'));
  const index = before.findIndex((token, place) => token !== after[place]);
  if (index === -1 && before.length === after.length) continue;
  different += 1;
  const at = index === -1 ? before.length : index;
  say(
    `${file}: “${before.slice(at, at + 8).join(' ')}” became “${after.slice(at, at + 8).join(' ')}”`,
  );
}
say(`${changed.length} changed files, ${different} with other code`);
process.exitCode = different > 0 ? 1 : 0;
