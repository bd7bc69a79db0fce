// The public signatures of each package as text, from the built types: what `npm run api` writes to docs/api, and what a test compares.
// TypeScript 7 has no API for programs yet; the older line that attw brings along reads the same types.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const ts = require(require.resolve('typescript', { paths: [join(root, 'node_modules/@arethetypeswrong/core')] }));

/** Doors for sibling packages of the same version, and a program that nobody imports. */
const PRIVATE_DOORS = new Set([
  './internal',
  './internal/health-server',
  './internal/selector-check',
  './compute-worker',
  './read',
]);

/** The types behind a door, once for each platform that gets others: `{ title, file }`. */
function typesOf(door, target) {
  if (target.types !== undefined && target.node === undefined) return [{ title: door, file: target.types }];
  return [
    { title: `${door} on Node`, file: target.node.types },
    { title: `${door} elsewhere`, file: target.types },
  ];
}

/** Every public package with its reports: a map from the name of the file to its text. */
export function apiReports() {
  const { program, packages } = load();
  return new Map(packages.map((of) => [fileNameOf(of.name), reportOf(program, of)]));
}

/** The same for people: what each door exports, one entry each, with the comments of the sources. */
export function apiDoors() {
  const { program, packages } = load();
  return packages.map(({ name, folder, doors }) => {
    let before = new Map();
    return {
      name,
      file: fileNameOf(name),
      doors: doors.map(({ title, file }) => {
        const current = doorOf(program, file, folder, true);
        const isRest = isRestOf(title);
        const missing = isRest ? missingOf(before, current) : undefined;
        const entries = [...current].filter(([key, text]) => !isRest || before.get(key) !== text);
        before = current;
        return {
          title,
          missing,
          entries: entries.map(([key, text]) => ({
            name: key.slice(key.indexOf(' ') + 1),
            isExported: key.startsWith('export '),
            text,
            comment: [...text.matchAll(/\/\*\*(.*?)\*\//gsu)]
              .map(([, said]) => said.replaceAll(/\s*\*\s/gu, ' ').trim())
              .join(' '),
          })),
        };
      }),
    };
  });
}

function isRestOf(title) {
  return title.endsWith(' elsewhere');
}

function missingOf(before, current) {
  const missing = [...before.keys()].filter((key) => key.startsWith('export ') && !current.has(key));
  return missing.map((key) => key.slice('export '.length));
}

function load() {
  const packages = publicPackages().map(({ name, folder, manifest }) => ({
    name,
    folder,
    doors: Object.entries(manifest.exports)
      .filter(([door]) => !PRIVATE_DOORS.has(door))
      .flatMap(([door, target]) => typesOf(`${name}${door.slice(1)}`, target))
      .map(({ title, file }) => ({ title, file: join(folder, file) })),
  }));
  const program = ts.createProgram(
    packages.flatMap(({ doors }) => doors.map(({ file }) => file)),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
  );
  return { program, packages };
}

function fileNameOf(name) {
  return `${name.replace('@listwatch/', '')}.md`;
}

function reportOf(program, { name, folder, doors }) {
  const lines = [
    `# API of ${name}`,
    '',
    'Written by `npm run api` from the types that are published. A test fails when they differ: a change of this page is a change of',
    'what users can rely on ([what is stable](../reference/stability.md)).',
  ];
  let before = new Map();
  for (const { title, file } of doors) {
    const current = doorOf(program, file, folder);
    const isRest = isRestOf(title);
    lines.push('', `## ${title}`, '');
    if (isRest) lines.push(...sameAsBefore(before, current));
    const shown = isRest ? [...current].filter(([key, text]) => before.get(key) !== text) : [...current];
    if (shown.length > 0) lines.push('```ts', shown.map(([, text]) => text).join('\n\n'), '```');
    before = current;
  }
  return `${lines.join('\n')}\n`;
}

function sameAsBefore(before, current) {
  const names = missingOf(before, current).map((name) => `\`${name}\``);
  return [
    'The same as on Node, but for what follows.',
    '',
    ...(names.length > 0 ? [`Missing: ${names.join(', ')}.`, ''] : []),
  ];
}

/** What a door exports and what that names without being exported, by name. */
function doorOf(program, file, folder, withComments = false) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file} is missing: npm run build`);
  const exported = new Map();
  for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(source))) {
    exported.set(resolved(checker, symbol), symbol.name);
  }
  const found = new Map();
  const hidden = new Map();
  const visit = (symbol, name, into) => {
    const declarations = (symbol.declarations ?? []).filter((one) => !ts.isSourceFile(one));
    const own = declarations.filter((one) => isWithin(one.getSourceFile().fileName, folder));
    if (own.length === 0) {
      into.set(`export ${name}`, `export { ${name} } from '${packageOf(declarations[0])}';`);
      return;
    }
    const prefix = into === found ? 'export' : 'used';
    // The text comes later: what it names may name this one.
    into.set(`${prefix} ${name}`, '');
    into.set(`${prefix} ${name}`, own.map((one) => textOf(one, name, into === found, withComments)).join('\n'));
    for (const next of own.flatMap((one) => namedIn(checker, one))) {
      if (exported.has(next) || [...hidden.keys()].includes(`used ${next.name}`)) continue;
      const place = next.declarations?.[0];
      if (place === undefined || !isWithin(place.getSourceFile().fileName, folder) || !isTopLevel(place)) continue;
      visit(next, next.name, hidden);
    }
  };
  for (const [symbol, name] of exported) visit(symbol, name, found);
  return new Map([...sorted(found), ...sorted(hidden)]);
}

function resolved(checker, symbol) {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

function sorted(entries) {
  return [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function isWithin(file, folder) {
  return file.startsWith(join(folder, 'dist').split(sep).join('/'));
}

function isTopLevel(declaration) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return statement.parent !== undefined && ts.isSourceFile(statement.parent);
}

/** The package that a declaration of another one comes from. */
function packageOf(declaration) {
  if (declaration === undefined) return 'unknown';
  for (let at = dirname(declaration.getSourceFile().fileName); at !== dirname(at); at = dirname(at)) {
    try {
      return JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).name;
    } catch {
      // The next folder up.
    }
  }
  return 'unknown';
}

const plain = ts.createPrinter({ removeComments: true });
const commented = ts.createPrinter();

function textOf(declaration, name, isExported, withComments) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const shown = ts.isClassDeclaration(statement) ? publicClass(statement) : statement;
  const comments = withComments ? leadingComments(statement) : '';
  const text = (withComments ? commented : plain)
    .printNode(ts.EmitHint.Unspecified, shown, declaration.getSourceFile())
    // With comments the printer repeats those before the statement.
    .replace(/^(?:\/\*\*.*?\*\/\s*)+/su, '')
    .replace(/^export (?:default )?/u, '')
    .replace(/^declare /u, '');
  const own = declaration.name?.text ?? name;
  const second = own === name ? '' : `\nexport { ${own} as ${name} };`;
  const tags = ts.getJSDocTags(statement).filter(({ tagName }) => tagName.text === 'deprecated');
  const comment = comments !== '' ? comments : tags.length > 0 ? '/** @deprecated */\n' : '';
  return `${comment}${isExported ? 'export ' : '// not exported\n'}${text}${second}`;
}

/** The JSDoc of a statement. The printer writes comments within a node, not those before it. */
function leadingComments(statement) {
  const text = (ts.getJSDocCommentsAndTags(statement) ?? [])
    .filter((one) => ts.isJSDoc(one))
    .map((one) => one.getText());
  return text.length === 0 ? '' : `${text.join('\n')}\n`;
}

/** A class without its private members: they are in the types, and nobody can use them. */
function publicClass(declaration) {
  const members = declaration.members.filter((member) => !isPrivate(member));
  const { modifiers, name, typeParameters, heritageClauses } = declaration;
  return ts.factory.createClassDeclaration(modifiers, name, typeParameters, heritageClauses, members);
}

/** Private members name types that are no part of the API. */
function isPrivate(node) {
  if (!ts.isClassElement(node)) return false;
  const isMarked = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
  return isMarked || (node.name !== undefined && ts.isPrivateIdentifier(node.name));
}

/** The symbols that a declaration names in its types. */
function namedIn(checker, declaration) {
  const found = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node) && node !== declaration.name) {
      const symbol = checker.getSymbolAtLocation(node);
      if (symbol !== undefined) found.add(resolved(checker, symbol));
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(declaration, (child) => {
    if (!isPrivate(child)) visit(child);
  });
  return [...found];
}
