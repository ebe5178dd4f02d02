/** One line of the provider's 422 answer (docs/provider.md#errors). */
export interface InvalidField {
  type: string;
  field: string;
  description: string;
}

type FieldRule =
  | { kind: 'text' }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'addresses' };

export interface InputSchema {
  required: readonly string[];
  fields: Readonly<Record<string, FieldRule>>;
}

/** All errors of `input`, in the wording of the provider's JSON schema validator. Empty when it is valid. */
export function findInvalidFields(input: unknown, schema: InputSchema): InvalidField[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return [{ type: 'invalid_type', field: 'input', description: 'Invalid type. Expected: object' }];
  }
  const record = input as Record<string, unknown>;
  const missing = schema.required
    .filter((name) => record[name] === undefined)
    .map((name) => ({ type: 'required', field: 'input', description: `${name} is required` }));
  const wrong = Object.entries(record).flatMap(([name, value]) => {
    const rule = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined;
    if (rule) return checkField(`input.${name}`, value, rule);
    const description = `Additional property ${name} is not allowed`;
    return [{ type: 'additional_property_not_allowed', field: 'input', description }];
  });
  return [...missing, ...wrong];
}

function checkField(field: string, value: unknown, rule: FieldRule): InvalidField[] {
  const wrongType = (expected: string) => [
    {
      type: 'invalid_type',
      field,
      description: `Invalid type. Expected: ${expected}, given: ${typeName(value)}`,
    },
  ];
  switch (rule.kind) {
    case 'text':
      return typeof value === 'string' ? [] : wrongType('string');
    case 'choice': {
      if (typeof value === 'string' && rule.values.includes(value)) return [];
      const listed = rule.values.map((option) => JSON.stringify(option)).join(', ');
      const description = `${field} must be one of the following: ${listed}`;
      return [{ type: 'enum', field, description }];
    }
    case 'integer':
      return Number.isInteger(value) ? checkRange(field, value as number, rule) : wrongType('integer');
    case 'addresses':
      return Array.isArray(value)
        ? value.flatMap((item, index) => checkAddress(field, item, index))
        : wrongType('array');
  }
}

function checkRange(field: string, value: number, rule: { min: number; max: number }): InvalidField[] {
  if (value < rule.min) {
    return [{ type: 'number_gte', field, description: `Must be greater than or equal to ${rule.min}` }];
  }
  if (value > rule.max) {
    return [{ type: 'number_lte', field, description: `Must be less than or equal to ${rule.max}` }];
  }
  return [];
}

function checkAddress(field: string, value: unknown, index: number): InvalidField[] {
  const isAddress =
    typeof value === 'string' &&
    URL.canParse(value) &&
    ['http:', 'https:', 'data:'].includes(new URL(value).protocol);
  return isAddress
    ? []
    : [{ type: 'format', field: `${field}.${index}`, description: "Does not match format 'uri'" }];
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
