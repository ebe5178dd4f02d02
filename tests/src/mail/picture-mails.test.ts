import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMailSwitches } from '../../../src/mail/mail-switches.ts';
import { createPictureMailSender } from '../../../src/mail/picture-mail-sender.ts';
import { seedOriginal, seedVariant } from '../../support/database/seed.ts';
import { seedCompletedTour } from '../../support/database/seed-report.ts';
import { eventually } from '../../support/eventually.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { openMailPorts } from '../../support/worlds/mail-ports.ts';
import { setClock, visit } from '../../support/worlds/tour-visits.ts';

/** The mail to the owner of a listing of which reports have withdrawn a picture. */
const clock = setClock();
const host = useApiHost({ overrides: clock.overrides });
beforeEach(() => host.rows('delete from picture_mails'));
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open() {
  const { sink, ports, close } = await openMailPorts(host, { clock });
  const sender = createPictureMailSender({
    ...ports,
    switches: createMailSwitches(sharedStack().secrets.authSecret),
  });
  cleanups.push(close);
  const settled = async () => {
    await sender.start();
    cleanups.push(() => sender.stop(AbortSignal.timeout(5_000)));
    const left = async () => (await host.rows('select 1 from picture_mails')).length;
    await eventually(async () => (await left()) === 0, { what: 'all mails to be settled' });
  };
  return { sink, settled };
}

/** A listing whose picture three visitors reported. */
async function reported(profile: Record<string, unknown> = {}) {
  const scene = await visit(host, { address: '12 Elm Street', city: 'Seattle' });
  await scene.agent.mutate('users.updateProfile', { locale: 'en', ...profile });
  const { propertyId } = scene;
  const original = await seedOriginal(host.pool, { propertyId });
  const imageId = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
  const names = ['Vera Visitor', 'Vito Visitor', 'Viola Visitor'];
  for (const name of names) {
    const person = await host.signedIn({ role: 'customer', name });
    const tourId = await seedCompletedTour(host.pool, { propertyId, customerId: person.id });
    await person.mutate('tours.reportMismatch', { tourId, imageIds: [imageId], note: 'A secret note' });
  }
  return { ...scene, imageId };
}

describe('the owner', () => {
  test('gets one mail, with a link to the studio and nothing about the people', async () => {
    const { sink, settled } = await open();
    const { propertyId } = await reported();
    await settled();
    expect(sink.mails).toHaveLength(1);
    const { email } = sink.mails[0] ?? {};
    expect(email?.subject).toBe('A picture was withdrawn: 12 Elm Street, Seattle');
    expect(email?.text).toContain(`https://homes.example/studio/${propertyId}/review`);
    const whole = `${email?.text} ${email?.html}`;
    expect(whole).not.toContain('Visitor');
    expect(whole).not.toContain('secret note');
  });

  test('gets it in Spanish', async () => {
    const { sink, settled } = await open();
    const { propertyId } = await reported({ locale: 'es' });
    await settled();
    expect(sink.mails[0]?.email.subject).toBe('Se retiró una foto: 12 Elm Street, Seattle');
    expect(sink.mails[0]?.email.text).toContain(`https://homes.example/es/studio/${propertyId}/review`);
  });

  test('gets none who does not want it, and none about a withdrawal that was lifted', async () => {
    const { sink, settled } = await open();
    await reported({ mutedMails: ['PICTURE_WITHDRAWN'] });
    const { imageId } = await reported();
    await host.rows(`update property_images set "withdrawnAt" = null, "withdrawnBy" = null where id = $1`, [
      imageId,
    ]);
    await settled();
    expect(sink.mails).toEqual([]);
  });
});
