import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  openWebhookReceiver,
  signatureFaults,
  type WebhookReceiver,
} from '../../support/http/webhook-receiver.ts';
import { axeFindings, overflow } from '../site/site-window.ts';
import { describeSite } from '../site/site-world.ts';

/** docs/contract.md#webhooks-out: the studio's page, with a receiver that the host itself calls. */
const SHOTS = process.env.SHOTS;
let hook: WebhookReceiver;
beforeAll(async () => {
  hook = await openWebhookReceiver();
});
afterAll(() => hook.close());

describeSite('the page of webhooks', (site) => {
  test('a webhook is made, tested, fails, is sent again, gets a new secret and is removed', async () => {
    const window = await site().open({ width: 390, as: site().agent });
    const { page } = window;
    await window.go('/studio');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Address').fill('https://10.0.0.1/hook');
    await sheet.getByRole('button', { name: 'Add webhook' }).click();
    await sheet.getByText('Use a public https address').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await sheet.getByLabel('Address').fill(hook.url);
    await sheet.getByLabel('A listing changes').uncheck();
    await sheet.getByRole('button', { name: 'Add webhook' }).click();
    const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    expect(await axeFindings(page)).toEqual([]);
    if (SHOTS) {
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: `${SHOTS}/secret.png` });
    }
    await page.getByRole('button', { name: 'Done' }).click();

    hook.state.answer = () => ({ status: 500 });
    await page.getByRole('button', { name: 'Send test delivery' }).click();
    await page.getByText('Answer 500').waitFor();
    hook.state.answer = () => ({ status: 200 });
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await eventually(() => hook.taken.length === 2, { what: 'the repeat to arrive' });
    const [first, again] = hook.taken;
    expect([again?.id, first && signatureFaults(first, secret)]).toEqual([first?.id, []]);

    for (const width of [390, 1280] as const)
      for (const theme of ['light', 'dark'] as const) {
        const other = await site().open({ width, theme, as: site().agent });
        await other.go('/studio/webhooks');
        await other.page.getByText('Delivered', { exact: true }).first().waitFor();
        expect([await axeFindings(other.page), await overflow(other.page)]).toEqual([[], 0]);
        if (SHOTS) await other.page.screenshot({ path: `${SHOTS}/${width}-${theme}.png`, fullPage: true });
        await other.close();
      }

    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Create secret' }).click();
    expect(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()).not.toBe(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('The former secret also signs until').waitFor();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('You turned it off.').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No webhooks yet').waitFor();
    await window.close();
  });
});
