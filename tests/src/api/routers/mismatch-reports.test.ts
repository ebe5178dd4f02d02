import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MISMATCH_REPORT_MS } from '../../../../machines/limits.ts';
import { countAwaitingOperator } from '../../../../persistence/console/overview.ts';
import type { ActorSystem } from '../../../../supervisors/actors/deliver.ts';
import { seedOriginal, seedVariant } from '../../../support/database/seed.ts';
import { seedCompletedTour } from '../../../support/database/seed-report.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { TOUR_SLOTS } from '../../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../../support/manual-time.ts';
import { actorSystemOf, setClock, type Visit, visit, wire } from '../../../support/worlds/tour-visits.ts';
import { expectJournalCovers } from '../../../verification/model/journal-coverage.ts';

/** Reports after visits, from the call of a procedure to the rows (docs/contract.md#mismatch-reports). */
const clock = setClock();
let actorSystem: ActorSystem;
const host = useApiHost({ overrides: clock.overrides });
beforeAll(async () => {
  actorSystem = actorSystemOf(host);
});
beforeEach(() => {
  clock.at = AT;
});

/** A listing with an approved staged picture. */
interface Scene extends Visit {
  readonly imageId: string;
  readonly originalId: string;
}
async function scene(listing: Record<string, unknown> = {}): Promise<Scene> {
  const home = await visit(host, listing);
  const original = await seedOriginal(host.pool, { propertyId: home.propertyId });
  const imageId = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
  return { ...home, imageId, originalId: original.imageId };
}

interface Visitor {
  readonly person: Person;
  readonly tourId: string;
  report(imageIds: readonly string[], note?: string): ReturnType<Person['mutate']>;
}
async function visitor({ propertyId }: Scene, who?: Person): Promise<Visitor> {
  const person = who ?? (await host.signedIn({ role: 'customer' }));
  const tourId = await seedCompletedTour(host.pool, { propertyId, customerId: person.id, at: clock.at });
  return {
    person,
    tourId,
    report: (imageIds, note) =>
      person.mutate('tours.reportMismatch', { tourId, imageIds, ...(note === undefined ? {} : { note }) }),
  };
}
const visitors = (of: Scene, count: number) => Promise.all(Array.from({ length: count }, () => visitor(of)));

interface Picture {
  withdrawnBy: string | null;
  reviewStatus: string;
}
const picture = async (imageId: string): Promise<Picture | undefined> =>
  (
    await host.rows<Picture>('select "withdrawnBy", "reviewStatus" from property_images where id = $1', [
      imageId,
    ])
  )[0];
const statuses = async (imageId: string): Promise<string[]> =>
  (
    await host.rows<{ status: string }>(
      'select status::text from mismatch_reports where "stagedImageId" = $1 order by "createdAt", id',
      [imageId],
    )
  ).map(({ status }) => status);
const operator = (imageId: string, type: 'LIFT' | 'WITHDRAW') =>
  actorSystem.deliver(
    { to: 'imageReview', id: imageId, event: { type, at: clock.at, by: 'OPERATOR' } },
    { by: `operator:${type}`, note: 'looked at it' },
  );
/** Every report has its journal without a gap, and no table breaks T4 or T5. */
const journal = async (imageId: string): Promise<string[]> =>
  (
    await host.rows<{ line: string }>(
      `select j."eventType" || ' ' || coalesce(j."fromState", '-') || ' ' || j."toState" as line
       from mismatch_reports r join actor_transitions j on j."actorId" = r.id and j."actorKind" = 'mismatchReport'
       where r."stagedImageId" = $1 order by r."createdAt", r.id, j.seq`,
      [imageId],
    )
  ).map(({ line }) => line);
const answer = (agent: Person, reportId: string, words: 'acknowledge' | 'withdraw') =>
  agent.mutate('tours.answerMismatch', { reportId, answer: words });
const listed = async ({ agent, propertyId }: Scene, more: object = {}) =>
  (await agent.query('tours.listMismatchReports', { propertyId, ...more })).data.items;

