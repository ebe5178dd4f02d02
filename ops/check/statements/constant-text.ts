import { createRequire } from 'node:module';
import ts from 'typescript';
import { named } from '../../../persistence/database/sql-values.ts';
import { Choices, Unknown } from './variants.ts';

/**
 * Works out what an expression of the source is when it runs, as far as the source alone says so: the texts of SQL
 * statements are put together from constants, of their own module and of others, and from small functions of constant
 * arguments. What a module exports is taken from the module itself. A value that is not known, but has a type of a few
 * literals, is each of them in turn; so is a condition.
 */
type Scope = Map<ts.Symbol, unknown>;
type Program = (...values: unknown[]) => unknown;
type Func = ts.ArrowFunction | ts.FunctionDeclaration | ts.FunctionExpression;

/** Of one expression. */
const MOST_VARIANTS = 64;
const DEEPEST = 60;

/** Every value that the expression can have. @throws Unknown */
export function variantsOf(checker: ts.TypeChecker, node: ts.Expression): unknown[] {
  const found: unknown[] = [];
  for (let path: number[] | undefined = []; path !== undefined; ) {
    if (found.length === MOST_VARIANTS) throw new Unknown(node, `has more than ${MOST_VARIANTS} variants`);
    const choices: Choices = new Choices(path);
    found.push(new Evaluation(checker, choices).value(node, new Map()));
    path = choices.next();
  }
  return found;
}

class Evaluation {
  readonly #checker: ts.TypeChecker;
  readonly #choices: Choices;
  #depth = 0;

  constructor(checker: ts.TypeChecker, choices: Choices) {
    this.#checker = checker;
    this.#choices = choices;
  }

  value(node: ts.Expression, scope: Scope): unknown {
    this.#depth += 1;
    try {
      if (this.#depth > DEEPEST) throw new Unknown(node, 'is nested too deeply');
      return this.#valueOf(node, scope);
    } finally {
      this.#depth -= 1;
    }
  }

  #valueOf(node: ts.Expression, scope: Scope): unknown {
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return this.value(node.expression, scope);
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (node.kind === ts.SyntaxKind.NullKeyword) return null;
    if (ts.isTemplateExpression(node)) return this.#template(node, scope);
    if (ts.isIdentifier(node)) return this.#named(this.#checker.getSymbolAtLocation(node), node, scope);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return this.#program(node, scope);
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((one) => this.#element(one, scope));
    if (ts.isObjectLiteralExpression(node)) return this.#object(node, scope);
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
      return this.#property(node, scope);
    if (ts.isConditionalExpression(node))
      return this.value(this.#isTrue(node.condition, scope) ? node.whenTrue : node.whenFalse, scope);
    if (ts.isCallExpression(node)) return this.#call(node, scope);
    if (ts.isBinaryExpression(node)) return this.#binary(node, scope);
    return this.#chosen(node);
  }

  #template(node: ts.TemplateExpression, scope: Scope): string {
    return node.templateSpans.reduce((text, { expression, literal }) => {
      const value = this.value(expression, scope);
      if (value === null || value === undefined || typeof value === 'function')
        throw new Unknown(expression, 'is no text');
      return text + String(value) + literal.text;
    }, node.head.text);
  }

  #element(node: ts.Expression, scope: Scope): unknown[] {
    return ts.isSpreadElement(node)
      ? [...(this.value(node.expression, scope) as Iterable<unknown>)]
      : [this.value(node, scope)];
  }

