import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { EffectType } from '../../../machines/effects.ts';
import { finalStatesOf, firstState } from '../../../machines/step.ts';
import {
  FINAL_ATTEMPT_STATUSES,
  FINAL_JOB_STATUSES,
  OPEN_TOUR_STATUSES,
  TOUR_STATUSES,
} from '../../../machines/vocabulary.ts';
import { ACTOR_KINDS, definitionOf, KIND_NAMES } from '../../../persistence/actors/actor-kinds.ts';

/** The effects that a transition may emit; the others are internal to the machine. */
const ORDERS: Record<EffectType, true> = {
  reserveAttempt: true,
  sendToJob: true,
  sendToAttempt: true,
  insertStagedImage: true,
  storeText: true,
  scheduleDeletion: true,
  recordReview: true,
  recordProvenance: true,
  settleReports: true,
  removeImageRow: true,
  liftQuarantine: true,
  enqueue: true,
  report: true,
  alert: true,
};

describe.each(KIND_NAMES)('the definition of %s', (kind) => {
  const { machine, file, effects, rows, list, label } = definitionOf(kind);

  test('is listed under its own name', () => expect(ACTOR_KINDS[kind].kind).toBe(kind));

  test('names the effects of its machine', () => {
    const emitted = Object.keys(machine.implementations.actions).filter((name) => name in ORDERS);
    expect(effects.toSorted()).toEqual(emitted.toSorted());
  });

  test('names its table and its label', () => {
    expect(existsSync(new URL(`../../../machines/${file}.ts`, import.meta.url))).toBe(true);
    for (const text of [rows.from, rows.base, rows.state, rows.version, label.one, label.many])
      expect(text).not.toBe('');
  });

  test('lists every status that is not final', () => {
    const open = Object.keys(machine.states).filter((state) => !finalStatesOf(machine).includes(state));
    if (list !== null) expect(list.status.values).toEqual(expect.arrayContaining(open));
  });
});

test.each(KIND_NAMES)('every context field of %s maps to columns and back', (kind) => {
  const { machine, rows } = definitionOf(kind);
  const { state, context } = firstState(machine, { kind });
  const actor = { kind, id: 'an id', version: 1, state, context, details: {} } as never;
  expect(rows.insert(actor, 0).values.length).toBeGreaterThanOrEqual(3);
  expect(rows.columns.length).toBeGreaterThanOrEqual(2 + rows.update(actor, 0).values.length - 3);
  const given: Record<string, unknown> = { version: 1, searchVersion: 1, proposedSlots: [], purchases: [] };
  const row = new Proxy({}, { get: (_, name) => given[String(name)] ?? null });
  expect(Object.keys(rows.fromRow(row).context).toSorted()).toEqual(
    Object.keys(context as object).toSorted(),
  );
});

test('the status lists match the machines', () => {
  expect(finalStatesOf(ACTOR_KINDS.stagingJob.machine)).toEqual([...FINAL_JOB_STATUSES]);
  expect(finalStatesOf(ACTOR_KINDS.providerAttempt.machine)).toEqual([...FINAL_ATTEMPT_STATUSES]);
  expect(Object.keys(ACTOR_KINDS.tour.machine.states).toSorted()).toEqual(TOUR_STATUSES.toSorted());
  expect(finalStatesOf(ACTOR_KINDS.tour.machine)).not.toEqual(
    expect.arrayContaining([...OPEN_TOUR_STATUSES]),
  );
});
