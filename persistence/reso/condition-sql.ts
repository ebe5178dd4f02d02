import { SqlValues } from '../database/sql-values.ts';
import type { Field, FieldType, Resource } from './fields.ts';
import type { Comparison, Condition, Literal, TextFunction } from './query-tree.ts';
import { cut, QueryFault } from './query-tree.ts';

/**
 * Conditions as SQL over the fields of a resource. Values are parameters; names only choose from the table of fields. Comparisons
 * with null are OData's: false, or true for \`ne\`, so \`not\` is made of two values only.
 */
const SIGNS: Readonly<Record<Exclude<Comparison, 'eq' | 'ne'>, string>> = {
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
};
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TARGET = '$filter';

const fault = (message: string): QueryFault => new QueryFault(message, TARGET);

/** The field, or a fault that names it. */
export function fieldOf(resource: Resource, name: string, target = TARGET): Field {
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  if (field === undefined) throw new QueryFault(`${resource.name} has no field ${cut(name)}.`, target);
  return field;
}

/** What a variable of a lambda names: one value of a list. */
type Scope = { readonly variable: string; readonly sql: string } | null;

const MATCHING: Readonly<Record<Exclude<FieldType, 'key' | 'strings'>, [Literal['kind'], string]>> = {
  string: ['string', 'text'],
  int: ['number', 'numeric'],
  decimal: ['number', 'numeric'],
  date: ['date', 'date'],
  instant: ['instant', 'timestamptz'],
  boolean: ['boolean', 'boolean'],
};

export class ConditionSql {
  readonly #resource: Resource;
  readonly values: SqlValues;

  constructor(resource: Resource, values = new SqlValues()) {
    this.#resource = resource;
    this.values = values;
  }

  /** @throws QueryFault for a field that does not exist, or a value that is not of its type */
  of(condition: Condition, scope: Scope = null): string {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return `(${condition.parts.map((part) => this.of(part, scope)).join(` ${condition.kind.toUpperCase()} `)})`;
      case 'not':
        return `(NOT coalesce(${this.of(condition.inner, scope)}, false))`;
      case 'compare':
        return this.#compare(this.#subject(condition.field, scope), condition.operator, condition.literal);
      case 'has':
        return this.#has(condition.field, condition.literal, scope);
      case 'in':
        return this.#in(this.#subject(condition.field, scope), condition.literals);
      case 'text':
        return this.#text(condition.call, this.#subject(condition.field, scope), condition.value);
      default:
        return this.#lambda(condition, scope);
    }
  }

  #subject(name: string, scope: Scope): Field {
    if (scope !== null && name === scope.variable) return { type: 'string', sql: scope.sql };
    const field = fieldOf(this.#resource, name);
    if (scope !== null) throw fault(`Inside a lambda, only its variable ${scope.variable} can be named.`);
    if (field.type === 'strings') throw fault(`${name} is a list: use any or all.`);
    return field;
  }

  #compare(field: Field, operator: Comparison, literal: Literal): string {
    if (literal.kind === 'null') {
      if (operator === 'eq') return `(${field.sql} IS NULL)`;
      if (operator === 'ne') return `(${field.sql} IS NOT NULL)`;
      return 'false';
    }
    if (field.type === 'key') return this.#compareKey(field.sql, operator, literal);
    if (field.type === 'boolean' && operator !== 'eq' && operator !== 'ne')
      throw fault('A field that is true or false takes eq and ne.');
    const value = this.#value(field.type, literal);
    if (operator === 'eq') return `(${field.sql} = ${value})`;
    if (operator === 'ne') return `(${field.sql} IS DISTINCT FROM ${value})`;
    return `(${field.sql} ${SIGNS[operator]} ${value})`;
  }

  /** Keys are stored in 16 bytes, whose order is that of their text. A text that is no key equals none. */
  #compareKey(sql: string, operator: Comparison, literal: Literal): string {
    if (literal.kind !== 'string') throw fault('A key is compared with a string.');
    if (!UUID.test(literal.value)) {
      if (operator === 'eq') return 'false';
      if (operator === 'ne') return 'true';
      return `(${sql}::text COLLATE "C" ${SIGNS[operator]} ${this.values.add(literal.value, 'text')})`;
    }
    const value = this.values.add(literal.value, 'uuid');
    if (operator === 'eq') return `(${sql} = ${value})`;
    if (operator === 'ne') return `(${sql} IS DISTINCT FROM ${value})`;
    return `(${sql} ${SIGNS[operator]} ${value})`;
  }

  #in(field: Field, literals: readonly Literal[]): string {
    if (literals.every(({ kind }) => kind === 'string') && field.type === 'key') {
      const keys = literals.flatMap((literal) =>
        literal.kind === 'string' && UUID.test(literal.value) ? [literal.value] : [],
      );
      return `(${field.sql} = ANY (${this.values.add(keys, 'uuid[]')}))`;
    }
    return `(${literals.map((literal) => this.#compare(field, 'eq', literal)).join(' OR ')})`;
  }

  #has(name: string, literal: Literal, scope: Scope): string {
    const field = scope?.variable === name ? null : fieldOf(this.#resource, name);
    if (literal.kind !== 'string') throw fault('has takes a value of a lookup.');
    if (field?.type === 'strings') return `(${this.values.add(literal.value, 'text')} = ANY (${field.sql}))`;
    return this.#compare(this.#subject(name, scope), 'eq', literal);
  }

  #text(call: TextFunction, field: Field, value: string): string {
    if (field.type !== 'string' && field.type !== 'key') throw fault(`${call} takes a string.`);
    const sql = field.type === 'key' ? `${field.sql}::text` : field.sql;
    const part = this.values.add(value, 'text');
    if (call === 'contains') return `(strpos(${sql}, ${part}) > 0)`;
    if (call === 'startswith') return `starts_with(${sql}, ${part})`;
    return `(right(${sql}, length(${part})) = ${part})`;
  }

  #lambda(condition: Extract<Condition, { kind: 'any' | 'all' }>, scope: Scope): string {
    if (scope !== null) throw fault('A lambda cannot be inside another one.');
    const field = fieldOf(this.#resource, condition.field);
    if (field.type !== 'strings') throw fault(`${condition.field} is no list.`);
    if (condition.inner === null) return `(cardinality(${field.sql}) > 0)`;
    const inner = this.of(condition.inner, { variable: condition.variable, sql: 'item.value' });
    const items = `SELECT FROM unnest(${field.sql}) AS item (value)`;
    return condition.kind === 'any'
      ? `EXISTS (${items} WHERE ${inner})`
      : `NOT EXISTS (${items} WHERE NOT coalesce(${inner}, false))`;
  }

  #value(type: Exclude<FieldType, 'key' | 'strings'> | FieldType, literal: Literal): string {
    if (type === 'key' || type === 'strings') throw fault('This field is compared with a string.');
    const [kind, sql] = MATCHING[type];
    if (literal.kind === 'now' && type === 'instant') return 'now()';
    if (literal.kind !== kind || !('value' in literal)) throw fault(EXPECTED[type]);
    return this.values.add(literal.value, sql);
  }
}

const EXPECTED: Readonly<Record<Exclude<FieldType, 'key' | 'strings'>, string>> = {
  string: "This field takes a string in single quotes, such as 'Active'.",
  int: 'This field takes a number.',
  decimal: 'This field takes a number.',
  date: 'This field takes a date, such as 2026-11-30.',
  instant: 'This field takes an instant, such as 2026-11-30T18:00:00Z.',
  boolean: 'This field takes true or false.',
};
