import { createTranslator } from '../../i18n/translator.ts';
import { endMailTest, takeMailTest } from '../../persistence/console/mail-tests.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { MailPorts } from './mail-sender.ts';
import { MailUnavailable } from './mailer.ts';
import type { News } from './news-page.ts';

/** Sends the mails with which operators try the mail server (docs/contract.md#is-it-ready), each once. */
export function createMailTestSender(ports: MailPorts): Sweeper {
  const { pool, mailer, clock, origin } = ports;
  return createSweeper({
    ...ports,
    name: 'mail-tests',
    async sweep(draining) {
      while (!draining.aborted) {
        const test = await takeMailTest(pool, clock.now());
        if (test === null) return;
        const { id, email: to } = test;
        try {
          await mailer.sendNews({ to, id: `${id}.test`, news: testNews(origin) });
          await endMailTest(pool, { id, problem: null, at: clock.now() });
        } catch (error) {
          if (!(error instanceof MailUnavailable)) throw error;
          await endMailTest(pool, { id, problem: error.reason, at: clock.now() });
        }
      }
    },
  });
}

/** In English, as the console. */
function testNews(origin: string): News {
  const { t } = createTranslator('en', 'user');
  return {
    subject: t('mail.test.subject'),
    locale: 'en',
    heading: t('mail.test.heading'),
    open: { words: t('mail.test.open'), address: origin },
    settings: { words: t('mail.test.why'), address: origin },
  };
}
