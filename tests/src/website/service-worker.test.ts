import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { ownSite } from '../../../src/site/read-site.ts';
import { siteFileRoutes } from '../../../src/website/site-files.ts';

/** The worker of the site as a browser runs it, for what DevTools cannot do: a press on a notice. */
const ORIGIN = 'https://homes.example';
let script: string;
beforeAll(async () => {
  const routes = siteFileRoutes(ownSite(), { run: () => Promise.reject(new Error('not drawn')) });
  const route = routes.find(({ path }) => path === '/service-worker.js');
  script = String((await route?.handler({} as never))?.body);
});

interface Shown {
  readonly line: string;
  readonly options: { readonly tag: string; readonly data: { readonly url: string } };
}

/** @param open the addresses of the windows that are open */
async function received(text: string | null, open: readonly string[] = []) {
  const handlers = new Map<string, (event: object) => void>();
  const [shown, opened, focused]: [Shown[], string[], string[]] = [[], [], []];
  const windows = open.map((url) => ({ url, focus: () => focused.push(url) }));
  runInNewContext(script, {
    URL,
    location: { href: `${ORIGIN}/service-worker.js` },
    addEventListener: (kind: string, handler: (event: object) => void) => handlers.set(kind, handler),
    clients: { matchAll: async () => windows, openWindow: async (url: string) => opened.push(url) },
    registration: {
      showNotification: async (line: string, options: Shown['options']) => void shown.push({ line, options }),
    },
  });
  const fire = async (kind: string, event: object): Promise<void> => {
    const work: Promise<unknown>[] = [];
    handlers.get(kind)?.({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one) });
    await Promise.all(work);
  };
  await fire('push', { data: text === null ? null : { json: () => JSON.parse(text) } });
  const press = () => fire('notificationclick', { notification: { ...shown[0]?.options, close: () => {} } });
  return { shown, opened, focused, press };
}
const notice = (url: string) => JSON.stringify({ line: 'Tour confirmed', url, tag: 'tabc' });

test('a notice shows its line, and a press opens its page', async () => {
  const { shown, opened, press } = await received(notice(`${ORIGIN}/inbox/1/2`), [`${ORIGIN}/search`]);
  expect(shown).toMatchObject([
    {
      line: 'Tour confirmed',
      options: { tag: 'tabc', renotify: true, data: { url: `${ORIGIN}/inbox/1/2` } },
    },
  ]);
  await press();
  expect(opened).toEqual([`${ORIGIN}/inbox/1/2`]);
});

test('a page that is open already comes to the front', async () => {
  const { opened, focused, press } = await received(notice(`${ORIGIN}/inbox/1/2`), [`${ORIGIN}/inbox/1/2`]);
  await press();
  expect([opened, focused]).toEqual([[], [`${ORIGIN}/inbox/1/2`]]);
});

test.each([null, 'not JSON', notice('https://elsewhere.example/'), notice('javascript:alert(1)'), '{}'])(
  'what cannot be read (%s) shows the name of the site, and leads to its first page',
  async (text) => {
    const { shown, opened, press } = await received(text);
    expect(shown).toMatchObject([{ line: ownSite().name, options: { tag: 'site' } }]);
    await press();
    expect(opened).toEqual([`${ORIGIN}/`]);
  },
);
