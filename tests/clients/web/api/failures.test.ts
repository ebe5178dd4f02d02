import { expect, test } from 'vitest';
import { apiErrorFrom } from '../../../../clients/typescript/answer.ts';
import { problemText } from '../../../../clients/web/api/failures.ts';
import { createText } from '../../../../clients/web/words/text.ts';
import { catalog } from '../../../../i18n/translator.ts';
import { ownSite } from '../../../../src/site/read-site.ts';

const details = { limit: 5, used: 5, resetsAt: '2026-11-29T00:00:00.000Z' };
const failed = (body: unknown) =>
  apiErrorFrom({ status: 429, headers: [], body: new TextEncoder().encode(JSON.stringify(body)) });
const WHEN = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
}).format(new Date(details.resetsAt));

test('a limit of procedures and of plain routes says when it ends, in the zone of the browser', () => {
  const text = createText('en', catalog('user', 'en'), ownSite());
  const words = { code: 'QUOTA_REACHED', message: 'No.', messageKey: 'quota.reached', details };
  const procedure = { json: { message: 'No.', data: { ...words, errorCode: 'QUOTA_REACHED' } } };
  for (const error of [procedure, words])
    expect(problemText(text, failed({ error }))).toBe(
      `That’s the limit for today, and nothing was saved. You can continue after ${WHEN}.`,
    );
});

test('a limit without an end says what to do', () => {
  const text = createText('es', catalog('user', 'es'), ownSite());
  const error = { message: 'No.', messageKey: 'quota.full', details: { ...details, resetsAt: null } };
  expect(problemText(text, failed({ error }))).toBe(
    'Este anuncio ya no admite más fotos. Borra una para añadir otra.',
  );
});
