import { afterEach, expect, test } from 'vitest';
import { siteName } from '../../../i18n/translator.ts';
import { createMailer, type Mailer, MailUnavailable } from '../../../src/mail/mailer.ts';
import { renderOtpMail } from '../../../src/mail/otp-mail.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import type { MailOutcome } from '../../../src/telemetry/metrics.ts';
import { eventually } from '../../support/eventually.ts';
import { openSmtpSink } from '../../support/http/smtp-sink.ts';

const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Opening {
  readonly timeoutMs?: number;
  readonly from?: string;
}

async function open({ timeoutMs, from = 'Homes <no-reply@example.com>' }: Opening = {}) {
  const sink = await openSmtpSink();
  const lines: string[] = [];
  const outcomes: MailOutcome[] = [];
  const logger = createLogger({
    role: 'web',
    level: 'trace',
    destination: { write: (l) => void lines.push(l) },
  });
  const mailer: Mailer = createMailer({
    smtpUrl: sink.url,
    from,
    site: ownSite(),
    logger,
    count: (outcome) => void outcomes.push(outcome),
    ...(timeoutMs ? { timeoutMs } : {}),
  });
  cleanups.push(sink.close, mailer.close);
  return { sink, mailer, lines, outcomes };
}
const mail = {
  to: 'ana@example.com',
  code: '012345',
  locale: 'es',
  purpose: 'sign-in',
  expiresInMinutes: 5,
} as const;

test('the mail arrives in the language of the person, as text and as HTML', async () => {
  const { sink, mailer } = await open();
  await mailer.sendOtp(mail);
  await mailer.sendOtp({ ...mail, to: 'bob@example.com', locale: 'en', expiresInMinutes: 1 });
  const [spanish, english] = sink.mails;
  expect(spanish?.email.subject).toBe('Tu código de acceso de Proscenium');
  expect(spanish?.email.text).toContain('012345');
  expect(spanish?.email.text).toContain('vence en 5 minutos');
  expect(spanish?.email.html).toContain('<html lang="es">');
  expect(spanish?.email.html).toContain('012345');
  expect(spanish?.email.from).toMatchObject({ address: 'no-reply@example.com', name: 'Homes' });
  expect(english?.email.subject).not.toContain('012345');
  expect(english?.email.text).toContain('expires in 1 minute.');
  expect(english?.email.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  );
});

test('a sender without a name has the name of the site', async () => {
  const { sink, mailer } = await open({ from: 'no-reply@example.com' });
  await mailer.sendOtp(mail);
  expect(sink.mails[0]?.email.from).toMatchObject({ address: 'no-reply@example.com', name: siteName() });
});

test('an address with a line break or a second recipient does not become two recipients', async () => {
  const { sink, mailer } = await open();
  await mailer.sendOtp({ ...mail, to: 'ana@example.com, eve@example.com' }).catch(() => {});
  await mailer.sendOtp({ ...mail, to: 'ana@example.com\r\nBcc: eve@example.com' }).catch(() => {});
  expect(sink.mails.filter(({ to }) => to === 'eve@example.com')).toEqual([]);
});

test('a server that rejects the mail gives MAIL_UNAVAILABLE, and no log line holds the code or the address', async () => {
  const { sink, mailer, lines, outcomes } = await open();
  await mailer.sendOtp(mail);
  sink.mode.refuse = true;
  await expect(mailer.sendOtp(mail)).rejects.toMatchObject({ code: 'MAIL_UNAVAILABLE', reason: 'EMESSAGE' });
  expect(outcomes).toEqual(['accepted', 'not_accepted']);
  expect(lines).toHaveLength(1);
  expect(lines.join('')).not.toMatch(/012345|ana@/);
});

test('a server that never answers is given up after the timeout', async () => {
  const { sink, mailer } = await open({ timeoutMs: 100 });
  sink.mode.hold = true;
  await expect(mailer.sendOtp(mail)).rejects.toBeInstanceOf(MailUnavailable);
});

test('an unreachable server is reported', async () => {
  const { sink, mailer } = await open();
  await sink.close();
  await expect(mailer.sendOtp(mail)).rejects.toMatchObject({ reason: 'ESOCKET' });
});

test('HTML is escaped', async () => {
  const { html } = await renderOtpMail({ ...mail, code: '<b>&"' }, ownSite());
  expect(html).toContain('&lt;b&gt;&amp;&quot;');
});

test('a code does not wait behind news that the server is slow to accept', async () => {
  const { sink, mailer } = await open();
  sink.mode.hold = true;
  const place = { words: 'Open', address: 'https://homes.example' };
  const news = { subject: 'News', locale: 'en', heading: 'News', open: place, settings: place } as const;
  const many = Array.from({ length: 20 }, (_, index) =>
    mailer.sendNews({ to: 'ana@example.com', id: String(index), news }).catch(() => {}),
  );
  await eventually(() => sink.held() === 4, { what: 'all connections for news to be in use' });
  sink.mode.hold = false;
  await mailer.sendOtp(mail);
  expect(sink.mails.map(({ email }) => email.subject)).toEqual(['Tu código de acceso de Proscenium']);
  await mailer.close();
  await Promise.all(many);
});
