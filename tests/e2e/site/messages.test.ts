import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/http/person.ts';
import { axeFindings, overflow, type SiteWindow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** docs/contract.md#questions: a visible page shows a message within four seconds. */
const SEEN_MS = 4_000;

describeSite('questions about homes', (site) => {
  const buyer = (name: string): Promise<Person> => site().signedIn({ role: 'customer', name });
  const home = () => site().home.propertyId;
  const steps = (page: Page) => page.locator('.thread-message').allInnerTexts();
  const write = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Your message').fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const seen = (page: Page, text: string) =>
    page.locator('.thread-message', { hasText: text }).waitFor({ timeout: SEEN_MS });
  const findings = async ({ page }: SiteWindow) => [...(await axeFindings(page)), await overflow(page)];

  test('a buyer asks on a home’s page, an agent answers with a quick answer, and both see it within four seconds', async () => {
    const person = await buyer('Bea Buyer');
    const [phone, desk] = await Promise.all([
      site().open({ width: 390, as: person }),
      site().open({ width: 1280, as: site().agent }),
    ]);
    await phone.go(`/properties/${home()}`);
    const ask = phone.page.getByRole('link', { name: 'Ask a question' }).last();
    expect(await findings(phone)).toEqual([0]);
    await ask.click();
    await phone.page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await write(phone.page, 'Is the roof new?');
    await seen(phone.page, 'Is the roof new?');
    expect(await phone.page.getByLabel('Your message').inputValue()).toBe('');
    expect(await findings(phone)).toEqual([0]);

    await desk.go('/inbox');
    await desk.page.getByRole('link', { name: /Inbox.*1/ }).waitFor();
    await desk.page.getByRole('heading', { name: 'Awaiting your reply' }).waitFor();
    await desk.page.getByRole('link', { name: /12 Lakeview Avenue.*Bea Buyer.*Is the roof new\?/ }).click();
    await seen(desk.page, 'Is the roof new?');
    await desk.page.getByRole('link', { name: 'Inbox', exact: true }).waitFor();
    await desk.page.getByRole('button', { name: 'Let me check. I’ll get back to you today.' }).click();
    expect(await findings(desk)).toEqual([0]);
    await desk.page.getByRole('button', { name: 'Send', exact: true }).click();
    await seen(phone.page, 'Let me check.');
    await write(phone.page, 'Thank you.');
    await seen(desk.page, 'Thank you.');
    for (const { page } of [phone, desk])
      expect(await steps(page)).toEqual([
        'Is the roof new?',
        'Let me check. I’ll get back to you today.',
        'Thank you.',
      ]);
    await phone.close();
    await desk.close();
  });

  test('a message whose answer is lost with its page is sent once when the page is back', async () => {
    const person = await buyer('Lou Lost');
    const window = await site().open({ as: person });
    const { page } = window;
    await window.go(`/inbox/${home()}/me`);
    await write(page, 'First');
    await seen(page, 'First');
    let lost = 0;
    await page.route('**/api/trpc/messages.send', async (route) => {
      await route.fetch();
      lost += 1;
      await route.abort();
    });
    await write(page, 'Second');
    await eventually(() => lost > 0, { what: 'the lost answer' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await seen(page, 'Second');
    await eventually(async () => (await page.getByLabel('Your message').inputValue()) === 'Second', {
      what: 'the unsent message',
    });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await eventually(async () => (await page.getByLabel('Your message').inputValue()) === '', {
      what: 'the answer',
    });
    expect(await steps(page)).toEqual(['First', 'Second']);
    await window.close();
  });

  test('a conversation is reported and blocked; the blocked side sees no difference', async () => {
    const person = await buyer('Rude Rob');
    const messageId = crypto.randomUUID();
    const { data } = await person.mutate('messages.open', {
      propertyId: home(),
      messageId,
      text: 'Rude words',
    });
    const desk = await site().open({ width: 1280, as: site().agent });
    const { page } = desk;
    await desk.go(`/inbox/${home()}/${person.id}`);
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByLabel('What is wrong?').fill('These words.');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send the report' }).click();
    await page.getByText('Thank you. The operator will look at it.').waitFor();
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText('You blocked this conversation.').waitFor();
    const rob = await site().open({ width: 390, as: person });
    await rob.go(`/inbox/${home()}/me`);
    await write(rob.page, 'More');
    await seen(rob.page, 'More');
    expect(await rob.page.getByText(/block/i).count()).toBe(1);
    await page.getByRole('button', { name: 'Unblock', exact: true }).click();
    await page.getByLabel('Your message').waitFor();
    expect(await steps(page)).toEqual(['Rude words']);
    const reports = await site().host.rows('select note from message_reports where "threadId" = $1', [
      data.threadId,
    ]);
    expect(reports).toEqual([{ note: 'These words.' }]);
    await rob.close();
    await desk.close();
  });

  test('a visitor signs in before asking', async () => {
    const window = await site().open({ width: 390 });
    await window.go(`/properties/${home()}`);
    await window.page.getByRole('link', { name: 'Ask a question' }).last().click();
    await window.page.getByText('Your questions and tours in one place').waitFor();
    await window.close();
  });
});
