import ts from 'typescript';
import type { DescribedColumn } from './described.ts';
import type { Statement, StatementCall } from './statement-calls.ts';

/** What the compiler's types of a statement's row and parameters have to say about what PostgreSQL describes. */

/** The kinds of values that the driver gives and takes. */
type Kind = 'text' | 'number' | 'boolean' | 'instant' | 'bytes' | 'json' | 'list' | 'null';

/** By the type's name in `pg_type`; every other type (enums, `interval`, addresses) is text. */
const KINDS: Readonly<Record<string, Kind>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  oid: 'number',
  timestamptz: 'instant',
  timestamp: 'instant',
  date: 'instant',
  bytea: 'bytes',
  json: 'json',
  jsonb: 'json',
  void: 'json',
};
/** What else may be given for a parameter of a kind: the driver writes it as text, and PostgreSQL reads it. */
const TAKES: Readonly<Record<Kind, readonly Kind[]>> = {
  text: ['text', 'number'],
  // The numbers of rows travel as text where they are keys.
  number: ['number', 'text'],
  boolean: ['boolean'],
  instant: ['instant', 'text'],
  bytes: ['bytes'],
  json: ['json', 'text', 'number', 'boolean', 'instant', 'bytes', 'list'],
  list: ['list'],
  null: [],
};

/** A type of PostgreSQL: its name, and its labels when it is an enum. */
export interface SqlType {
  readonly name: string;
  readonly isArray: boolean;
  readonly labels: readonly string[] | null;
}
export type SqlTypes = ReadonlyMap<number, SqlType>;

const kindOf = ({ name, isArray }: SqlType): Kind =>
  isArray ? 'list' : name === 'numeric' ? 'text' : (KINDS[name] ?? 'text');

/** What does not agree between the row that the code expects and the one that PostgreSQL gives, a line each. */
export function rowProblems(
  checker: ts.TypeChecker,
  row: ts.Type,
  columns: readonly DescribedColumn[],
  types: SqlTypes,
): string[] {
  const problems: string[] = [];
  if (isOpen(checker, row)) return [];
  const expected = new Map(checker.getPropertiesOfType(row).map((one) => [one.name, one]));
  for (const { name, dataTypeID } of columns) {
    const property = expected.get(name);
    const sql = types.get(dataTypeID);
    expected.delete(name);
    if (property !== undefined && sql !== undefined)
      problems.push(
        ...valueProblems(checker, checker.getTypeOfSymbol(property), sql).map((text) => `"${name}" ${text}`),
      );
  }
  for (const [name, property] of expected)
    if (!(property.flags & ts.SymbolFlags.Optional))
      problems.push(`"${name}" is in the row's type, and not read`);
  return problems;
}
/** Any name may be in it. */
const isOpen = (checker: ts.TypeChecker, row: ts.Type): boolean =>
  (row.flags & (ts.TypeFlags.Any | ts.TypeFlags.TypeParameter | ts.TypeFlags.NonPrimitive)) !== 0 ||
  checker.getIndexInfosOfType(row).length > 0;

function valueProblems(checker: ts.TypeChecker, type: ts.Type, sql: SqlType): string[] {
  const expected = kindOf(sql);
  if (expected === 'json') return [];
  const kinds = kindsOf(checker, type);
  // Code that also takes the text of an instant takes the instant.
  const also: readonly string[] = expected === 'instant' && kinds.includes('instant') ? ['text'] : [];
  const wrong = kinds.filter((kind) => ![expected, 'null', 'any', ...also].includes(kind));
  if (wrong.length > 0)
    return [`is ${sql.name}${sql.isArray ? '[]' : ''}, and ${checker.typeToString(type)} in the row's type`];
  return labelProblems(type, sql);
}
function labelProblems(type: ts.Type, { labels, name }: SqlType): string[] {
  if (labels === null) return [];
  const literals = partsOf(type).flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  const unknown = literals.filter((one) => !labels.includes(one));
  return unknown.length === 0 ? [] : [`has ${unknown.join(', ')} in its type, which ${name} does not have`];
}

/** What does not agree between the parameters that the code gives and those of the statement. */
export function parameterProblems(
  checker: ts.TypeChecker,
  { given, names }: { given: StatementCall['parameters']; names: Statement['names'] },
  parameters: readonly number[],
  types: SqlTypes,
): string[] {
  if (given === null) return [];
  const list =
    given instanceof Map ? (names ?? []).map((name) => given.get(name)) : (given as readonly ts.Type[]);
  if (list.length !== parameters.length)
    return [`has ${parameters.length} parameters, and ${list.length} are given`];
  return list.flatMap((type, index) => {
    const sql = types.get(parameters[index] ?? 0);
    if (sql === undefined || type === undefined) return [];
    const nameOf = (at: number) => (names === null ? `$${at + 1}` : `:${names[at]}`);
    const takes = TAKES[kindOf(sql)];
    const wrong = kindsOf(checker, type).filter(
      (kind) => kind !== 'null' && kind !== 'any' && !takes.includes(kind),
    );
    if (wrong.length > 0)
      return [
        `${nameOf(index)} is ${sql.name}${sql.isArray ? '[]' : ''}, and ${checker.typeToString(type)} is given`,
      ];
    return labelProblems(type, sql).map((text) => `${nameOf(index)} ${text}`);
  });
}

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

function kindsOf(checker: ts.TypeChecker, type: ts.Type): (Kind | 'any')[] {
  return partsOf(type).map((part) => {
    const { flags } = part;
    if (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never))
      return 'null';
    if (flags & ts.TypeFlags.StringLike) return 'text';
    if (flags & ts.TypeFlags.NumberLike) return 'number';
    if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return 'any';
    if (part.isIntersection()) return kindsOf(checker, part.types[0] ?? part)[0] ?? 'any';
    const constraint = flags & ts.TypeFlags.TypeParameter ? checker.getBaseConstraintOfType(part) : undefined;
    if (constraint !== undefined) return kindsOf(checker, constraint)[0] ?? 'any';
    if (checker.isArrayType(part) || checker.isTupleType(part)) return 'list';
    const name = part.symbol?.name;
    if (name === 'Date') return 'instant';
    if (name === 'Buffer' || name === 'Uint8Array') return 'bytes';
    return 'json';
  });
}