  /** A part of an object that is not known harms only who reads it. */
  #object(node: ts.ObjectLiteralExpression, scope: Scope): object {
    const found: Record<string, unknown> = {};
    for (const one of node.properties)
      if (ts.isSpreadAssignment(one)) Object.assign(found, this.value(one.expression, scope));
      else if (ts.isPropertyAssignment(one)) {
        const known = this.#known(() => this.value(one.initializer, scope));
        if (known !== null) found[this.#nameOf(one.name, scope)] = known.value;
      } else if (ts.isShorthandPropertyAssignment(one)) {
        const symbol = this.#checker.getShorthandAssignmentValueSymbol(one);
        const known = this.#known(() => this.#named(symbol, one.name, scope));
        if (known !== null) found[one.name.text] = known.value;
      }
    return found;
  }
  #nameOf(name: ts.PropertyName, scope: Scope): string {
    if (ts.isComputedPropertyName(name)) return String(this.value(name.expression, scope));
    return name.text;
  }

  #property(node: ts.PropertyAccessExpression | ts.ElementAccessExpression, scope: Scope): unknown {
    const target = this.#known(() => this.value(node.expression, scope))?.value;
    if (target === undefined || target === null) return this.#chosen(node);
    const name = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : String(this.value(node.argumentExpression, scope));
    const value = (target as Record<string, unknown>)[name];
    return value === undefined ? this.#chosen(node) : value;
  }

  #named(found: ts.Symbol | undefined, node: ts.Identifier, scope: Scope): unknown {
    if (node.text === 'undefined') return undefined;
    if (node.text === 'Object') return Object;
    if (found === undefined) throw new Unknown(node, 'has no declaration');
    const symbol = found.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(found) : found;
    if (scope.has(symbol)) return scope.get(symbol);
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined) return this.#chosen(node);
    // `import * as`.
    if (ts.isSourceFile(declaration)) return load(declaration.fileName);
    const exported = exportedValue(declaration);
    if (exported !== undefined) return exported;
    if (ts.isFunctionDeclaration(declaration)) return this.#program(declaration, new Map());
    if (isConst(declaration) && ts.isIdentifier(declaration.name))
      return this.value(declaration.initializer, scope);
    if (ts.isBindingElement(declaration) && isConst(declaration.parent.parent))
      return this.#bound(declaration, declaration.parent.parent.initializer, scope);
    return this.#chosen(node);
  }

  /** `const { one } = known`, `const [one] = known`. */
  #bound(element: ts.BindingElement, initializer: ts.Expression, scope: Scope): unknown {
    const inner: Scope = new Map(scope);
    this.#bind(element.parent, this.value(initializer, scope), inner);
    const symbol = this.#checker.getSymbolAtLocation(element.name);
    const value = symbol && inner.get(symbol);
    return value ?? this.#chosen(element.name as ts.Identifier);
  }
  #bind(name: ts.BindingName, value: unknown, scope: Scope): void {
    if (ts.isIdentifier(name)) {
      const symbol = this.#checker.getSymbolAtLocation(name);
      if (symbol) scope.set(symbol, value);
      return;
    }
    for (const [index, one] of name.elements.entries()) {
      if (ts.isOmittedExpression(one)) continue;
      const key = ts.isArrayBindingPattern(name) ? String(index) : (one.propertyName ?? one.name).getText();
      const part = (value as Record<string, unknown> | null | undefined)?.[key];
      this.#bind(
        one.name,
        part === undefined && one.initializer ? this.value(one.initializer, scope) : part,
        scope,
      );
    }
  }

  #chosen(node: ts.Expression): unknown {
    const type = this.#checker.getTypeAtLocation(node);
    const literals = (type.isUnion() ? type.types : [type]).map((part): { value: unknown } | null => {
      if (part.isStringLiteral() || part.isNumberLiteral()) return { value: part.value };
      if (part.flags & ts.TypeFlags.BooleanLiteral)
        return { value: this.#checker.typeToString(part) === 'true' };
      if (part.flags & ts.TypeFlags.Null) return { value: null };
      return part.flags & ts.TypeFlags.Undefined ? { value: undefined } : null;
    });
    if (literals.length > MOST_VARIANTS || literals.includes(null))
      throw new Unknown(node, 'is known at run time only');
    const question = ts.isIdentifier(node) ? this.#checker.getSymbolAtLocation(node) : node.getText();
    return literals[this.#choices.of(question, literals.length)]?.value;
  }

  #isTrue(node: ts.Expression, scope: Scope): boolean {
    const known = this.#known(() => this.value(node, scope));
    return known === null ? this.#choices.of(node.getText(), 2) === 0 : Boolean(known.value);
  }
  #known(make: () => unknown): { value: unknown } | null {
    try {
      return { value: make() };
    } catch (error) {
      if (error instanceof Unknown) return null;
      throw error;
    }
  }

  #binary(node: ts.BinaryExpression, scope: Scope): unknown {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.QuestionQuestionToken)
      return this.value(node.left, scope) ?? this.value(node.right, scope);
    const operation = OPERATIONS[kind];
    if (operation === undefined) throw new Unknown(node, 'has an operator that is not followed');
    return operation(this.value(node.left, scope) as number, this.value(node.right, scope) as number);
  }

  #call(node: ts.CallExpression, scope: Scope): unknown {
    const { expression } = node;
    const callee = this.value(expression, scope);
    if (typeof callee !== 'function') throw new Unknown(node, 'calls what is not followed');
    const own = this.#sources.get(callee as Program);
    if (own !== undefined)
      return this.#run(
        own,
        node.arguments.map((one) => this.#known(() => this.value(one, scope))),
      );
    if (Object.values(STATEMENT_MAKERS).includes(callee as Program))
      return (callee as Program)(...node.arguments.slice(0, 1).map((one) => this.value(one, scope)));
    const target = ts.isPropertyAccessExpression(expression)
      ? this.value(expression.expression, scope)
      : null;
    return (callee as Program).apply(
      target,
      node.arguments.flatMap((one) => this.#element(one, scope)),
    );
  }

  /** The functions that this evaluation made of the source. */
  readonly #sources = new WeakMap<Program, { code: Func; scope: Scope }>();
  #program(code: Func, scope: Scope): Program {
    const source = { code, scope };
    const program: Program = (...values) =>
      this.#run(
        source,
        values.map((value) => ({ value })),
      );
    this.#sources.set(program, source);
    return program;
  }

  /** Arguments that are not known are left to what the function needs of them. */
  #run(
    { code, scope }: { code: Func; scope: Scope },
    values: readonly ({ value: unknown } | null)[],
  ): unknown {
    const inner: Scope = new Map(scope);
    for (const [index, { name, initializer }] of code.parameters.entries()) {
      const given = values[index];
      if (given === null) continue;
      const isLeftOut = given?.value === undefined && initializer !== undefined;
      this.#bind(name, isLeftOut ? this.value(initializer, inner) : given?.value, inner);
    }
    if (code.body === undefined) throw new Unknown(code, 'has no body');
    return ts.isBlock(code.body) ? this.#statements(code.body, inner) : this.value(code.body, inner);
  }
  #statements(block: ts.Block, scope: Scope): unknown {
    for (const one of block.statements)
      if (ts.isReturnStatement(one)) return one.expression && this.value(one.expression, scope);
      else if (ts.isIfStatement(one) && ts.isReturnStatement(one.thenStatement) && !one.elseStatement) {
        const { expression } = one.thenStatement;
        if (this.#isTrue(one.expression, scope)) return expression && this.value(expression, scope);
      } else if (!ts.isVariableStatement(one)) throw new Unknown(one, 'is a statement that is not followed');
    throw new Unknown(block, 'returns nothing');
  }
}

