import fc from 'fast-check';
import { controlText, hostileKey, hostileText, hostileValue, pretender } from './hostile-values.ts';

/** A change of one place in a value: the result is almost valid. */
type Mutation =
  | { kind: 'replace' | 'wrap' | 'repeat' | 'drop'; at: number; value: unknown }
  | { kind: 'add'; at: number; key: string; value: unknown };

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('replace' as const), at: fc.nat(60), value: hostileValue }),
  fc.record({
    kind: fc.constantFrom('replace', 'wrap', 'repeat', 'drop'),
    at: fc.nat(60),
    value: hostileValue,
  }),
  fc.record({ kind: fc.constant('add' as const), at: fc.nat(60), key: hostileKey, value: hostileValue }),
);

/** Values of `valid` with one to three places changed. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(applied, value));
}

/** Values of `valid` with one text replaced, mostly by another text, which passes the type check. */
export function retexted(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const text = fc.oneof(
    { arbitrary: controlText, weight: 3 },
    { arbitrary: hostileText, weight: 1 },
    { arbitrary: pretender, weight: 1 },
  );
  return fc.tuple(valid, fc.nat(60), text).map(([value, at, other]) => {
    const texts = placesIn(value).filter((path) => typeof valueAt(value, path) === 'string');
    const path = texts[at % Math.max(1, texts.length)];
    return path === undefined ? value : replacedAt(value, path, other);
  });
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inside, key) => Reflect.get(inside as object, key), value);

function applied(value: unknown, change: Mutation): unknown {
  const places = placesIn(value);
  const path = places[change.at % places.length] ?? [];
  return changedAt(value, path, change);
}

/** The path of every place in a value, the whole value first. */
export function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => placesIn(Reflect.get(value, key), [...path, key]))];
}

/** `value` with another one at the place. */
export function replacedAt(value: unknown, path: readonly string[], other: unknown): unknown {
  return changedAt(value, path, { kind: 'replace', at: 0, value: other });
}

function changedAt(value: unknown, [key, ...rest]: readonly string[], change: Mutation): unknown {
  if (key === undefined) return change.kind === 'drop' ? null : changed(value, change);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === key ? changedAt(one, rest, change) : one));
  const entries = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    if (name !== key) return [[name, one]];
    return change.kind === 'drop' && rest.length === 0 ? [] : [[name, changedAt(one, rest, change)]];
  });
  return Object.fromEntries(entries);
}

const MANY = 120;

function changed(value: unknown, change: Mutation): unknown {
  switch (change.kind) {
    case 'wrap':
      return [value];
    case 'repeat':
      return Array.isArray(value) ? Array.from({ length: MANY }, () => value[0]) : [value, value];
    case 'add': {
      const own =
        typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
      return Object.fromEntries([...own, [change.key, change.value]]);
    }
    default:
      return change.value;
  }
}
