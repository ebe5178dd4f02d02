import { z } from 'zod';
import { NAMED_MODELS, ROUTE_MODELS } from '../../../src/wire/response-models.ts';
import type { ProcedureInfo } from './procedures.ts';

/**
 * The shapes of all answers as JSON Schema definitions that refer to each other: one per object. Each name depends
 * only on the object's own place, so that a new procedure renames nothing. Enumerations are plain strings (an app
 * must decode a status that it does not know), and so are instants and ids. Integers and other numbers are separate
 * types.
 */
export type Schema = { readonly [keyword: string]: unknown };

interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

export interface Model {
  readonly name: string;
  readonly schema: ObjectSchema;
  /** Procedures and routes with this answer, for the comment above the model. */
  readonly answers: readonly string[];
  /** The file of the model: a router's name, `shared`, or `routes`. */
  readonly group: string;
}

export interface ResponseModels {
  readonly models: readonly Model[];
  /** The model of each procedure's answer, by path. */
  readonly byProcedure: ReadonlyMap<string, string>;
}

const REF = '#/definitions/';
const refTo = (name: string): Schema => ({ $ref: REF + name });
export const nameIn = ({ $ref }: Schema): string | null =>
  typeof $ref === 'string' ? $ref.slice(REF.length) : null;

/** @throws Error naming the model whose answer is not an object, or contains values that JSON cannot represent */
export function readResponseModels(procedures: readonly ProcedureInfo[]): ResponseModels {
  const { names, byProcedure } = namesOf(procedures);
  const definitions = liftObjects(jsonSchemas(names));
  const groups = groupsOf(definitions, byProcedure);
  // A named model that no answer contains would be dead code in every app.
  const models = [...groups].map(([name, group]) => ({
    name,
    schema: definitions.get(name)!,
    answers: [...byProcedure].filter(([, model]) => model === name).map(([path]) => path),
    group,
  }));
  return { models: models.toSorted((a, b) => (a.name < b.name ? -1 : 1)), byProcedure };
}

/** The same answers with their limits and enumerations, for people: a shape with its own name is referred to by it. */
export function answerSchemas(procedures: readonly ProcedureInfo[]): {
  readonly byProcedure: ReadonlyMap<string, Schema>;
  readonly shared: ReadonlyMap<string, Schema>;
} {
  const { names, byProcedure } = namesOf(procedures);
  const schemas = jsonSchemas(names);
  const named = (name: string) => name in NAMED_MODELS || name in ROUTE_MODELS;
  const answers = [...byProcedure].map(([path, name]): [string, Schema] => [
    path,
    named(name) ? refTo(name) : schemas.get(name)!,
  ]);
  const shared = [...schemas].filter(([name]) => named(name)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { byProcedure: new Map(answers), shared: new Map(shared) };
}

function namesOf(procedures: readonly ProcedureInfo[]) {
  const names = new Map<z.ZodType, string>();
  for (const [name, schema] of Object.entries<z.ZodType>({ ...NAMED_MODELS, ...ROUTE_MODELS })) {
    names.set(schema, name);
  }
  for (const { path, output } of procedures) if (!names.has(output)) names.set(output, outputName(path));
  return { names, byProcedure: new Map(procedures.map(({ path, output }) => [path, names.get(output)!])) };
}

/** `search.suggestLocations` is answered with `SearchSuggestLocationsOutput`. quicktype writes a leading Ai as AI. */
const outputName = (path: string): string =>
  `${path
    .split('.')
    .map(capitalised)
    .join('')
    .replace(/^Ai(?=[A-Z])/, 'AI')}Output`;
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function jsonSchemas(names: ReadonlyMap<z.ZodType, string>): Map<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { target: 'draft-7', io: 'output', uri: (id) => REF + id });
  return new Map(Object.entries(schemas as Record<string, Schema>));
}

/** Gives every nested object a separate definition. */
function liftObjects(schemas: ReadonlyMap<string, Schema>): Map<string, ObjectSchema> {
  const definitions = new Map<string, ObjectSchema>();
  const lift = (schema: Schema, name: string): Schema => {
    const plain = plainShape(schema, name);
    if (plain.items !== undefined)
      return { type: 'array', items: lift(plain.items as Schema, singular(name)) };
    if (Array.isArray(plain.anyOf)) return { anyOf: plain.anyOf.map((one: Schema) => lift(one, name)) };
    if (plain.type !== 'object') return plain;
    if (plain.properties === undefined) {
      return {
        type: 'object',
        additionalProperties: lift(plain.additionalProperties as Schema, `${name}Value`),
      };
    }
    if (definitions.has(name) || schemas.has(name))
      throw new Error(`two models are called ${name}: name one`);
    define(plain, name);
    return refTo(name);
  };
  const define = (schema: Schema, name: string): void => {
    const entries = Object.entries(schema.properties as Record<string, Schema>).map(
      ([field, one]): [string, Schema] => [
        field,
        lift(one, name.replace(/Output$/, '') + capitalised(field)),
      ],
    );
    const required = (schema.required as string[] | undefined) ?? [];
    const order = entries.map(([field]) => field);
    definitions.set(name, {
      type: 'object',
      properties: Object.fromEntries(entries),
      required,
      additionalProperties: false,
      quicktypePropertyOrder: order,
    } as ObjectSchema);
  };
  for (const [name, schema] of schemas) {
    const plain = plainShape(schema, name);
    if (plain.properties === undefined)
      throw new Error(`${name}: answer with an object, so that it can grow`);
    define(plain, name);
  }
  return definitions;
}

