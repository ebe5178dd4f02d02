import {
  COMPARISONS,
  type Comparison,
  type Condition,
  type Literal,
  QueryFault,
  TEXT_FUNCTIONS,
  type TextFunction,
} from '../../../persistence/reso/query-tree.ts';

/**
 * Reads a `$filter` (docs/feeds.md#queries): a strict subset of OData 4.01. Always true: it ends in time proportional to the
 * text, whose length, depth and number of terms are bounded, and what it does not know is a `QueryFault`.
 */
export const MOST_CHARACTERS = 4_000;
export const MOST_TERMS = 100;
export const MOST_DEPTH = 20;
const MOST_VALUES = 200;
const TARGET = '$filter';

type Token =
  | { readonly kind: 'name' | 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'literal'; readonly literal: Literal; readonly at: number };

/** Each begins where the token before ended. The alternatives exclude each other, so nothing is read twice. */
const PARTS: readonly [RegExp, (text: string, at: number) => Token | null][] = [
  [/[ \t]+/y, () => null],
  [
    /'(?:[^']|'')*'/y,
    (text, at) => literal({ kind: 'string', value: text.slice(1, -1).replaceAll("''", "'") }, at),
  ],
  [
    /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[+-]\d{2}:\d{2})(?![\w.])/y,
    (text, at) => literal({ kind: 'instant', value: instantOf(text, at) }, at),
  ],
  [/\d{4}-\d{2}-\d{2}(?![\w.:-])/y, (text, at) => literal({ kind: 'date', value: dateOf(text, at) }, at)],
  [/-?\d{1,30}(?:\.\d{1,30})?(?![\w.:-])/y, (text, at) => literal({ kind: 'number', value: text }, at)],
  [/[A-Za-z_]\w{0,127}(?!\w)/y, (text, at) => named(text, at)],
  [/[(),:/]/y, (text, at) => ({ kind: 'sign', text, at })],
];

const literal = (value: Literal, at: number): Token => ({ kind: 'literal', literal: value, at });

function named(text: string, at: number): Token {
  if (text === 'true' || text === 'false') return literal({ kind: 'boolean', value: text === 'true' }, at);
  return text === 'null' ? literal({ kind: 'null' }, at) : { kind: 'name', text, at };
}

function dateOf(text: string, at: number): string {
  const read = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(read.getTime()) || read.toISOString().slice(0, 10) !== text || text < '0001')
    throw fault(`${text} is no date`, at);
  return text;
}

/** Beyond the milliseconds PostgreSQL reads six digits. */
function instantOf(text: string, at: number): string {
  dateOf(text.slice(0, 10), at);
  if (Number.isNaN(Date.parse(text))) throw fault(`${text} is no instant`, at);
  return text;
}

const fault = (what: string, at: number): QueryFault =>
  new QueryFault(`${what}, at character ${at + 1} of $filter.`, TARGET);

function tokensOf(text: string): Token[] {
  if (text.length > MOST_CHARACTERS)
    throw new QueryFault(`$filter has at most ${MOST_CHARACTERS} characters.`, TARGET);
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const found = PARTS.map(([pattern, make]) => {
      pattern.lastIndex = at;
      const match = pattern.exec(text)?.[0];
      return match === undefined ? null : { match, make };
    }).find((part) => part !== null);
    if (found == null) throw fault('This cannot be read', at);
    const token = found.make(found.match, at);
    if (token !== null) tokens.push(token);
    at += found.match.length;
  }
  return tokens;
}

const isComparison = (text: string): text is Comparison => (COMPARISONS as readonly string[]).includes(text);
const isTextFunction = (text: string): text is TextFunction =>
  (TEXT_FUNCTIONS as readonly string[]).includes(text);
const RESERVED = new Set([
  'and',
  'or',
  'not',
  'in',
  'has',
  'any',
  'all',
  'now',
  ...COMPARISONS,
  ...TEXT_FUNCTIONS,
]);