describe('a report', () => {
  test('is shown to its author and to the agents of the listing, without the name of the author', async () => {
    const home = await scene();
    const { person, tourId, report } = await visitor(home);
    const made = await report([home.imageId], 'There is no window.');
    expect(made.status).toBe(200);
    const [own] = made.data.reports;
    const shown = { imageId: home.imageId, note: 'There is no window.', status: 'OPEN', answeredAt: null };
    expect(own).toMatchObject(shown);
    expect((await person.query('tours.get', { tourId })).data.mismatchReports).toEqual([own]);
    expect((await home.agent.query('tours.get', { tourId })).data.mismatchReports).toEqual([]);
    for (const agent of [home.agent, home.colleague]) {
      const { data, text } = await agent.query('tours.listMismatchReports', { propertyId: home.propertyId });
      expect(data.items).toMatchObject([{ ...shown, tourId, withdrawnBy: null }]);
      expect(text).not.toContain(person.id);
    }
    const { data } = await home.agent.query('properties.getMine', { propertyId: home.propertyId });
    expect(data.openReportCount).toBe(1);
    expect(await journal(home.imageId)).toEqual(['REPORTED - OPEN']);
  });

  test('is made once a picture and person: another changes nothing, whichever tour it names', async () => {
    const home = await scene();
    const { person, report } = await visitor(home);
    const first = await report([home.imageId], 'First.');
    const again = await (await visitor(home, person)).report([home.imageId], 'Second.');
    expect(again).toMatchObject({ status: 200, data: first.data });
    expect(await statuses(home.imageId)).toEqual(['OPEN']);
  });

  test('is made by one of two calls at once', async () => {
    const home = await scene();
    const { report } = await visitor(home);
    const both = await Promise.all([report([home.imageId]), report([home.imageId])]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await statuses(home.imageId)).toEqual(['OPEN']);
  });

  test('is possible for thirty days, also while the listing is hidden', async () => {
    const home = await scene();
    const [early, late] = await visitors(home, 2);
    await host.rows(`update properties set "standardStatus" = 'Incomplete' where id = $1`, [home.propertyId]);
    clock.at = AT + MISMATCH_REPORT_MS;
    expect((await early?.report([home.imageId]))?.status).toBe(200);
    clock.at += 1;
    expect((await late?.report([home.imageId]))?.errorCode).toBe('MISMATCH_TOO_LATE');
    expect((await early?.report([home.imageId]))?.status).toBe(200);
  });

  test('stays when the agent takes back that the visit took place', async () => {
    const home = await scene();
    const { report, tourId, person } = await visitor(home);
    await report([home.imageId]);
    const undone = await home.agent.mutate('tours.undo', { tourId, expectedVersion: 1 });
    expect(undone.data.status).toBe('CONFIRMED');
    expect((await person.query('tours.get', { tourId })).data.mismatchReports).toHaveLength(1);
    const original = await seedOriginal(host.pool, { propertyId: home.propertyId });
    const other = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
    // The agreed time has passed, so the visit took place as far as anyone knows.
    expect((await report([other])).status).toBe(200);
  });
});

/** A tour whose agreed time has passed by now, at `endsAt`. */
async function passedTour(home: Scene): Promise<{ tourId: string; endsAt: number; version: number }> {
  const { tourId } = (await home.request()).data;
  const { startsAt } = wire(TOUR_SLOTS.first);
  const agreed = await home.agent.mutate('tours.confirm', { tourId, expectedVersion: 1, startsAt });
  clock.at = TOUR_SLOTS.first.endsAt;
  return { tourId, endsAt: clock.at, version: agreed.data.version };
}
const tour = async ({ customer }: Scene, tourId: string) =>
  (await customer.query('tours.get', { tourId })).data;