const OPERATIONS: { [operator in ts.SyntaxKind]?: (left: number, right: number) => unknown } = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: (left, right) => left === right,
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: (left, right) => left !== right,
  [ts.SyntaxKind.PlusToken]: (left, right) => left + right,
  [ts.SyntaxKind.MinusToken]: (left, right) => left - right,
  [ts.SyntaxKind.AsteriskToken]: (left, right) => left * right,
  [ts.SyntaxKind.SlashToken]: (left, right) => left / right,
  [ts.SyntaxKind.AsteriskAsteriskToken]: (left, right) => left ** right,
};

/** What makes a statement of a text and its values: here of the text alone, with the names of the values. */
const STATEMENT_MAKERS: Readonly<Record<string, Program>> = {
  prepared: (text) => ({ text }),
  named(text) {
    const { text: numbered, values } = named(String(text), NAMES);
    return { text: numbered, names: values };
  },
};
/** Has every name, with itself as its value. */
const NAMES: Record<string, unknown> = new Proxy({}, { has: () => true, get: (_, name) => name });

function exportedValue(declaration: ts.Declaration): unknown {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  if (!ts.isVariableStatement(statement) && !ts.isFunctionDeclaration(statement)) return undefined;
  const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const name = (declaration as ts.VariableDeclaration | ts.FunctionDeclaration).name?.getText();
  if (isExported !== true || !ts.isSourceFile(statement.parent) || name === undefined) return undefined;
  return STATEMENT_MAKERS[name] ?? load(statement.parent.fileName)[name];
}
const load = createRequire(import.meta.url) as (path: string) => Record<string, unknown>;

const isConst = (node: ts.Node): node is ts.VariableDeclaration & { readonly initializer: ts.Expression } =>
  ts.isVariableDeclaration(node) &&
  node.initializer !== undefined &&
  (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) !== 0;