class FilterParser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #terms = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Condition {
    const condition = this.#or(0);
    const rest = this.#tokens[this.#next];
    if (rest !== undefined) throw fault('Nothing was expected here', rest.at);
    return condition;
  }

  #or(depth: number): Condition {
    return this.#joined('or', () => this.#and(depth));
  }

  #and(depth: number): Condition {
    return this.#joined('and', () => this.#unary(depth));
  }

  #joined(kind: 'and' | 'or', part: () => Condition): Condition {
    const first = part();
    const parts = [first];
    while (this.#takesName(kind)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts };
  }

  #unary(depth: number): Condition {
    if (depth >= MOST_DEPTH) throw new QueryFault(`$filter is nested at most ${MOST_DEPTH} deep.`, TARGET);
    if (this.#takesName('not')) return { kind: 'not', inner: this.#unary(depth + 1) };
    if (this.#takesSign('(')) {
      const inner = this.#or(depth + 1);
      this.#sign(')');
      return inner;
    }
    return this.#term(depth);
  }

  #term(depth: number): Condition {
    this.#terms += 1;
    if (this.#terms > MOST_TERMS) throw new QueryFault(`$filter has at most ${MOST_TERMS} terms.`, TARGET);
    const { text, at } = this.#name();
    if (isTextFunction(text)) return this.#call(text);
    if (RESERVED.has(text)) throw fault('A field was expected here', at);
    if (this.#takesSign('/')) return this.#lambda(text, depth);
    const operator = this.#name();
    if (operator.text === 'in') return { kind: 'in', field: text, literals: this.#values() };
    if (operator.text === 'has') return { kind: 'has', field: text, literal: this.#literal() };
    if (!isComparison(operator.text)) throw fault(`${operator.text} is no operator`, operator.at);
    return { kind: 'compare', field: text, operator: operator.text, literal: this.#literal() };
  }

  #call(call: TextFunction): Condition {
    this.#sign('(');
    const { text: field } = this.#name();
    this.#sign(',');
    const given = this.#literal();
    if (given.kind !== 'string') throw new QueryFault(`${call} takes a string in single quotes.`, TARGET);
    this.#sign(')');
    return { kind: 'text', call, field, value: given.value };
  }

  #lambda(field: string, depth: number): Condition {
    const { text: kind, at } = this.#name();
    if (kind !== 'any' && kind !== 'all') throw fault('any or all was expected here', at);
    this.#sign('(');
    if (kind === 'any' && this.#takesSign(')')) return { kind, field, variable: '', inner: null };
    const variable = this.#name();
    if (RESERVED.has(variable.text)) throw fault('A variable was expected here', variable.at);
    this.#sign(':');
    const inner = this.#or(depth + 1);
    this.#sign(')');
    return { kind, field, variable: variable.text, inner };
  }

  #values(): Literal[] {
    this.#sign('(');
    const values = [this.#literal()];
    while (this.#takesSign(',')) {
      values.push(this.#literal());
      if (values.length > MOST_VALUES)
        throw new QueryFault(`in takes at most ${MOST_VALUES} values.`, TARGET);
    }
    this.#sign(')');
    return values;
  }

  #literal(): Literal {
    const token = this.#take();
    if (token.kind === 'literal') return token.literal;
    if (token.kind !== 'name' || token.text !== 'now') throw fault('A value was expected here', token.at);
    this.#sign('(');
    this.#sign(')');
    return { kind: 'now' };
  }

  #take(): Token {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new QueryFault('$filter ends too early.', TARGET);
    this.#next += 1;
    return token;
  }

  #name(): { text: string; at: number } {
    const token = this.#take();
    if (token.kind !== 'name') throw fault('A name was expected here', token.at);
    return token;
  }

  #sign(text: string): void {
    const token = this.#take();
    if (token.kind !== 'sign' || token.text !== text) throw fault(`${text} was expected here`, token.at);
  }

  #takesSign(text: string): boolean {
    return this.#takes('sign', text);
  }

  #takesName(text: string): boolean {
    return this.#takes('name', text);
  }

  #takes(kind: 'sign' | 'name', text: string): boolean {
    const token = this.#tokens[this.#next];
    if (token?.kind !== kind || token.text !== text) return false;
    this.#next += 1;
    return true;
  }
}

/** The condition that the text states. @throws QueryFault */
export function parseFilter(text: string): Condition {
  return new FilterParser(tokensOf(text)).whole();
}

const write = (value: Literal): string => {
  if (value.kind === 'null') return 'null';
  if (value.kind === 'now') return 'now()';
  return value.kind === 'string' ? `'${value.value.replaceAll("'", "''")}'` : String(value.value);
};

/** The text of a condition, with all its brackets; reading it gives the condition again. */
export function writeFilter(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.map((part) => `(${writeFilter(part)})`).join(` ${condition.kind} `);
    case 'not':
      return `not (${writeFilter(condition.inner)})`;
    case 'compare':
      return `${condition.field} ${condition.operator} ${write(condition.literal)}`;
    case 'has':
      return `${condition.field} has ${write(condition.literal)}`;
    case 'in':
      return `${condition.field} in (${condition.literals.map(write).join(',')})`;
    case 'text':
      return `${condition.call}(${condition.field},${write({ kind: 'string', value: condition.value })})`;
    default:
      return condition.inner === null
        ? `${condition.field}/any()`
        : `${condition.field}/${condition.kind}(${condition.variable}:${writeFilter(condition.inner)})`;
  }
}
