// Generates pages with the declarations of each package that ships: one page per package in
// docs/reference/packages, so that reviewers see a changed declaration. Needs the built
// declarations. With `--write`, it writes the pages. Without `--write`, it fails if a stored page
// differs from the generated page.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { shippedPackages } from './packs.mjs';
import { root, say } from './run.mjs';

const PAGES = join(root, 'docs', 'reference', 'packages');
/**
 * Minimum number of packages that the search must find. If it finds fewer, it has missed packages.
 */
const LEAST_PACKAGES = 25;
/**
 * Maximum length of a printed declaration, in characters. A longer declaration is generated from
 * data that other pages of docs/ contain.
 */
const LONGEST = 5_000;
const WRITE = process.argv.includes('--write');

const packages = shippedPackages();
if (packages.length < LEAST_PACKAGES)
  throw new Error(
    `only ${packages.length} packages ship: the check of their declarations is blind`,
  );

const entriesOf = ({ folder, manifest: { name, exports } }) =>
  Object.entries(exports).flatMap(([path, { types } = {}]) =>
    types === undefined
      ? []
      : [{ specifier: `${name}${path.slice(1)}`, file: join(root, folder, types) }],
  );

const program = ts.createProgram(
  packages.flatMap(entriesOf).map(({ file }) => file),
  {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  },
);
const checker = program.getTypeChecker();
/** Packages whose pages contain the comments, because wallets and web apps are built on them. */
const WITH_COMMENTS = new Set(['@sotto/client', '@sotto/prover', '@sotto/wallet']);
const printers = {
  plain: ts.createPrinter({ removeComments: true }),
  commented: ts.createPrinter(),
};

/**
 * Returns the statement that declares a name. For a variable, the result is the whole variable
 * statement.
 */
function statementOf(declaration) {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

function shortened(text) {
  if (text.length <= LONGEST) return text;
  const hash = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, text.search(/[^\w ]/))} // ${text.length} characters, SHA-256 ${hash}`;
}

/** Returns the declarations of an export. */
function declared(exported, printer) {
  const symbol = resolved(exported);
  if (symbol.flags & ts.SymbolFlags.ValueModule)
    return [`namespace ${exported.name} {`, ...declarationsOf(symbol, printer), '}'];
  const texts = (symbol.declarations ?? []).map((declaration) => {
    const statement = statementOf(declaration);
    const text = printer.printNode(ts.EmitHint.Unspecified, statement, declaration.getSourceFile());
    return shortened(
      text.replace(/^(\/\*\*[^]*?\*\/\s*)?(?:export )?(?:default )?(?:declare )?/, '$1'),
    );
  });
  const name = exported.name;
  return (symbol.name === name ? [] : [`// ${symbol.name} as ${name}`]).concat(texts);
}

/** Returns the exports of a module, sorted by name. */
function exportsOf(module) {
  return checker
    .getExportsOfModule(module)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the declarations of all exports of a module. */
function declarationsOf(module, printer) {
  return exportsOf(module).flatMap((exported) => declared(exported, printer));
}

/**
 * Returns the symbol behind an alias. If two entry points export the same declaration, they have
 * the same symbol.
 */
const resolved = (exported) =>
  exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;

function reportOf(shipped) {
  const { name, version, license } = shipped.manifest;
  const hasComments = WITH_COMMENTS.has(name);
  const printer = hasComments ? printers.commented : printers.plain;
  const shown = new Map();
  const parts = entriesOf(shipped).map(({ specifier, file }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file));
    if (module === undefined) throw new Error(`${specifier} is not built, or exports nothing`);
    /** @type {ts.Symbol[][]} */
    const [again, first] = [[], []];
    for (const exported of exportsOf(module)) {
      const symbol = resolved(exported);
      (shown.get(symbol) === exported.name ? again : first).push(exported);
      shown.set(symbol, exported.name);
    }
    const names = again.map((exported) => `\`${exported.name}\``).join(', ');
    const repeated = again.length === 0 ? '' : `Declared above: ${names}.\n\n`;
    const declarations = first.flatMap((exported) => declared(exported, printer));
    const block = declarations.length === 0 ? '' : `\`\`\`ts\n${declarations.join('\n')}\n\`\`\`\n`;
    return `## ${specifier}\n\n${repeated}${block}`.trimEnd().concat('\n');
  });
  return [
    `<!-- Generated by packages/dev/scripts/api-reports.mjs --write. -->\n`,
    `# ${name}\n\nVersion ${version}, ${license}. ${hasComments ? 'Declarations with' : 'Declarations without'} their comments.\n`,
    ...parts,
  ].join('\n');
}

const pages = new Map(
  packages.map((shipped) => [
    `${shipped.manifest.name.replace('@sotto/', '')}.md`,
    reportOf(shipped),
  ]),
);
if (WRITE) {
  rmSync(PAGES, { recursive: true, force: true });
  mkdirSync(PAGES, { recursive: true });
  for (const [page, text] of pages) writeFileSync(join(PAGES, page), text);
}
const changed = [...pages].filter(([page, text]) => {
  const file = join(PAGES, page);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
const gone = readdirSync(PAGES).filter((page) => !pages.has(page));
for (const [page] of changed) say(`docs/reference/packages/${page}: the declarations have changed`);
for (const page of gone) say(`docs/reference/packages/${page}: no such package ships`);
if (changed.length + gone.length > 0)
  say('if that is meant: node packages/dev/scripts/api-reports.mjs --write, and a changeset');
process.exitCode = changed.length + gone.length > 0 ? 1 : 0;
