import { enumerationName } from './enumerations.ts';
import { nameIn, type Schema } from './response-schemas.ts';

/** JSON Schema in the notation of docs/api.md: like a TypeScript type with limits, on one line where it fits. */
const WIDTH = 100;

export function describeShape(schema: Schema, indent = ''): string {
  const name = nameIn(schema);
  if (name !== null) return name;
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options !== undefined) return options.map((one) => describeShape(one, indent)).join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => describeShape({ ...schema, type }, indent)).join(' | ');
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return enumerationName(schema.enum) ?? schema.enum.map(quoted).join(' | ');
  switch (schema.type) {
    case 'object':
      return describeObject(schema, indent);
    case 'array':
      return describeArray(schema, indent);
    case 'string':
      return describeString(schema);
    case 'integer':
      return `int${range(schema.minimum, schema.maximum)}`;
    case 'number':
      return `number${range(schema.minimum, schema.maximum ?? below(schema.exclusiveMaximum))}`;
    case 'boolean':
    case 'null':
      return String(schema.type);
    default:
      return 'anything';
  }
}

const quoted = (word: unknown): string => `'${String(word)}'`;

function describeObject({ properties, required, additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) return `{ [key]: ${describeShape(additionalProperties as Schema, indent)} }`;
  const needed = new Set(required as string[] | undefined);
  const inner = `${indent}  `;
  const fields = Object.entries(properties as Record<string, Schema>).map(([field, schema]) => {
    const optional = needed.has(field) && schema.default === undefined ? '' : '?';
    const byDefault = schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`;
    return `${field}${optional}: ${describeShape(schema, inner)}${byDefault}`;
  });
  if (fields.length === 0) return '{}';
  const line = `{ ${fields.join('; ')} }`;
  if (indent.length + line.length <= WIDTH && !line.includes('\n')) return line;
  return `{\n${fields.map((field) => `${inner}${field};\n`).join('')}${indent}}`;
}

function describeArray({ items, prefixItems, minItems, maxItems }: Schema, indent: string): string {
  const tuple = Array.isArray(items) ? (items as Schema[]) : (prefixItems as Schema[] | undefined);
  if (tuple !== undefined) return `[${tuple.map((one) => describeShape(one, indent)).join(', ')}]`;
  const item = describeShape((items ?? {}) as Schema, indent);
  const bounds = minItems === undefined && maxItems === undefined ? '' : range(minItems, maxItems).trim();
  return `${/ [|=] | \d/.test(item) && !item.startsWith('{') ? `(${item})` : item}[${bounds}]`;
}

function describeString({ format, minLength, maxLength, pattern }: Schema): string {
  if (format === 'uuid') return 'uuid';
  if (format === 'date-time') return 'instant';
  if (format !== undefined) return String(format);
  if (typeof pattern === 'string') return `string /${pattern}/`;
  return `string${range(minLength, maxLength)}`;
}

/** The bounds of safe integers are not shown as limits. */
const isLimit = (bound: unknown): bound is number | string =>
  typeof bound === 'string' || (typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER);

function range(from: unknown, to: unknown): string {
  if (!isLimit(from) && !isLimit(to)) return '';
  return ` ${isLimit(from) ? from : ''}..${isLimit(to) ? to : ''}`;
}

const below = (bound: unknown): unknown => (typeof bound === 'number' ? `<${bound}` : bound);