describe('without the word of the agent', () => {
  test('a customer reports for thirty days after the agreed time, and not before its end', async () => {
    const home = await scene();
    const { tourId, endsAt } = await passedTour(home);
    const report = () => home.customer.mutate('tours.reportMismatch', { tourId, imageIds: [home.imageId] });
    clock.at = endsAt - 1;
    expect((await tour(home, tourId)).reportUntil).toBeNull();
    expect((await report()).errorCode).toBe('TOUR_NOT_COMPLETED');
    clock.at = endsAt;
    const until = new Date(endsAt + MISMATCH_REPORT_MS).toISOString();
    expect((await tour(home, tourId)).reportUntil).toBe(until);
    expect((await home.agent.query('tours.get', { tourId })).data.reportUntil).toBeNull();
    clock.at = endsAt + MISMATCH_REPORT_MS + 1;
    expect((await report()).errorCode).toBe('MISMATCH_TOO_LATE');
    clock.at -= 1;
    expect((await report()).status).toBe(200);
  });

  test('a no-show ends that; contesting it keeps the state, opens the report and asks an operator', async () => {
    const home = await scene();
    const { tourId, version } = await passedTour(home);
    const by = { tourId, note: null };
    const seen = { ...by, expectedVersion: version };
    const report = () => home.customer.mutate('tours.reportMismatch', { tourId, imageIds: [home.imageId] });
    expect((await home.customer.mutate('tours.contestNoShow', by)).errorCode).toBe('TOUR_WRONG_STATE');
    await home.agent.mutate('tours.markNoShow', { ...seen, note: 'No one came.' });
    expect((await report()).errorCode).toBe('TOUR_NOT_COMPLETED');
    expect((await tour(home, tourId)).availableActions).toEqual(['contestNoShow']);
    expect((await home.agent.mutate('tours.contestNoShow', by)).errorCode).toBe('TOUR_WRONG_STATE');
    const other = await host.signedIn({ role: 'customer' });
    expect((await other.mutate('tours.contestNoShow', by)).errorCode).toBe('NOT_FOUND');

    const said = await home.customer.mutate('tours.contestNoShow', { tourId, note: 'We were there.' });
    expect(said.data).toMatchObject({ status: 'NO_SHOW', contestedAt: new Date(clock.at).toISOString() });
    expect((await home.customer.mutate('tours.contestNoShow', by)).data).toEqual(said.data);
    expect((await report()).status).toBe(200);
    expect(await countAwaitingOperator(host.pool, 'tour')).toBe(1);
    const history = said.data.history.slice(-2);
    expect(history).toMatchObject([
      { actor: 'agent', to: 'NO_SHOW', note: 'No one came.' },
      { actor: 'customer', from: 'NO_SHOW', to: 'NO_SHOW', note: 'We were there.' },
    ]);
    const read = { type: 'CONTEST_READ', at: clock.at, actor: 'system' } as const;
    const origin = { by: 'operator:ada', note: 'read both' };
    expect(await actorSystem.deliver({ to: 'tour', id: tourId, event: read }, origin)).toMatchObject({
      outcome: 'applied',
      state: 'NO_SHOW',
    });
    expect(await countAwaitingOperator(host.pool, 'tour')).toBe(0);
  });
});

const approvedBy = (imageId: string, userId: string) =>
  host.rows('update property_images set "reviewedByUserId" = $2 where id = $1', [imageId, userId]);

describe('acknowledged reports', () => {
  /** So many acknowledged reports of the picture. */
  const acknowledge = async (home: Scene, count: number) => {
    for (const { report } of await visitors(home, count)) await report([home.imageId]);
    for (const { reportId } of await listed(home, { status: 'OPEN', limit: count }))
      await answer(home.agent, reportId, 'acknowledge');
  };
  const waiting = async () => countAwaitingOperator(host.pool, 'imageReview');
  beforeEach(() => {
    // The lists of operators count by the clock of the database.
    clock.at = Date.now();
  });
  const age = async (imageId: string, days: number) =>
    host.rows(
      `update mismatch_reports set "answeredAt" = now() - $2 * interval '1 day' where "stagedImageId" = $1`,
      [imageId, days],
    );

  test('two of an agent’s pictures do not come to an operator, three within a month do, until one decides', async () => {
    const before = await waiting();
    const home = await scene();
    await approvedBy(home.imageId, home.agent.id);
    await acknowledgeTwice(home);
    expect(await waiting()).toBe(before);
    await acknowledge(home, 1);
    expect(await waiting()).toBe(before + 1);
    await age(home.imageId, 31);
    expect(await waiting()).toBe(before);
    await acknowledgeTwice(home);
    expect(await waiting()).toBe(before + 1);
    await home.agent.mutate('ai.withdrawStagedVariant', { imageId: home.imageId });
    expect(await waiting()).toBe(before);
    await home.agent.mutate('ai.liftWithdrawal', { imageId: home.imageId });
    await age(home.imageId, 364);
    expect(await waiting()).toBe(before + 1);
    await age(home.imageId, 366);
    expect(await waiting()).toBe(before);
    await age(home.imageId, 1);
    await (await visitor(home)).report([home.imageId]);
    expect(await dismiss(home.imageId)).toMatchObject({ outcome: 'applied' });
    expect(await waiting()).toBe(before);
    expect(new Set(await statuses(home.imageId))).toEqual(new Set(['CLOSED']));
  });
  const acknowledgeTwice = async (home: Scene) => {
    await acknowledge(home, 1);
    await acknowledge(home, 1);
  };
  const dismiss = (imageId: string) =>
    actorSystem.deliver(
      { to: 'imageReview', id: imageId, event: { type: 'REPORTS_DISMISSED', at: clock.at } },
      { by: 'operator:ada', note: 'it is the same room' },
    );

  test('are upheld by an operator who withdraws, not by an agent who does', async () => {
    const home = await scene();
    await acknowledge(home, 1);
    await home.agent.mutate('ai.withdrawStagedVariant', { imageId: home.imageId });
    expect(await statuses(home.imageId)).toEqual(['ACKNOWLEDGED']);
    await operator(home.imageId, 'WITHDRAW');
    expect(await statuses(home.imageId)).toEqual(['UPHELD']);
    expect(
      (await home.customer.query('provenance.get', { stagedImageId: home.imageId })).data.reports,
    ).toEqual({ visits: 1, upheld: 1 });
  });
});

