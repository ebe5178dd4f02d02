import { beforeAll, describe, expect, test } from 'vitest';
import type { TourEvent } from '../../../../machines/tour.ts';
import type { ActorSystem } from '../../../../supervisors/actors/deliver.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import { TOUR_SLOTS } from '../../../support/machines/event-catalogues.ts';
import { TOUR_PATHS } from '../../../support/machines/tour-paths.ts';
import { MANUAL_EPOCH as AT } from '../../../support/manual-time.ts';
import {
  actorSystemOf,
  sayOverHttp,
  setClock,
  type Visit,
  visit,
  wire,
} from '../../../support/worlds/tour-visits.ts';

/**
 * Every path through the tour machine over HTTP procedures; the test performs the system's steps as the system does.
 */
const clock = setClock();
let actorSystem: ActorSystem;
const host = useApiHost({ overrides: clock.overrides });
beforeAll(async () => {
  actorSystem = actorSystemOf(host);
});

async function bySystem(
  tourId: string,
  propertyId: string,
  event: TourEvent & { actor: 'system' },
): Promise<void> {
  if (event.type === 'TIME_PASSED' || event.type === 'CONTEST_READ')
    await actorSystem.deliver({ to: 'tour', id: tourId, event }, { by: 'worker:x' });
  else {
    await host.rows(`update properties set "standardStatus" = 'Closed' where id = $1`, [propertyId]);
    // So that later steps of the path depend on the tour alone.
    await host.rows(`update properties set "standardStatus" = 'Active' where id = $1`, [propertyId]);
  }
}

async function born(scene: Visit, [birth]: readonly TourEvent[]): Promise<string> {
  if (birth?.type !== 'TOUR_REQUESTED') throw new Error('a way begins with a request');
  clock.at = birth.at;
  if (birth.freeSlot !== null) {
    // The catalogue confirms the second slot automatically, because the first is taken.
    const other = await visit(host, { autoConfirmTours: true }, scene.agent);
    expect((await other.request([TOUR_SLOTS.first])).data.status).toBe('CONFIRMED');
  }
  const answer = await scene.request(birth.slots);
  expect(answer.status).toBe(200);
  return answer.data.tourId;
}

describe('every path through the machine, over HTTP', () => {
  test.each(TOUR_PATHS)('$title', async ({ events, states, end }) => {
    const [birth, ...others] = events;
    const autoConfirmTours = birth?.type === 'TOUR_REQUESTED' && birth.freeSlot !== null;
    const scene = await visit(host, { autoConfirmTours });
    const tourId = await born(scene, events);
    for (const [index, event] of others.entries()) {
      if (event.actor === 'system') await bySystem(tourId, scene.propertyId, event);
      else {
        const answer = await sayOverHttp(scene, clock, event as never, {
          tourId,
          expectedVersion: index + 1,
        });
        expect([answer.status, answer.data?.status, answer.data?.version, answer.errorCode]).toEqual([
          200,
          states[index + 1],
          index + 2,
          undefined,
        ]);
      }
    }
    clock.at = AT;
    const { data } = await scene.customer.query('tours.get', { tourId });
    expect(data).toMatchObject({
      status: end.state,
      slots: end.context.slots.map(wire),
      heldSlot: end.context.heldSlot === null ? null : wire(end.context.heldSlot),
      proposedBy: end.context.proposedBy,
      rounds: end.context.rounds,
      closedBy: end.context.closedBy,
      version: events.length,
    });
    const agents = await scene.agent.query('tours.get', { tourId });
    for (const { history } of [data, agents.data])
      expect(
        history.map((line: Record<string, unknown>) => [line.seq, line.actor, line.from, line.to]),
      ).toEqual(
        events.map(({ actor }, index) => [index + 1, actor, states[index - 1] ?? null, states[index]]),
      );
  });
});