const singular = (name: string): string =>
  name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.endsWith('ss') ? name : name.replace(/s$/, '');

/** The parts of a schema that a client's type can express: no limits, patterns, formats or enumerations. */
function plainShape(schema: Schema, name: string): Schema {
  const { type, $ref, anyOf, oneOf, properties, required, items, additionalProperties } = schema;
  if ($ref !== undefined) return { $ref };
  const options = anyOf ?? oneOf;
  if (Array.isArray(options))
    return union(
      options.map((one: Schema) => plainShape(one, name)),
      name,
    );
  if (Array.isArray(type))
    return union(
      type.map((one: string) => ({ type: one })),
      name,
    );
  switch (type ?? typeof (schema.const ?? (schema.enum as unknown[] | undefined)?.[0])) {
    case 'object':
      if (properties !== undefined) return { type: 'object', properties, required };
      if (typeof additionalProperties === 'object') return { type: 'object', additionalProperties };
      break;
    case 'array': {
      // A tuple is a list of the common type of its elements.
      const tuple = Array.isArray(items) ? items : (schema.prefixItems as Schema[] | undefined);
      if (tuple !== undefined)
        return {
          type: 'array',
          items: union(
            tuple.map((one: Schema) => plainShape(one, name)),
            name,
          ),
        };
      if (typeof items === 'object') return { type: 'array', items };
      break;
    }
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return { type: type ?? typeof (schema.const ?? (schema.enum as unknown[])[0]) };
  }
  throw new Error(`${name}: clients cannot be given a type for ${JSON.stringify(schema).slice(0, 200)}`);
}

/** One shape, or one shape or null. Variants of an object become one object that has the fields of all. */
function union(options: readonly Schema[], name: string): Schema {
  const distinct = [...new Map(options.map((one) => [JSON.stringify(one), one])).values()];
  const shapes = distinct.filter(({ type }) => type !== 'null');
  const [only] = shapes;
  const shape = shapes.length === 1 ? only! : merged(shapes, name);
  return shapes.length < distinct.length ? { anyOf: [shape, { type: 'null' }] } : shape;
}

function merged(shapes: readonly Schema[], name: string): Schema {
  if (shapes.every(({ type }) => type === 'integer' || type === 'number')) return { type: 'number' };
  if (!shapes.every(({ properties }) => properties !== undefined)) {
    throw new Error(`${name}: a client's type can be one shape or null, not ${shapes.length} shapes`);
  }
  const fields = new Map<string, Schema[]>();
  for (const { properties } of shapes as ObjectSchema[]) {
    for (const [field, one] of Object.entries(properties))
      fields.set(field, [...(fields.get(field) ?? []), one]);
  }
  const properties = [...fields].map(([field, ones]): [string, Schema] => [
    field,
    union(
      ones.map((one) => plainShape(one, name)),
      `${name}.${field}`,
    ),
  ]);
  const required = [...fields.keys()].filter((field) =>
    (shapes as ObjectSchema[]).every((shape) => shape.required?.includes(field)),
  );
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/** A model that only one router's answers use belongs to that router; a model that several use is shared. */
function groupsOf(
  definitions: ReadonlyMap<string, ObjectSchema>,
  byProcedure: ReadonlyMap<string, string>,
): Map<string, string> {
  const users = new Map<string, Set<string>>();
  const visit = (name: string, group: string): void => {
    const known = users.get(name) ?? new Set();
    if (known.has(group)) return;
    users.set(name, known.add(group));
    for (const inner of namesIn(definitions.get(name))) visit(inner, group);
  };
  for (const [path, model] of byProcedure) visit(model, path.split('.')[0]!);
  for (const name of Object.keys(ROUTE_MODELS)) visit(name, 'routes');
  return new Map([...users].map(([name, groups]) => [name, groups.size === 1 ? [...groups][0]! : 'shared']));
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = nameIn(value as Schema);
  return own === null ? Object.values(value).flatMap(namesIn) : [own];
}
