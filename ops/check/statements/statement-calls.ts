import ts from 'typescript';
import { variantsOf } from './constant-text.ts';
import { Unknown } from './variants.ts';

export interface Statement {
  readonly text: string;
  /** Of its parameters, in their order; null when they have only numbers. */
  readonly names: readonly string[] | null;
}

/** A place in the source that asks the database. */
export interface StatementCall {
  /** `persistence/accounts/sessions.ts:41`. */
  readonly place: string;
  /** Each statement that it can send; none when it is put together at run time. */
  readonly statements: readonly Statement[];
  /** Why the texts are not known. */
  readonly unknown: string | null;
  /** The type of a row that the code expects, where it says so. */
  readonly row: ts.Type | null;
  /** The types of the parameters in their order, or by their names; null when they are put together at run time. */
  readonly parameters: readonly ts.Type[] | ReadonlyMap<string, ts.Type> | null;
}

/** All calls of `query` with SQL, in the given sources. */
export function statementCalls(
  program: ts.Program,
  isRead: (file: string) => boolean,
  placeOf: (file: string, line: number) => string,
): StatementCall[] {
  const checker = program.getTypeChecker();
  const calls: StatementCall[] = [];
  for (const source of program.getSourceFiles()) {
    if (!isRead(source.fileName)) continue;
    const visit = (node: ts.Node): void => {
      const statement = statementOf(checker, node);
      if (statement !== null) {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        calls.push({ place: placeOf(source.fileName, line), ...statement });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return calls;
}

function statementOf(checker: ts.TypeChecker, node: ts.Node): Omit<StatementCall, 'place'> | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const [statement] = node.arguments;
  if (node.expression.name.text !== 'query' || statement === undefined) return null;
  if (!isSql(checker.getTypeAtLocation(statement))) return null;
  const [row] = node.typeArguments ?? [];
  const rest = {
    row: row === undefined ? null : checker.getTypeFromTypeNode(row),
    parameters: parametersOf(checker, node),
  };
  try {
    const known = variantsOf(checker, statement).map((value) => asStatement(value, statement));
    // A word alone is the name of something else that has a method `query`, such as a request's address.
    if (known.every(({ text }) => /^\w*$/.test(text))) return null;
    const statements = [...new Map(known.map((one) => [one.text, one])).values()];
    return { statements, unknown: null, ...rest };
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    return { statements: [], unknown: error.message, ...rest };
  }
}

const isSql = (type: ts.Type): boolean =>
  type.isUnion()
    ? type.types.some(isSql)
    : (type.flags & ts.TypeFlags.StringLike) !== 0 || type.getProperty('text') !== undefined;

function asStatement(value: unknown, node: ts.Node): Statement {
  if (typeof value === 'string') return { text: value, names: null };
  const { text, names = null } = (value ?? {}) as { text?: unknown; names?: string[] | null };
  if (typeof text === 'string') return { text, names };
  throw new Unknown(node, `${node.getText().slice(0, 60)} is no text`);
}

/** Of `query(text, [...])`, `query(prepared(text, [...]))` and `query(named(text, {...}))`. */
function parametersOf(
  checker: ts.TypeChecker,
  { arguments: [statement, values] }: ts.CallExpression,
): StatementCall['parameters'] {
  if (values !== undefined) return ofList(checker, values);
  if (statement === undefined || !ts.isCallExpression(statement))
    return statement !== undefined && !ts.isIdentifier(statement) ? [] : null;
  const [, given] = statement.arguments;
  if (given === undefined || !ts.isIdentifier(statement.expression)) return null;
  if (statement.expression.text === 'prepared') return ofList(checker, given);
  if (statement.expression.text !== 'named') return null;
  const type = checker.getTypeAtLocation(given);
  return new Map(
    type.getProperties().map((one) => [one.name, checker.getTypeOfSymbolAtLocation(one, given)]),
  );
}
function ofList(checker: ts.TypeChecker, values: ts.Expression): readonly ts.Type[] | null {
  if (!ts.isArrayLiteralExpression(values) || values.elements.some(ts.isSpreadElement)) return null;
  return values.elements.map((one) => checker.getTypeAtLocation(one));
}