describe('after reports withdrew a picture', () => {
  /** A second picture of the same photo and style; the first one must be withdrawn. */
  const next = async (home: Scene) => {
    const { originalId, imageId } = home;
    const original = { imageId: originalId, propertyId: home.propertyId };
    await approvedBy(imageId, home.agent.id);
    return seedVariant(host.pool, original);
  };
  const withdrawn = async () => {
    const home = await scene();
    for (const { report } of await visitors(home, 3)) await report([home.imageId]);
    return { home, imageId: await next(home) };
  };
  const approve = (agent: Person, imageId: string) => agent.mutate('ai.approveStagedVariant', { imageId });

  test.each(['REPORTS', 'OPERATOR'] as const)(
    'who approved it needs a second person, withdrawn by %s',
    async (by) => {
      const { home, imageId } = await withdrawn();
      if (by === 'OPERATOR') await operator(home.imageId, 'WITHDRAW');
      expect((await approve(home.agent, imageId)).errorCode).toBe('SECOND_PERSON_REQUIRED');
      const several = await home.agent.mutate('ai.approveStagedVariants', { imageIds: [imageId] });
      expect(several.data.results).toMatchObject([{ errorCode: 'SECOND_PERSON_REQUIRED' }]);
      expect((await approve(home.colleague, imageId)).data.reviewStatus).toBe('APPROVED');
    },
  );

  test('an operator consents, and then the agent approves', async () => {
    const { home, imageId } = await withdrawn();
    const event = { type: 'APPROVAL_CONSENTED', at: clock.at } as const;
    await actorSystem.deliver(
      { to: 'imageReview', id: imageId, event },
      { by: 'operator:ada', note: 'seen' },
    );
    expect((await picture(imageId))?.reviewStatus).toBe('PENDING_REVIEW');
    expect((await approve(home.agent, imageId)).data.reviewStatus).toBe('APPROVED');
  });

  test('a withdrawal by an agent asks for no one', async () => {
    const home = await scene();
    await home.agent.mutate('ai.withdrawStagedVariant', { imageId: home.imageId });
    const imageId = await next(home);
    expect((await approve(home.agent, imageId)).data.reviewStatus).toBe('APPROVED');
  });
});

describe('no one else reports', () => {
  test('who did not visit: no tour, a tour of another person, an agent of the listing', async () => {
    const home = await scene();
    const { tourId } = await visitor(home);
    const imageIds = [home.imageId];
    const stranger = await host.signedIn({ role: 'customer' });
    for (const person of [stranger, home.agent, home.colleague, await host.signedIn()])
      expect((await person.mutate('tours.reportMismatch', { tourId, imageIds })).errorCode).toBe('NOT_FOUND');
    const unknown = await stranger.mutate('tours.reportMismatch', { tourId: randomUUID(), imageIds });
    expect(unknown.errorCode).toBe('NOT_FOUND');
    expect(await statuses(home.imageId)).toEqual([]);
  });

  test('whose tour is not completed', async () => {
    const home = await scene();
    const { tourId } = (await home.request()).data;
    const asked = await home.customer.mutate('tours.reportMismatch', { tourId, imageIds: [home.imageId] });
    expect(asked.errorCode).toBe('TOUR_NOT_COMPLETED');
  });

  test('about a picture that is private, an original, of another listing, or unknown: nothing is written', async () => {
    const [home, other] = [await scene(), await scene()];
    const original = await seedOriginal(host.pool, { propertyId: home.propertyId });
    const pending = await seedVariant(host.pool, original);
    const { report } = await visitor(home);
    for (const imageId of [pending, original.imageId, other.imageId, randomUUID()])
      expect((await report([home.imageId, imageId])).errorCode).toBe('NOT_FOUND');
    expect(await statuses(home.imageId)).toEqual([]);
  });

  test('with more than twenty pictures or a note of more than 1000 characters', async () => {
    const home = await scene();
    const { report } = await visitor(home);
    const many = Array.from({ length: 21 }, () => randomUUID());
    expect((await report(many)).errorCode).toBe('INVALID_INPUT');
    expect((await report([home.imageId], 'x'.repeat(1001))).errorCode).toBe('INVALID_INPUT');
  });
});

