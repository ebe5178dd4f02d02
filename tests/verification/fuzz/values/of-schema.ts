import fc from 'fast-check';
import type { z } from 'zod';

/**
 * Values that a zod schema accepts, made from the schema itself, so that a new procedure is fuzzed
 * automatically. Rules that zod does not expose (`refine`, `check`) are ignored: such values are almost
 * valid. Most ids exist; otherwise every call would end at the first database query.
 */
export interface SchemaValues {
  /** Ids that exist, of every kind. */
  readonly ids: readonly string[];
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly in?: z.ZodType;
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly shape?: Record<string, z.ZodType>;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
  readonly values?: readonly unknown[];
  readonly entries?: Record<string, string>;
}

/** @throws Error naming a kind of schema that is not supported */
export function valuesOf(schema: z.ZodType, given: SchemaValues): fc.Arbitrary<unknown> {
  const def = schema._zod.def as unknown as Definition;
  const inner = (of: z.ZodType | undefined) => {
    if (of === undefined) throw new Error(`a ${def.type} schema without its part`);
    return valuesOf(of, given);
  };
  switch (def.type) {
    case 'object':
      return objectOf(def.shape ?? {}, given);
    case 'string':
      return textOf(schema, given);
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'unknown':
    case 'any':
      return fc.jsonValue();
    case 'literal':
      return fc.constantFrom(...(def.values ?? []));
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}));
    case 'array':
      return fc.array(inner(def.element), arrayBounds(schema));
    case 'tuple':
      return fc.tuple(...(def.items ?? []).map((item) => valuesOf(item, given)));
    case 'union':
      return fc.oneof(...(def.options ?? []).map((option) => valuesOf(option, given)));
    case 'record':
      return fc.dictionary(fc.string({ maxLength: 8 }), inner(def.valueType), { maxKeys: 4 });
    case 'nullable':
      return fc.oneof(
        { arbitrary: inner(def.innerType), weight: 4 },
        { arbitrary: fc.constant(null), weight: 1 },
      );
    case 'optional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return inner(def.innerType);
    case 'pipe':
      return inner(def.in);
    case 'transform':
      return fc.jsonValue();
    default:
      throw new Error(`teach values/of-schema.ts to make values of a ${def.type} schema`);
  }
}

const MAY_BE_LEFT_OUT = new Set(['optional', 'default', 'prefault', 'catch']);

/** Optional fields are mostly left out, because an update of everything hides the effect of one field. */
function objectOf(shape: Record<string, z.ZodType>, given: SchemaValues): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const value = valuesOf(schema, given).map((one) => [[name, one]] as const);
    if (!MAY_BE_LEFT_OUT.has(schema._zod.def.type)) return value;
    return fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, { arbitrary: value, weight: 1 });
  });
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries.flat()));
}

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: RegExp;
}
/** One rule of a schema, as zod keeps it. */
interface Rule {
  readonly check: string;
  readonly value?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly format?: string;
  readonly pattern?: RegExp;
}

function boundsOf(schema: z.ZodType): Bounds {
  const bounds: { -readonly [K in keyof Bounds]: Bounds[K] } = {};
  for (const check of schema._zod.def.checks ?? []) {
    const rule = check._zod.def as Rule;
    if (rule.check === 'greater_than')
      bounds.minimum = Math.max(rule.value ?? 0, bounds.minimum ?? -Infinity);
    if (rule.check === 'less_than') bounds.maximum = Math.min(rule.value ?? 0, bounds.maximum ?? Infinity);
    if (rule.check === 'min_length') bounds.minimum = rule.minimum ?? 0;
    if (rule.check === 'max_length') bounds.maximum = rule.maximum ?? 0;
    if (rule.check === 'length_equals') bounds.minimum = bounds.maximum = rule.length ?? 0;
    if (rule.check === 'string_format' && rule.pattern !== undefined) bounds.pattern = rule.pattern;
  }
  return bounds;
}
const formatOf = (schema: z.ZodType): string | undefined =>
  (schema._zod.def as Rule & { type: string }).format;

const LONGEST = 200;

function textOf(schema: z.ZodType, { ids }: SchemaValues): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = LONGEST, pattern } = boundsOf(schema);
  const format = formatOf(schema);
  if (format === 'guid' || format === 'uuid') {
    const known = fc.constantFrom(...ids);
    return fc.oneof({ arbitrary: known, weight: 5 }, { arbitrary: fc.uuid(), weight: 1 });
  }
  if (format === 'datetime') {
    const range = { min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
    return fc.date(range).map((date) => date.toISOString());
  }
  if (format === 'date')
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
  if (pattern !== undefined) return fc.stringMatching(pattern);
  const maxLength = Math.min(maximum, LONGEST);
  const ordinary = fc.constantFrom('Springfield', 'MODERN', 'LIVING_ROOM', '1 Test Lane', 'A wörd', 'UTC');
  const unit = fc.constantFrom(...'abcXYZ 019-éñ𝔸\n');
  return fc.oneof(ordinary, fc.string({ unit, minLength: Math.min(minimum, maxLength), maxLength }));
}

function numberOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const { minimum = -1e6, maximum = 1e6 } = boundsOf(schema);
  const format = formatOf(schema);
  const [min, max] = [Math.max(minimum, -1e15), Math.min(maximum, 1e15)];
  const edges = fc.constantFrom(min, max);
  const between = [Math.ceil(min), Math.floor(max)] as const;
  const whole = fc.integer({ min: Math.max(between[0], -(2 ** 31)), max: Math.min(between[1], 2 ** 31 - 1) });
  if (format === 'safeint' || format === 'int32') return fc.oneof(whole, edges);
  return fc.oneof(whole, edges, fc.double({ min, max, noNaN: true }));
}

function arrayBounds(schema: z.ZodType): { minLength: number; maxLength: number } {
  const { minimum = 0, maximum = 5 } = boundsOf(schema);
  return { minLength: minimum, maxLength: Math.max(minimum, Math.min(maximum, 5)) };
}
