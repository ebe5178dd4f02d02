import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { readProcedures } from '../../../ops/codegen/api/procedures.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';

/** Every input object of every procedure rejects unknown keys (docs/contract.md#calling). */
const PROCEDURES = readProcedures();

interface Definition {
  readonly type: string;
  readonly catchall?: z.ZodType;
  readonly shape?: Record<string, z.ZodType>;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
}
/** Schemas without inner schemas. */
const PLAIN = new Set(['string', 'number', 'boolean', 'enum', 'literal', 'null', 'transform']);
/** Schemas that wrap one other schema. */
const AROUND_ONE = new Set(['optional', 'nullable', 'default', 'prefault', 'array', 'pipe']);

/**
 * Paths at which an unknown key would be dropped. Inside a union the error could not name the key, so an object there
 * counts as well. @throws Error naming a kind of schema that is not supported
 */
function laxPlaces(schema: z.ZodType, path: string, inUnion = false): string[] {
  const def = schema._zod.def as unknown as Definition;
  if (PLAIN.has(def.type)) return [];
  if (AROUND_ONE.has(def.type)) {
    const inner = def.innerType ?? def.element ?? def.in;
    if (inner === undefined) throw new Error(`${path}: a ${def.type} schema without its part`);
    return laxPlaces(inner, def.type === 'array' ? `${path}[]` : path, inUnion);
  }
  switch (def.type) {
    case 'object': {
      const isStrict = def.catchall?._zod.def.type === 'never' && !inUnion;
      const inside = Object.entries(def.shape ?? {}).flatMap(([name, part]) =>
        laxPlaces(part, `${path}.${name}`),
      );
      return isStrict ? inside : [path, ...inside];
    }
    case 'union':
      return (def.options ?? []).flatMap((option) => laxPlaces(option, path, true));
    case 'tuple':
      return (def.items ?? []).flatMap((item, index) => laxPlaces(item, `${path}.${index}`));
    default:
      throw new Error(`${path}: teach this test about a ${def.type} schema`);
  }
}

test('every object of every input is strict', () => {
  expect(PROCEDURES.length).toBeGreaterThan(40);
  expect(PROCEDURES.flatMap(({ path, input }) => laxPlaces(input, path))).toEqual([]);
});

describe('an unknown key is rejected with its name', () => {
  let host: ApiHost;
  let agent: Person;
  beforeAll(async () => {
    host = await startApiHost();
    agent = await host.signedIn();
  });
  afterAll(() => host.stop());
  const send = (path: string, input: unknown) => {
    const isQuery = PROCEDURES.some((one) => one.path === path && one.kind === 'query');
    return isQuery ? agent.query(path, input) : agent.mutate(path, input);
  };

  test.each(PROCEDURES.map(({ path }) => path))('by %s', async (path) => {
    const { status, errorCode, body } = await send(path, { assignedAgentId: 'x' });
    expect([status, errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(body.error.json.data.fields.assignedAgentId).toEqual(['There is no such field. Leave it out.']);
  });

  test('by properties.update, which once dropped the agents and answered 200', async () => {
    const { propertyId } = await host.listing(agent);
    const answer = await send('properties.update', { propertyId, city: 'X', assignedAgentIds: [] });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.json.data.fields)).toEqual(['assignedAgentIds']);
    expect(await host.rows('select city from properties where id = $1', [propertyId])).toEqual([
      { city: 'Springfield' },
    ]);
  });

  test('deep inside an input, with its path', async () => {
    const assignment = { originalImageId: agent.id, roomType: 'OFFICE', style: 'MODERN', prompt: 'x' };
    const answer = await send('ai.submitRoomStaging', { assignments: [assignment] });
    expect(Object.keys(answer.body.error.json.data.fields)).toEqual(['assignments.0.prompt']);
  });

  test('names that are too long, too many or harmful are not returned', async () => {
    for (const name of ['x'.repeat(65), 'constructor', 'prototype', '\ud800']) {
      const { status, body } = await send('users.getMe', { [name]: 1 });
      expect([name, status, Object.keys(body.error.json.data.fields)]).toEqual([name, 400, ['_']]);
    }
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 1]));
    const answer = await send('users.getMe', many);
    expect(Object.keys(answer.body.error.json.data.fields)).toHaveLength(20);
  });

  test('a procedure without input accepts nothing, null and an empty object', async () => {
    for (const input of [undefined, null, {}]) expect((await send('users.getMe', input)).status).toBe(200);
  });
});