describe('three open reports', () => {
  test('withdraw the picture; it stays approved, and is private at once', async () => {
    const home = await scene();
    const people = await visitors(home, 3);
    for (const { report } of people.slice(0, 2)) await report([home.imageId]);
    expect((await picture(home.imageId))?.withdrawnBy).toBeNull();
    await people[2]?.report([home.imageId]);
    expect(await picture(home.imageId)).toEqual({ withdrawnBy: 'REPORTS', reviewStatus: 'APPROVED' });
    expect(await statuses(home.imageId)).toEqual(['OPEN', 'OPEN', 'OPEN']);
    expect((await people[2]?.person.send('GET', `/api/images/${home.imageId}`))?.status).toBe(404);
  });

  test.each([3, 4, 6])('that come with %i at once withdraw it once', async (count) => {
    const home = await scene();
    const people = await visitors(home, count);
    const answers = await Promise.all(people.map(({ report }) => report([home.imageId])));
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
    expect((await picture(home.imageId))?.withdrawnBy).toBe('REPORTS');
    const mails = await host.rows('select 1 from picture_mails where "imageId" = $1', [home.imageId]);
    expect(mails).toHaveLength(1);
  });

  test('are needed: two and an acknowledged one are two', async () => {
    const home = await scene();
    const people = await visitors(home, 4);
    await people[0]?.report([home.imageId]);
    const [{ reportId }] = await listed(home);
    expect((await answer(home.colleague, reportId, 'acknowledge')).data.status).toBe('ACKNOWLEDGED');
    for (const { report } of people.slice(1, 3)) await report([home.imageId]);
    expect((await picture(home.imageId))?.withdrawnBy).toBeNull();
    await people[3]?.report([home.imageId]);
    expect((await picture(home.imageId))?.withdrawnBy).toBe('REPORTS');
    await operator(home.imageId, 'LIFT');
    expect(new Set(await statuses(home.imageId))).toEqual(new Set(['CLOSED']));
  });

  test('outrank the withdrawal of an agent, who cannot lift it any more', async () => {
    const home = await scene();
    await home.agent.mutate('ai.withdrawStagedVariant', { imageId: home.imageId });
    for (const { report } of await visitors(home, 3)) await report([home.imageId]);
    expect((await picture(home.imageId))?.withdrawnBy).toBe('REPORTS');
    const lifted = await home.agent.mutate('ai.liftWithdrawal', { imageId: home.imageId });
    expect(lifted.errorCode).toBe('WITHDRAWAL_STANDS');
  });

  test('wait for an operator, who shows the picture again and closes them, or keeps it withdrawn', async () => {
    const home = await scene();
    const people = await visitors(home, 3);
    for (const { report } of people) await report([home.imageId]);
    expect(await operator(home.imageId, 'LIFT')).toMatchObject({ outcome: 'applied', state: 'APPROVED' });
    expect(await statuses(home.imageId)).toEqual(['CLOSED', 'CLOSED', 'CLOSED']);
    expect((await picture(home.imageId))?.withdrawnBy).toBeNull();
    // The same people have said it once.
    for (const { report } of people) await report([home.imageId]);
    expect((await picture(home.imageId))?.withdrawnBy).toBeNull();
    for (const { report } of await visitors(home, 3)) await report([home.imageId]);
    expect(await operator(home.imageId, 'WITHDRAW')).toMatchObject({ outcome: 'applied' });
    expect((await picture(home.imageId))?.withdrawnBy).toBe('OPERATOR');
    expect((await statuses(home.imageId)).filter((status) => status === 'UPHELD')).toHaveLength(3);
  });
});

