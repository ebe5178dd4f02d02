/**
 * The part of `$filter` that readers use: comparisons, `in`, `and`, `or`, `not`, parentheses. Written from the standard
 * and not from our reader, so that each finds the faults of the other.
 */
export type Field = (name: string) => unknown;
export type Predicate = (field: Field) => boolean;

/** The expression is not understood: 400. */
export class BadQuery extends Error {
  override readonly name = 'BadQuery';
}

const TOKEN = /\s*(?:('(?:[^']|'')*')|([(),])|([\w.:+-]+))/y;

export function parseFilter(text: string): Predicate {
  const tokens = tokensOf(text);
  let at = 0;
  const peek = () => tokens[at];
  const take = (): string => {
    const token = tokens[at];
    if (token === undefined) throw new BadQuery('the filter ends too early');
    at += 1;
    return token;
  };
  const expect = (wanted: string) => {
    if (take() !== wanted) throw new BadQuery(`the filter lacks ${wanted}`);
  };
  const either = (): Predicate => {
    let left = both();
    while (peek() === 'or') {
      take();
      const [one, other] = [left, both()];
      left = (field) => one(field) || other(field);
    }
    return left;
  };
  const both = (): Predicate => {
    let left = single();
    while (peek() === 'and') {
      take();
      const [one, other] = [left, single()];
      left = (field) => one(field) && other(field);
    }
    return left;
  };
  const single = (): Predicate => {
    if (peek() === 'not') {
      take();
      const inner = single();
      return (field) => !inner(field);
    }
    if (peek() !== '(') return comparison(take(), take());
    take();
    const inner = either();
    expect(')');
    return inner;
  };
  const comparison = (name: string, operator: string): Predicate => {
    if (operator !== 'in') return compare(name, operator, take());
    expect('(');
    const values = new Set<unknown>();
    do values.add(literalValue(take()));
    while (take() === ',');
    return (field) => values.has(field(name));
  };
  const predicate = either();
  if (at < tokens.length) throw new BadQuery('the filter has something after its end');
  return predicate;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text);
    if (found === null) throw new BadQuery('the filter has a sign that is not known');
    tokens.push((found[1] ?? found[2] ?? found[3]) as string);
  }
  return tokens;
}

function compare(name: string, operator: string, literal: string): Predicate {
  const wanted = literalValue(literal);
  const order = (field: Field): number | null => {
    const value = field(name);
    const found = typeof wanted === 'bigint' && typeof value === 'string' ? microsOf(value) : value;
    if (found === null || found === undefined || typeof found !== typeof wanted) return null;
    return found === wanted ? 0 : (found as string) < (wanted as string) ? -1 : 1;
  };
  switch (operator) {
    case 'eq':
      return (field) => order(field) === 0;
    case 'ne':
      return (field) => order(field) !== 0;
    case 'gt':
      return (field) => order(field) === 1;
    case 'ge':
      return (field) => (order(field) ?? -1) >= 0;
    case 'lt':
      return (field) => order(field) === -1;
    case 'le':
      return (field) => (order(field) ?? 1) <= 0;
    default:
      throw new BadQuery(`no operator ${operator}`);
  }
}

function literalValue(literal: string): unknown {
  if (literal.startsWith("'")) return literal.slice(1, -1).replaceAll("''", "'");
  if (literal === 'true' || literal === 'false') return literal === 'true';
  if (literal === 'null') return null;
  if (/^-?\d+(?:\.\d+)?$/.test(literal)) return Number(literal);
  const micros = microsOf(literal);
  if (micros === null) throw new BadQuery(`${literal} is no value`);
  return micros;
}

/** Microseconds since 1970; a time may have more digits than a Date. */
function microsOf(time: string): bigint | null {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/.exec(time);
  if (found === null) return null;
  return BigInt(Date.parse(`${found[1]}Z`)) * 1000n + BigInt((found[2] ?? '').padEnd(6, '0'));
}
