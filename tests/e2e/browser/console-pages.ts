import type { Page } from 'playwright-core';
import { OPERATOR } from '../../support/http/console-host.ts';

/** Actions on the console's pages, found by their visible text. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('User').fill(OPERATOR.user);
  await page.getByLabel('Password').fill(OPERATOR.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

/** The sentence that says why an actor waits. */
export const reasonOn = (page: Page) => page.locator('#wait').innerText();

/** The state that the actor's own chart highlights. */
export const litState = async (page: Page): Promise<string> =>
  (await page.locator('section[aria-labelledby=chart] .state.present title').first().textContent())?.split(
    ':',
  )[0] ?? '';

/** Presses a key until the wanted element has the focus, at most so many times. */
export async function pressUntil(
  page: Page,
  key: string,
  { focused, times = 80 }: { focused: string; times?: number },
) {
  for (let pressed = 0; pressed < times; pressed += 1) {
    await page.keyboard.press(key);
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(focused)}) ?? false`)) return;
  }
  throw new Error(`${key} did not come to ${focused} in ${times} times`);
}

/** From the page of people to the suspension: eight presses, three of them letters of the reason. */
export async function suspendByKeyboard(page: Page, address: string): Promise<void> {
  // The browser focuses a field some time after the page has loaded; what is typed before is lost.
  await page.waitForSelector('#who:focus');
  await page.keyboard.insertText(address);
  await page.keyboard.press('Enter');
  await page.waitForSelector('a:focus');
  await page.keyboard.press('Enter');
  await page.waitForSelector('textarea:focus');
  for (const letter of 'bad') await page.keyboard.press(letter);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.notice.good');
}