describe('the agent answers', () => {
  test('by withdrawing the picture, which ends all of its open reports', async () => {
    const home = await scene();
    for (const { report } of await visitors(home, 2)) await report([home.imageId]);
    const [one] = await listed(home, { status: 'OPEN' });
    const answered = await answer(home.agent, one.reportId, 'withdraw');
    expect(answered.data).toMatchObject({ status: 'UPHELD', withdrawnBy: 'AGENT' });
    expect(await answer(home.agent, one.reportId, 'withdraw')).toMatchObject({ data: answered.data });
    expect((await answer(home.agent, one.reportId, 'acknowledge')).errorCode).toBe('MISMATCH_ENDED');
    expect(await statuses(home.imageId)).toEqual(['UPHELD', 'UPHELD']);
    expect(await listed(home, { status: 'OPEN' })).toEqual([]);
  });

  test('a report of a picture that reports withdrew: the withdrawal stands', async () => {
    const home = await scene();
    for (const { report } of await visitors(home, 3)) await report([home.imageId]);
    const [one, two] = await listed(home);
    expect((await answer(home.agent, one.reportId, 'withdraw')).data.withdrawnBy).toBe('REPORTS');
    expect((await answer(home.agent, two.reportId, 'acknowledge')).data.withdrawnBy).toBe('REPORTS');
    expect((await statuses(home.imageId)).sort()).toEqual(['ACKNOWLEDGED', 'OPEN', 'UPHELD']);
  });

  test('no one but an agent of the listing does', async () => {
    const home = await scene();
    const { person, report } = await visitor(home);
    const { reportId } = (await report([home.imageId])).data.reports[0];
    const { propertyId } = home;
    const other = await host.signedIn();
    expect((await answer(other, reportId, 'withdraw')).errorCode).toBe('NOT_FOUND');
    expect((await answer(person, reportId, 'withdraw')).errorCode).toBe('AGENT_REQUIRED');
    expect((await other.query('tours.listMismatchReports', { propertyId })).errorCode).toBe('NOT_FOUND');
  });

  test('page by page', async () => {
    const home = await scene();
    for (const { report } of await visitors(home, 3)) {
      clock.at += 1;
      await report([home.imageId]);
    }
    const ask = async (more: object) =>
      (
        await home.agent.query('tours.listMismatchReports', {
          propertyId: home.propertyId,
          limit: 2,
          ...more,
        })
      ).data;
    const first = await ask({});
    const second = await ask({ cursor: first.nextCursor });
    const ids = [...first.items, ...second.items].map(({ reportId }: { reportId: string }) => reportId);
    expect(new Set(ids).size).toBe(3);
    expect(second.nextCursor).toBeNull();
  });
});

describe('what becomes of reports', () => {
  test('they close with their picture, by whoever deletes it', async () => {
    const home = await scene();
    const { person, tourId, report } = await visitor(home);
    await report([home.imageId]);
    expect((await home.agent.send('DELETE', `/api/property-images/${home.originalId}`)).status).toBe(200);
    expect(await statuses(home.imageId)).toEqual(['CLOSED']);
    expect(await journal(home.imageId)).toEqual(['REPORTED - OPEN', 'PICTURE_DELETED OPEN CLOSED']);
    expect((await person.query('tours.get', { tourId })).data.mismatchReports[0].status).toBe('CLOSED');
    expect(await listed(home)).toMatchObject([{ url: null, status: 'CLOSED' }]);
  });

  test('a report that fails leaves nothing: neither row nor withdrawal', async () => {
    const home = await scene();
    const people = await visitors(home, 3);
    for (const { report } of people.slice(0, 2)) await report([home.imageId]);
    const third = people[2];
    if (third === undefined) throw new Error('three visitors');
    const { person, tourId } = third;
    const details = {
      customerId: person.id,
      tourId,
      stagedImageId: home.imageId,
      propertyId: home.propertyId,
      note: null,
    };
    const crash = actorSystem.transaction(async ({ deliver }) => {
      const event = { type: 'REPORTED', at: clock.at } as const;
      await deliver({ to: 'newMismatchReport', id: randomUUID(), details, event }, { by: 'user:x' });
      throw new Error('the process dies before the commit');
    });
    await expect(crash).rejects.toThrow('the process dies');
    expect(await statuses(home.imageId)).toEqual(['OPEN', 'OPEN']);
    expect((await picture(home.imageId))?.withdrawnBy).toBeNull();
  });
});

test('the tests above took every transition of the machine, on the database', () =>
  expectJournalCovers(host.pool, 'mismatchReport'));
